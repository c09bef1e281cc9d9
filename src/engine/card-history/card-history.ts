import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { timedWriter } from '../../kit/row-writes.ts';
import { endBlocks, noteVerdicts, renewBlocks, selectBlocked } from './card-history.store.ts';
import { CARD_VERDICT, type Renewal } from './card-history.types.ts';

/** What writes down in a batch what issuers have said of cards. */
export const VERDICT_WRITER = timedWriter(CARD_VERDICT, noteVerdicts);

/** Which of these cards of a payee an issuer has said lately never to try again. */
export function findBlocked(
  read: Read,
  cards: { readonly payeeId: PayeeId; readonly digests: readonly Buffer[] },
): Promise<readonly Buffer[]> {
  return selectBlocked(read, cards);
}

/**
 * Brings what issuers have said of a card under the key of now, which only the card's number can do. So for the 30 days after a
 * rotation its declines and blocks are found, and statements of batches look for one digest. There is nothing to do while there is one key.
 */
export async function renewVerdicts(transaction: Transaction, renewal: Renewal): Promise<void> {
  await renewBlocks(transaction, renewal);
}

/** Deletes what issuers have said of cards and does not hold any more, at most `limit` rows; answers how many. */
export function endVerdicts(transaction: Transaction, limit: number): Promise<number> {
  return endBlocks(transaction, limit);
}
