import type { Transaction } from '../db/transaction.types.ts';
import { forbidden, notFound } from '../kit/errors.ts';
import { lockKeys, selectKeys } from './keys.store.ts';
import { preparedKey } from './ring/ring.rules.ts';
import { beginRotation, type Rotating, type RotationKeys } from './rotate-key.ts';
import { listKeys } from './show-keys.ts';
import type { KeySwitch } from './switch-key.ts';

/**
 * Makes a key that was prepared the one to write with. It makes none: a new key comes into the ring on the machine that has
 * the ring, and from there to the other instances.
 *
 * @throws Refusal `notfound` for an unknown key
 * @throws Refusal `forbidden` where it is not the prepared one, or an earlier rotation of its purpose is not at its end
 * @throws Trouble where the ring does not fit the database
 */
export async function activatePreparedKey(
  transaction: Transaction,
  keys: RotationKeys,
  keyId: string,
): Promise<KeySwitch> {
  await lockKeys(transaction);
  const key = (await listKeys(transaction, keys)).find(({ id }) => id === keyId);
  if (key === undefined) throw notFound();
  const { purpose } = key;
  const isNext = preparedKey(purpose, await selectKeys(transaction), keys.keyRing.held())?.id === keyId;
  const isRotatable = keys.keyUses.some((use) => use.purpose === purpose);
  if (!isNext || !isRotatable) throw forbidden('keyId', 'must be a key that was prepared for a rotation');
  const switched = await beginRotation(transaction, keys, purpose);
  if (switched.isResumed) throw forbidden('keyId', 'must wait: rows still use the key before the current one');
  return switched;
}

/**
 * The rotation that takes rows away from a key; undefined where it has come to its end.
 *
 * @throws Refusal `notfound` for an unknown key
 * @throws Refusal `forbidden` where no other key has taken over from it
 */
export async function findRotation(transaction: Transaction, keyId: string): Promise<Rotating | undefined> {
  const known = await selectKeys(transaction);
  const key = known.find(({ id }) => id === keyId);
  if (key === undefined) throw notFound();
  const { id: from, purpose, state } = key;
  if (state === 'Retired' || state === 'Destroyed') return undefined;
  const current = known.find((other) => other.purpose === purpose && other.state === 'Current');
  if (state !== 'Previous' || current === undefined) {
    throw forbidden('keyId', 'must be a key that another one has taken over from');
  }
  return { purpose, change: { from, to: current.id } };
}
