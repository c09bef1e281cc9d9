import { assert } from '../../kit/assert.ts';
import { ZERO_MINOR } from '../../kit/money.ts';
import type { PaymentId, TransactionId } from '../../ledger/ledger.types.ts';
import type { AskedTransaction, CardPaymentView } from '../../payments/payments.types.ts';
import { type LegWithAmounts, type OrderView, type SplitTransaction, TYPES_ON_LEGS } from '../orders.types.ts';

/**
 * The leg that a gift card pays, in the form of a card payment: so that who reads payments of this kind reads it in the same
 * way. Its number is the order's; the VAT is told of the order alone.
 */
export function giftCardView({ order, card, transactions, now }: OrderView, leg: LegWithAmounts): CardPaymentView {
  const { paymentId, legId, amounts, amount } = leg;
  assert(paymentId !== null, 'a leg that is shown as a payment has one');
  const own = transactions.flatMap((transaction) => {
    const part = transaction.parts.find((one) => one.legId === legId);
    return part === undefined ? [] : [partAsTransaction(transaction, leg, { ...part, paymentId })];
  });
  const paidBy = own.find(({ type, state }) => type === 'Authorization' && state === 'Completed');
  const { token: _, ...terms } = card.payment.terms;
  return {
    payment: {
      ...card.payment,
      ...amounts,
      paymentId,
      state: 'Ready',
      paidBy: paidBy?.transactionId ?? null,
      failedTries: 0,
      leaves: 0,
      unsettled: 0,
      abortReason: null,
      terms: { ...terms, prices: [{ type: 'GiftCard', amount, vatAmount: 0 }], generate: [] },
      createdAt: leg.addedAt,
      updatedAt: leg.updatedAt,
      number: order.number,
    },
    transactions: own,
    now,
  };
}

type OwnPart = SplitTransaction['parts'][number] & { readonly paymentId: PaymentId };

function partAsTransaction(
  { payeeId, number, type, state, description, payeeReference, problem, createdAt, updatedAt }: SplitTransaction,
  { name }: LegWithAmounts,
  { ownId, paymentId, amount, released }: OwnPart,
): AskedTransaction {
  return {
    payeeId,
    transactionId: ownId as TransactionId,
    paymentId,
    number,
    type: TYPES_ON_LEGS[type],
    state,
    amount,
    vatAmount: ZERO_MINOR,
    description,
    payeeReference,
    attemptId: null,
    issuerId: null,
    problem,
    takingBack: false,
    card: { maskedPan: name, expiryDate: '' },
    tokens: [],
    tokenTypes: null,
    cardDigest: null,
    instrumentId: null,
    isStored: false,
    released,
    createdAt,
    updatedAt,
    holderSealed: null,
    holderSealedWith: null,
    exchange: null,
  };
}
