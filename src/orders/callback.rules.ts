import type { Callback } from '../journal/journal.types.ts';
import { paymentPath, transactionPath } from '../kit/cards/card-payment-paths.ts';
import { GIFT_CARD_PAYMENTS, orderPath } from '../kit/cards/payment-order-paths.ts';
import { isPaidByToken } from '../payments/payment-state.rules.ts';
import {
  type OrderLeg,
  type OrderTransactionType,
  type PaymentOrder,
  type SplitTransaction,
  TYPES_ON_LEGS,
} from './orders.types.ts';

/**
 * What the payee's address is told of an order, in the form of the view that it was created in: of each outcome of a
 * transaction. Older views tell of the leg that leads it: the card, where it has a part in it, else the first. Who has an
 * order paid with a token learns its outcome from the answer, and is not told it again.
 *
 * @param legs of the order, in their order
 * @returns undefined where nothing is told
 */
export function callbackOf(
  order: PaymentOrder,
  transaction: SplitTransaction | undefined,
  legs: readonly OrderLeg[],
): Callback | undefined {
  const url = order.terms.urls.callbackUrl;
  if (url === undefined || transaction === undefined) return undefined;
  if (isPaidByToken(order) && IS_TRY[transaction.type]) return undefined;
  const card = legs.find(({ kind }) => kind === 'Card');
  const parts = transaction.parts.filter(({ legId }) => legs.some((leg) => leg.legId === legId));
  const part = parts.find(({ legId }) => legId === card?.legId) ?? parts[0];
  const lead = legs.find(({ legId }) => legId === part?.legId);
  const isCard = lead === undefined || lead.kind === 'Card';
  // A try that came to nothing has no parts: it was a card's, whatever gift cards are held beside it.
  const paidByCard = parts.length === 0 || card !== undefined;
  const paymentOrder = { id: orderPath(order), instrument: paidByCard ? 'CreditCard' : 'GiftCard' };
  if (order.madeIn === '3.1') {
    const { orderReference } = order.terms.payeeInfo;
    return {
      url,
      body: {
        ...(orderReference !== undefined && { orderReference }),
        paymentOrder: { ...paymentOrder, number: transaction.number },
      },
    };
  }
  const paymentId = lead?.paymentId ?? order.cardPaymentId;
  const transactionId = part?.ownId ?? transaction.transactionId;
  const root = isCard ? undefined : GIFT_CARD_PAYMENTS;
  return {
    url,
    body: {
      paymentOrder,
      payment: { id: paymentPath({ paymentId }, root), number: order.number },
      transaction: {
        id: transactionPath({ paymentId, type: TYPES_ON_LEGS[transaction.type], transactionId }, root),
        number: transaction.number,
      },
    },
  };
}

const IS_TRY: Readonly<Record<OrderTransactionType, boolean>> = {
  Authorization: true,
  Sale: true,
  Verification: true,
  Capture: false,
  Cancellation: false,
  Reversal: false,
};
