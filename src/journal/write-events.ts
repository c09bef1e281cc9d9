import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { uuidV7 } from '../kit/ids.ts';
import { resourceOf } from './events.rules.ts';
import { insertAnyEvents } from './journal.store.ts';
import type { EventDraft } from './journal.types.ts';

/**
 * Writes what happened, in the transaction in which it does. Each event has its resource's next number, which was raised
 * under the resource's lock.
 *
 * @param events none is fine
 */
export async function writeEvents(transaction: Transaction, events: readonly EventDraft[]): Promise<void> {
  if (events.length === 0) return;
  const { statement, values, expected } = insertAnyEvents(
    events.map((draft) => ({ id: uuidV7(Date.now()), kind: resourceOf(draft), draft })),
  );
  const { count } = await transaction.run(statement, values);
  assert(count === expected, 'every event is written');
}
