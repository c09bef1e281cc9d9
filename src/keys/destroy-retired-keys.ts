import type { Transaction } from '../db/transaction.types.ts';
import { lockKeys, type RetiredKey, selectKeys, selectRetiredKeys, updateKeyState } from './keys.store.ts';
import type { KeyId, KeyState, KeyStorage, KnownKey } from './keys.types.ts';
import { loadRing } from './ring/load-ring.ts';
import { printRing } from './ring/ring-text.rules.ts';

/** What became of the retired keys. */
export interface GivenUp {
  readonly givenUp: readonly RetiredKey[];
  /** Those that were retired too lately. */
  readonly kept: readonly RetiredKey[];
}

/**
 * Gives up the keys that have been retired for so many days: from now on the database does not want them in the ring. To be committed before
 * `removeDestroyedKeys` takes them out of it, for a key that is wanted and missing stops the service.
 */
export async function giveUpRetiredKeys(transaction: Transaction, days: number): Promise<GivenUp> {
  await lockKeys(transaction);
  const retired = await selectRetiredKeys(transaction, days);
  const givenUp = retired.filter(({ isDue }) => isDue);
  const ids = givenUp.map(({ id }) => id);
  await updateKeyState(transaction, ids, { from: 'Retired', to: 'Destroyed' });
  return { givenUp, kept: retired.filter(({ isDue }) => !isDue) };
}

/**
 * Takes destroyed keys out of the ring, also those that an interrupted run has left there. What only backups still hold
 * under them is then unreadable for good.
 *
 * @returns the keys that were taken out
 */
export async function removeDestroyedKeys(
  transaction: Transaction,
  { keyRing, keyProvider }: KeyStorage,
): Promise<readonly KeyId[]> {
  await lockKeys(transaction);
  const destroyed = inState(await selectKeys(transaction), 'Destroyed');
  const keys = (await loadRing(keyProvider)) ?? [];
  const kept = keys.filter((key) => !destroyed.includes(key.id));
  if (kept.length === keys.length) return [];
  await keyProvider.replace(printRing(kept));
  await keyRing.refresh();
  return keys.filter((key) => !kept.includes(key)).map((key) => key.id);
}

function inState(keys: readonly KnownKey[], state: KeyState): readonly KeyId[] {
  return keys.filter((key) => key.state === state).map((key) => key.id);
}
