import type { Transaction } from '../db/transaction.types.ts';
import { lockKeys, updateKeyState } from './keys.store.ts';
import type { KeyChange, KeyId, KeyPurpose, KeysService, KeyUse } from './keys.types.ts';
import { type KeySwitch, switchKey } from './switch-key.ts';

/**
 * What a rotation needs. Its steps have a transaction each, so that one that was cut off goes on with the next step, in
 * any process: `beginRotation` once, `moveRows` until it moves none, then `endRotation`.
 */
export type RotationKeys = Pick<KeysService, 'keyRing' | 'keyProvider' | 'keyUses' | 'audit'>;

/** Which rows are moved, and from which key to which. */
export interface Rotating {
  readonly purpose: KeyPurpose;
  readonly change: KeyChange;
}

/**
 * Makes another key the one to write with, or takes up a rotation that is not at its end.
 *
 * @throws Trouble as `switchKey` does
 */
export async function beginRotation(
  transaction: Transaction,
  keys: RotationKeys,
  purpose: KeyPurpose,
): Promise<KeySwitch> {
  const switched = await switchKey(transaction, keys, purpose);
  if (!switched.isResumed) await keys.audit(transaction, [{ action: 'activate-key', objectId: switched.to }]);
  return switched;
}

/** Moves some rows, of the first table that has any, and answers how many: 0 where none is left, or others hold them. */
export async function moveRows(
  transaction: Transaction,
  { keyRing, keyUses }: Pick<RotationKeys, 'keyRing' | 'keyUses'>,
  { purpose, change }: Rotating,
): Promise<number> {
  for (const use of usesOf(keyUses, purpose)) {
    const moved = await use.move(transaction, keyRing, change);
    if (moved > 0) return moved;
  }
  return 0;
}

/** Retires the key before, if no row uses it any more; false where some do. */
export async function endRotation(
  transaction: Transaction,
  { keyUses, audit }: Pick<RotationKeys, 'keyUses' | 'audit'>,
  { purpose, change }: Rotating,
): Promise<boolean> {
  const isRetired = await retireKey(transaction, usesOf(keyUses, purpose), change.from);
  if (isRetired) await audit(transaction, [{ action: 'retire-key', objectId: change.from }]);
  return isRetired;
}

/** Whether rows are left that a rotation moves; what ends by itself is left to its job. */
export async function hasRowsToMove(
  transaction: Transaction,
  { keyUses }: Pick<RotationKeys, 'keyUses'>,
  { purpose, change }: Rotating,
): Promise<boolean> {
  const moved = keyUses.filter((use) => use.endsByItself !== true);
  return (await countRows(transaction, moved, { purpose, keyId: change.from })) > 0;
}

/** Rows that use a key; of very many at least a million. */
export async function countRows(
  transaction: Transaction,
  keyUses: readonly KeyUse[],
  { purpose, keyId }: { readonly purpose: KeyPurpose; readonly keyId: KeyId },
): Promise<number> {
  let rows = 0;
  for (const use of usesOf(keyUses, purpose)) rows += await use.count(transaction, keyId);
  return rows;
}

function usesOf(keyUses: readonly KeyUse[], purpose: KeyPurpose): readonly KeyUse[] {
  return keyUses.filter((use) => use.purpose === purpose);
}

/**
 * Retires a previous key that no row uses any more. It stays in the ring, for backups.
 *
 * @param keyUses all tables that use keys of its purpose
 * @returns false where rows still use it, and nothing was changed
 */
async function retireKey(transaction: Transaction, keyUses: readonly KeyUse[], keyId: KeyId): Promise<boolean> {
  // Before the lock, which keeps writers waiting: nothing writes with a previous key, so none left is none ever.
  for (const use of keyUses) {
    if ((await use.count(transaction, keyId)) > 0) return false;
  }
  await lockKeys(transaction);
  await updateKeyState(transaction, [keyId], { from: 'Previous', to: 'Retired' });
  return true;
}
