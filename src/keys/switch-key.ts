import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { Trouble } from '../kit/work/trouble.ts';
import { insertKeys, lockKeys, updateKeyState } from './keys.store.ts';
import type { KeyChange, KeyPurpose, KeyStorage } from './keys.types.ts';
import { addPreparedKey } from './prepare-key.ts';
import { checkRing } from './ring/load-ring.ts';

/** Which key took over from which, and whether an earlier rotation between the two has to be finished first. */
export interface KeySwitch extends KeyChange {
  readonly isResumed: boolean;
}

/**
 * Makes a new key the one to write with: the one that was prepared, or one made here. When this transaction commits,
 * every writer that follows uses it, and every writer with the old one has finished. While rows still use a previous
 * key nothing is switched: that rotation goes on.
 *
 * @throws Trouble where the ring does not fit the database, or there is no key to replace
 */
export async function switchKey(
  transaction: Transaction,
  storage: KeyStorage,
  purpose: KeyPurpose,
): Promise<KeySwitch> {
  await lockKeys(transaction);
  const { known } = await checkRing(transaction, storage);
  const current = known.find((key) => key.purpose === purpose && key.state === 'Current');
  const previous = known.find((key) => key.purpose === purpose && key.state === 'Previous');
  if (current === undefined) throw new Trouble('There is no key to rotate yet: start the service once.');
  if (previous !== undefined) return { from: previous.id, to: current.id, isResumed: true };
  const next = (await addPreparedKey(storage, known, purpose)).key;
  const replaced = await updateKeyState(transaction, [current.id], { from: 'Current', to: 'Previous' });
  const added = await insertKeys(transaction, [next]);
  assert(replaced === 1 && added === 1, 'one key takes over from one');
  return { from: current.id, to: next.id, isResumed: false };
}
