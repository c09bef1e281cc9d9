import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { nextKeyId } from './key-id.rules.ts';
import { lockKeys } from './keys.store.ts';
import type { HeldKey, KeyPurpose, KeyStorage, KnownKey } from './keys.types.ts';
import { addToRing, checkRing } from './ring/load-ring.ts';
import { preparedKey } from './ring/ring.rules.ts';

/** The key that the next rotation activates, and whether it was made just now. */
export interface PreparedKey {
  readonly key: HeldKey;
  readonly isNew: boolean;
}

/**
 * Adds the next key of a purpose to the ring without using it, so that it can be brought to every instance that has a
 * ring of its own before the first row is written with it. Twice is as once.
 *
 * @throws Trouble where the ring does not fit the database
 */
export async function prepareKey(
  transaction: Transaction,
  storage: KeyStorage,
  purpose: KeyPurpose,
): Promise<PreparedKey> {
  await lockKeys(transaction);
  const { known } = await checkRing(transaction, storage);
  return addPreparedKey(storage, known, purpose);
}

/** As `prepareKey`, for a caller that holds the lock and has checked the ring. */
export async function addPreparedKey(
  storage: KeyStorage,
  known: readonly KnownKey[],
  purpose: KeyPurpose,
): Promise<PreparedKey> {
  const { keyRing } = storage;
  const prepared = preparedKey(purpose, known, keyRing.held());
  if (prepared !== undefined) return { key: prepared, isNew: false };
  const ids = [...known, ...keyRing.held()].map((key) => key.id);
  await addToRing(storage, [keyRing.make(nextKeyId(purpose, ids), purpose)]);
  const made = preparedKey(purpose, known, keyRing.held());
  assert(made !== undefined, 'the ring holds the key that was added to it');
  return { key: made, isNew: true };
}
