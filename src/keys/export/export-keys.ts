import { inputError } from '../../kit/errors.ts';
import { PASSPHRASE_CHARACTERS } from '../../kit/limits.ts';
import type { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { KeyExport, KeyProvider } from '../keys.types.ts';

/**
 * The ring as a text that opens with a passphrase only: a copy to keep apart from the database.
 *
 * @throws Refusal `inputerror` where the passphrase is too short
 * @throws Trouble where there is no ring
 */
export async function exportKeys(keyProvider: KeyProvider, keyExport: KeyExport, passphrase: Secret): Promise<string> {
  if (passphrase.reveal().length < PASSPHRASE_CHARACTERS) {
    throw inputError('passphrase', `must have at least ${PASSPHRASE_CHARACTERS} characters`);
  }
  const text = await keyProvider.read();
  if (text === undefined) throw new Trouble(`There is no key ring in ${keyProvider.location}.`);
  return keyExport.seal(text, passphrase);
}
