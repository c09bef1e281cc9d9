import type { Transaction } from '../../db/transaction.types.ts';
import type { Actor } from '../../kit/caller.ts';
import { archiveToken } from '../../tokens/archive-token.ts';
import type { CardPaymentsContext } from '../payments.types.ts';
import type { OpenedPage } from './page.types.ts';

/**
 * Archives the tokens of a card that a page has offered, as its payer wants. One that the page does not offer, or no
 * longer, is left alone: a payer who removes a card twice has what they wanted.
 */
export async function removeStoredCard(
  transaction: Transaction,
  context: CardPaymentsContext,
  { page, token, actor }: { readonly page: OpenedPage; readonly token: string; readonly actor: Actor },
): Promise<void> {
  const card = page.storedCards.find((offered) => offered.token === token);
  // In one order for all requests, so that two who remove the same card do not wait for each other.
  for (const tokenId of [...(card?.tokens ?? [])].sort()) {
    await archiveToken(transaction, context, {
      payeeId: page.payment.payeeId,
      tokenId,
      archiving: { updatedBy: 'PAYEE', reason: 'removed by the payer' },
      scopes: new Set(['tokens:write']),
      actor,
    });
  }
}
