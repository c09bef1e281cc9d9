import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { KeyExport, KeyProvider, RingFile, RingPassphrase } from '../keys.types.ts';
import { PASSPHRASE_CHARACTERS, passphraseIn } from './passphrase.rules.ts';

/** What a sealed ring is made of. */
interface RingParts {
  readonly ringFile: RingFile;
  readonly keyExport: KeyExport;
  /** Undefined: the ring lies in the clear. */
  readonly passphrase: RingPassphrase | undefined;
}

/**
 * A ring in its file, sealed where there is a passphrase for it. It is sealed as `kontor keys export` writes it: a copy of the file
 * is an export, and an export that is put in its place is the ring. One that is sealed is never taken for a broken one, and with a
 * passphrase none is read or left in the clear.
 */
export function ringIn({ ringFile, keyExport, passphrase }: RingParts): KeyProvider {
  const { location } = ringFile;
  const read = async (): Promise<Secret | undefined> => {
    const text = await ringFile.read();
    if (text === undefined) return undefined;
    const isSealed = keyExport.isSealed(text.reveal());
    if (passphrase === undefined && isSealed) throw isSealedOnly(location);
    if (passphrase === undefined) return text;
    if (!isSealed) throw isInTheClear(location, passphrase);
    return keyExport.open(text.reveal(), await wordsOf(passphrase)).catch((cause: unknown) => {
      throw new Trouble(
        `The key ring ${location} does not open with the passphrase in ${passphrase.location}: it is another one, or the file was altered.`,
        { cause },
      );
    });
  };
  const sealed = async (text: Secret, by: RingPassphrase) => new Secret(await keyExport.seal(text, await wordsOf(by)));
  const written = async (text: Secret) => (passphrase === undefined ? text : sealed(text, passphrase));
  return {
    location,
    read,
    create: async (text) => ringFile.create(await written(text)),
    replace: async (text) => ringFile.replace(await written(text)),
    sealWith: async (other) => {
      const text = await read();
      if (text === undefined) throw new Trouble(`There is no key ring in ${location}.`);
      await ringFile.replace(await sealed(text, other));
    },
  };
}

async function wordsOf(passphrase: RingPassphrase): Promise<Secret> {
  const words = passphraseIn(await passphrase.read());
  if (words !== undefined) return words;
  throw new Trouble(
    `${passphrase.location} must hold the passphrase of the key ring and nothing else: one line of ${PASSPHRASE_CHARACTERS} characters or more.`,
  );
}

function isSealedOnly(location: string): Trouble {
  return new Trouble(
    `The key ring ${location} is sealed. Set KONTOR_KEY_PASSPHRASE_FILE to the file that holds its passphrase.`,
  );
}

function isInTheClear(location: string, passphrase: RingPassphrase): Trouble {
  return new Trouble(
    `The key ring ${location} lies in the clear, and KONTOR_KEY_PASSPHRASE_FILE says that it is sealed. Seal it, with that ` +
      `variable empty: KONTOR_KEY_PASSPHRASE_FILE= kontor keys seal --passphrase-file ${passphrase.location}`,
  );
}
