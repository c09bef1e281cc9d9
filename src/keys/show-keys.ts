import type { Transaction } from '../db/transaction.types.ts';
import { KEY_ROTATION_DAYS } from '../kit/limits.ts';
import { selectKeyTimes } from './keys.store.ts';
import type { KeyStorage, KeyUse } from './keys.types.ts';
import { type ListedKey, listKeys } from './list-keys.ts';
import { countRows } from './rotate-key.ts';

/** A key, how old it is, and how far a rotation has come with it. */
export interface ShownKey extends ListedKey {
  /** Whether the keys of its purpose can be rotated. */
  readonly isRotatable: boolean;
  /** When it came into use, ISO 8601 in UTC; null where it has not. */
  readonly usedSince: string | null;
  /** When it came into its state; null where it was never used. */
  readonly stateSince: string | null;
  /** Whether another one should take over: it is the current one, and older than keys should be. */
  readonly isDue: boolean;
  /** Of a previous key: rows that are still to be moved to the current one. Null for all others. */
  readonly rowsLeft: number | null;
}

/** All keys with the progress of rotations. */
export async function showKeys(
  transaction: Transaction,
  storage: KeyStorage,
  keyUses: readonly KeyUse[],
): Promise<readonly ShownKey[]> {
  const times = new Map((await selectKeyTimes(transaction, KEY_ROTATION_DAYS)).map((row) => [row.id, row]));
  const shown: ShownKey[] = [];
  for (const key of await listKeys(transaction, storage)) {
    const { id: keyId, purpose, state } = key;
    const time = times.get(keyId);
    const isRotatable = keyUses.some((use) => use.purpose === purpose);
    shown.push({
      ...key,
      isRotatable,
      usedSince: time?.createdAt ?? null,
      stateSince: time?.changedAt ?? null,
      isDue: isRotatable && state === 'Current' && time?.isOld === true,
      rowsLeft: state === 'Previous' ? await countRows(transaction, keyUses, { purpose, keyId }) : null,
    });
  }
  return shown;
}
