import { Secret } from '../../kit/secret.ts';

/** Characters of a passphrase that seals a key ring, at least (PCI DSS 4.0.1, 8.3.6). */
export const PASSPHRASE_CHARACTERS = 12;

/** Characters of it at most: more is another file. */
const MOST_CHARACTERS = 1024;

/** The passphrase that a file holds: its one line. Undefined where it is too short, too long, or not all that the file holds. */
export function passphraseIn(file: Secret): Secret | undefined {
  const text = file.reveal();
  if (text.length > MOST_CHARACTERS) return undefined;
  const line = text.replace(/\r?\n$/, '');
  return line.length < PASSPHRASE_CHARACTERS || /[\r\n]/.test(line) ? undefined : new Secret(line);
}
