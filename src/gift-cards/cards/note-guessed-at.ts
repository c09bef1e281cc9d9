import type { Transaction } from '../../db/transaction.types.ts';
import { writeEvents } from '../../journal/write-events.ts';
import type { AccountKey } from '../../ledger/ledger.types.ts';
import { raiseCardSequence } from './life.store.ts';

/**
 * Tells a payee that codes of a gift card are guessed on its pages. An account that is no gift card is told of by none:
 * it cannot be replaced.
 *
 * @param happenedAt ISO 8601 in UTC
 */
export async function noteGuessedAt(
  transaction: Transaction,
  { payeeId, accountId }: AccountKey,
  happenedAt: string,
): Promise<void> {
  const { rows } = await raiseCardSequence(transaction, { payeeId, accountId });
  const events = rows.map(({ eventSequence }) => ({
    payeeId,
    type: 'gift-card.guessed-at' as const,
    resourceId: accountId,
    resourceSequence: eventSequence,
    happenedAt,
    payload: {},
  }));
  await writeEvents(transaction, events);
}
