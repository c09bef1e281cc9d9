import type { Transaction } from '../../db/transaction.types.ts';
import type { Actor } from '../../kit/caller.ts';
import { archiveCard } from '../../tokens/archive-token.ts';
import type { OpenedPage } from './page.types.ts';

/**
 * Archives all tokens of a card that a page has offered, as its payer wants. One that the page does not offer, or no longer,
 * is left alone: a payer who removes a card twice has what they wanted.
 */
export async function removeStoredCard(
  transaction: Transaction,
  { page, token, actor }: { readonly page: OpenedPage; readonly token: string; readonly actor: Actor },
): Promise<void> {
  const card = page.storedCards.find((offered) => offered.token === token);
  if (card === undefined) return;
  await archiveCard(transaction, {
    payeeId: page.payment.payeeId,
    payerReference: card.payerReference,
    instrumentId: card.instrumentId,
    archiving: { updatedBy: 'PAYEE', reason: 'removed by the payer' },
    actor,
  });
}
