import type { Callback } from '../journal/journal.types.ts';
import { paymentPath, transactionPath } from '../kit/cards/card-payment-paths.ts';
import { isPaidByToken } from './payment-state.rules.ts';
import type { CardPayment, CardTransaction } from './payments.types.ts';

/** An issuer has confirmed that it took an attempt back: its failure was told when it failed. */
export const TAKEN_BACK = 'card-payment.taken-back';

/**
 * What a payment's own address is told: of each outcome of a transaction. Who has an authorization made with a token
 * learns its outcome from the answer, and is not told it again.
 *
 * @returns undefined where nothing is told
 */
export function callbackOf(
  payment: CardPayment,
  { type, transaction }: { readonly type: string; readonly transaction: CardTransaction | undefined },
): Callback | undefined {
  const url = payment.terms.urls.callbackUrl;
  if (url === undefined || transaction === undefined || type === TAKEN_BACK) return undefined;
  if (transaction.type === 'Authorization' && isPaidByToken(payment)) return undefined;
  return {
    url,
    body: {
      payment: { id: paymentPath(payment), number: payment.number },
      transaction: { id: transactionPath(transaction), number: transaction.number },
    },
  };
}
