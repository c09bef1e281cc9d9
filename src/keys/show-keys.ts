import type { Read, Transaction } from '../db/transaction.types.ts';
import { selectKeys, selectKeyTimes, selectOldestSeconds } from './keys.store.ts';
import type { KeyId, KeyPurpose, KeyState, KeyStorage, KeyUse } from './keys.types.ts';
import { countRows } from './rotate-key.ts';

/** Days after which a key should be rotated: backups outlive what is deleted by no more than that and their own time. */
export const KEY_ROTATION_DAYS = 90;

/** A key as the operator sees it. */
interface ListedKey {
  readonly id: KeyId;
  readonly purpose: KeyPurpose;
  /** `Prepared`: in the ring, not yet in use. */
  readonly state: KeyState | 'Prepared';
  /** Whether the ring holds it. */
  readonly isHeld: boolean;
}

/** All keys that the database or the ring knows, without what is in them. */
export async function listKeys(transaction: Transaction, { keyRing }: KeyStorage): Promise<readonly ListedKey[]> {
  const known = await selectKeys(transaction);
  await keyRing.refresh();
  const held = keyRing.held();
  const isHeld = (id: KeyId) => held.some((key) => key.id === id);
  const prepared = held.filter((key) => !known.some((other) => other.id === key.id));
  return [
    ...known.map(({ id, purpose, state }) => ({ id, purpose, state, isHeld: isHeld(id) })),
    ...prepared.map(({ id, purpose }) => ({ id, purpose, state: 'Prepared' as const, isHeld: true })),
  ];
}

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

/** For how many seconds the oldest of the keys in use has been the one of its purpose; of those alone that can be rotated. */
export function measureOldestKey(read: Read, keyUses: readonly KeyUse[]): Promise<number> {
  return selectOldestSeconds({ run: read }, [...new Set(keyUses.map(({ purpose }) => purpose))]);
}

/** All keys with the progress of rotations. */
export async function showKeys(
  transaction: Transaction,
  storage: KeyStorage,
  keyUses: readonly KeyUse[],
): Promise<readonly ShownKey[]> {
  const times = new Map((await selectKeyTimes(transaction, KEY_ROTATION_DAYS)).map((row) => [row.id, row]));
  const moved = keyUses.filter((use) => use.endsByItself !== true);
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
      rowsLeft: state === 'Previous' ? await countRows(transaction, moved, { purpose, keyId }) : null,
    });
  }
  return shown;
}
