import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { insertKeys, lockKeys, selectKeys } from '../keys.store.ts';
import type { KeyEvent, KeyStorage } from '../keys.types.ts';
import { addToRing, checkRing } from './load-ring.ts';
import { firstKeyId, fitRing, needsNothing, writeKeys } from './ring.rules.ts';

/** Whether the service was ever started on this database: its first start makes the keys. */
export async function hasKeys(transaction: Transaction): Promise<boolean> {
  return (await selectKeys(transaction)).length > 0;
}

/**
 * Loads the ring and holds it against what the database knows. Where the database knows no key yet, an existing ring is
 * taken over, or one is made; likewise for a purpose that a new version brings. Twenty processes may do it at once.
 *
 * @param mayMake whether keys are made and taken over at all: not by commands, which may run without their settings
 * @returns the keys that came into use, for the audit trail
 * @throws Trouble where the ring lacks a key that the database knows, or has another one under its name: it says which
 *   keys are wanted and where they were looked for
 */
export async function startKeys(
  transaction: Transaction,
  storage: KeyStorage,
  mayMake = true,
): Promise<readonly KeyEvent[]> {
  const known = await selectKeys(transaction);
  await storage.keyRing.refresh();
  if (needsNothing(fitRing(known, storage.keyRing.held()))) {
    // The usual start. It changes nothing, so it need not make the writers wait.
    storage.keyRing.trust(known, writeKeys(known));
    return [];
  }
  await lockKeys(transaction);
  return register(transaction, storage, mayMake);
}

/** Under the lock, and so after whatever another process has made or taken away meanwhile. */
async function register(transaction: Transaction, storage: KeyStorage, mayMake: boolean): Promise<readonly KeyEvent[]> {
  const { keyRing } = storage;
  const first = await checkRing(transaction, storage);
  const { toMake } = first;
  if (!mayMake && toMake.length + first.toRegister.length > 0) {
    throw new Trouble(
      'This version needs a key that the database does not know yet. Start kontor serve once: it makes the key.',
    );
  }
  if (toMake.length > 0) {
    // In the ring before in the database: a key that only the ring has is harmless, the reverse loses data.
    await addToRing(
      storage,
      toMake.map((purpose) => keyRing.make(firstKeyId(purpose), purpose)),
    );
  }
  const { toRegister } = await checkRing(transaction, storage);
  const added = await insertKeys(transaction, toRegister);
  assert(added === toRegister.length, 'every new key is registered');
  const all = await selectKeys(transaction);
  keyRing.trust(all, writeKeys(all));
  return toRegister.map(({ id }) => ({ action: 'activate-key', objectId: id }));
}
