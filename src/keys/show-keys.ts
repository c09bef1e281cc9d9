import type { Transaction } from '../db/transaction.types.ts';
import type { KeyStorage, KeyUse } from './keys.types.ts';
import { type ListedKey, listKeys } from './list-keys.ts';

/** A key, and how far a rotation has come with it. */
export interface ShownKey extends ListedKey {
  /** Of a previous key: rows that are still to be moved to the current one. Null for all others. */
  readonly rowsLeft: number | null;
}

/** All keys with the progress of rotations: what `kontor keys rotate` has left to do. */
export async function showKeys(
  transaction: Transaction,
  storage: KeyStorage,
  keyUses: readonly KeyUse[],
): Promise<readonly ShownKey[]> {
  const shown: ShownKey[] = [];
  for (const key of await listKeys(transaction, storage)) {
    const uses = key.state === 'Previous' ? keyUses.filter(({ purpose }) => purpose === key.purpose) : [];
    let rowsLeft = 0;
    for (const use of uses) rowsLeft += await use.count(transaction, key.id);
    shown.push({ ...key, rowsLeft: key.state === 'Previous' ? rowsLeft : null });
  }
  return shown;
}
