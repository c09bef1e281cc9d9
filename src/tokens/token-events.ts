import type { Transaction } from '../db/transaction.types.ts';
import type { EventType } from '../journal/journal.types.ts';
import { writeEvents } from '../journal/write-events.ts';
import type { PayeeId } from '../kit/ids.ts';
import { tokenId } from './tokens.rules.ts';
import type { ChangedToken } from './tokens.types.ts';

/** What can happen to a token after it was made. */
export type TokenEvent = Extract<EventType, 'token.renamed' | 'token.updated' | 'token.archived' | 'token.deleted'>;

/** Tells of changes of tokens, in the transaction that makes them. An event says nothing of the payer or the card. */
export function writeTokenEvents(
  transaction: Transaction,
  payeeId: PayeeId,
  type: TokenEvent,
  changed: readonly ChangedToken[],
): Promise<void> {
  return writeEvents(
    transaction,
    changed.map((token) => ({
      payeeId,
      type,
      resourceId: tokenId(token),
      resourceSequence: token.eventSequence,
      happenedAt: token.changedAt,
      payload: { token: token.token, tokenType: token.tokenType },
    })),
  );
}
