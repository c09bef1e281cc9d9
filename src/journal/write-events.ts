import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { uuidV7 } from '../kit/ids.ts';
import { resourceOf } from './events.rules.ts';
import { insertEvents } from './journal.store.ts';
import type { EventDraft } from './journal.types.ts';

/**
 * Writes what happened, in the transaction in which it does. Each event has its resource's next number, which was raised
 * under the resource's lock.
 *
 * @param events none is fine
 */
export async function writeEvents(transaction: Transaction, events: readonly EventDraft[]): Promise<void> {
  if (events.length === 0) return;
  const ids = events.map(() => uuidV7(Date.now()));
  const { statement, values, expected } = insertEvents(events, {
    ids,
    kinds: events.map(resourceOf),
    areInOrder: false,
  });
  const { count } = await transaction.run(statement, values);
  assert(count === expected, 'every event is written');
}
