import type { Transaction } from '../../db/transaction.types.ts';
import { inputError } from '../../kit/errors.ts';
import type { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { lockKeys, selectKeys } from '../keys.store.ts';
import type { KeyExport, KeyId, KeyProvider, KeyStorage, RingPassphrase } from '../keys.types.ts';
import { loadRing } from '../ring/load-ring.ts';
import { describeMisfit, fitRing, mergeRings } from '../ring/ring.rules.ts';
import { parseRing, printRing } from '../ring/ring-text.rules.ts';
import { PASSPHRASE_CHARACTERS } from './passphrase.rules.ts';

/**
 * Puts the keys of an exported ring back: makes the ring where there is none, adds what is missing where there is one.
 * Keys that this database has destroyed do not come back.
 *
 * @param text an opened export
 * @returns the keys that were added
 * @throws Trouble where the ring would not fit the database, or has another key of the same name; nothing is changed
 */
export async function importKeys(
  transaction: Transaction,
  storage: KeyStorage,
  text: Secret,
): Promise<readonly KeyId[]> {
  const { keyProvider, keyRing } = storage;
  await lockKeys(transaction);
  const known = await selectKeys(transaction);
  const isDestroyed = (id: KeyId) => known.some((key) => key.id === id && key.state === 'Destroyed');
  const present = await loadRing(keyProvider);
  const imported = parseRing(text, 'The export').filter((key) => !isDestroyed(key.id));
  const { merged, added, conflicting } = mergeRings(present ?? [], imported);
  if (conflicting.length > 0) {
    throw new Trouble(
      `The export has other keys than ${keyProvider.location} under these names: ${conflicting.join(', ')}.`,
    );
  }
  const misfit = describeMisfit(
    fitRing(
      known,
      merged.map((key) => keyRing.check(key)),
    ),
    'the export and the present ring',
    true,
  );
  if (misfit !== undefined) throw new Trouble(misfit);
  if (added.length === 0) return [];
  if (present !== undefined) await keyProvider.replace(printRing(merged));
  else if (!(await keyProvider.create(printRing(merged)))) {
    throw new Trouble(`Another process has just put a key ring in ${keyProvider.location}. Start again.`);
  }
  await keyRing.refresh();
  return added;
}

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

/**
 * Seals the ring where it is kept with this passphrase, in place of another one or none: under the lock of keys, because a rotation
 * beside it would lose its key.
 *
 * @returns the keys of the ring
 * @throws Trouble where there is no ring, or the passphrase cannot be used; nothing is changed
 */
export async function sealRing(
  transaction: Transaction,
  { keyProvider, keyRing }: KeyStorage,
  passphrase: RingPassphrase,
): Promise<readonly KeyId[]> {
  await lockKeys(transaction);
  await keyProvider.sealWith(passphrase);
  return keyRing.held().map(({ id }) => id);
}
