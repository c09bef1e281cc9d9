import { paymentPath } from '../../kit/cards/card-payment-paths.ts';
import { giftCardPath } from '../../kit/cards/payment-order-paths.ts';
import { isPaidByToken } from '../../payments/payment-state.rules.ts';
import type { AskedTransaction } from '../../payments/payments.types.ts';
import type { LegWithAmounts, OrderView, SplitTransaction } from '../orders.types.ts';
import { instrumentOfLeg, leadOf } from './order-state.rules.ts';

/** Digits of a card number that say who issued it. */
const BIN_DIGITS = 6;

/** What a payee learns of a success: nothing before there is one. */
export function paidMembers(view: OrderView) {
  const paid = view.transactions.find(({ transactionId }) => transactionId === view.order.paidBy);
  return paid === undefined ? {} : tellingOf(view, paid, paid.amount);
}

/** The same of what was cancelled: the number of the latest, the amount of all. */
export function cancelledMembers(view: OrderView) {
  const latest = lastOf(view, 'Cancellation');
  if (latest === undefined) return {};
  return { ...tellingOf(view, latest, view.order.cancelled), cancelReason: view.order.cancelReason ?? '' };
}

/** The same of what was given back. */
export function reversedMembers(view: OrderView) {
  const latest = lastOf(view, 'Reversal');
  return latest === undefined ? {} : tellingOf(view, latest, view.order.reversed);
}

function lastOf({ transactions }: OrderView, wanted: SplitTransaction['type']): SplitTransaction | undefined {
  return transactions.findLast(({ type, state }) => type === wanted && state === 'Completed');
}

function tellingOf(view: OrderView, told: SplitTransaction, amount: number) {
  const { order, legs, card } = view;
  const by = card.transactions.find(({ transactionId }) => transactionId === order.paidBy);
  const lead = leadOf(legs, told.parts);
  const payeeReference = told.payeeReference ?? order.terms.payeeInfo.payeeReference;
  const { orderReference } = order.terms.payeeInfo;
  return {
    instrument: by === undefined ? instrumentOfLeg(lead) : 'CreditCard',
    number: told.number,
    ...(payeeReference !== undefined && { payeeReference }),
    ...(orderReference !== undefined && { orderReference }),
    transactionType: told.type,
    amount,
    submittedAmount: amount,
    feeAmount: 0,
    discountAmount: 0,
    paymentTokenGenerated: by?.tokens.some(({ type }) => type === 'Payment') ?? false,
    tokens: tokensOf(by),
    ...(by !== undefined && { details: detailsOf(view, by) }),
    legs: legs.filter(({ state }) => state !== 'Added').map(legShown),
  };
}

/** What tokens are called in `paid`. */
const PAID_TYPES = {
  Payment: 'payment',
  Recurrence: 'recurrence',
  TransactionOnFile: 'transactionsOnFile',
  Unscheduled: 'unscheduled',
} as const;

function tokensOf(by: AskedTransaction | undefined) {
  return (by?.tokens ?? []).map(({ type, token }) => ({
    type: PAID_TYPES[type],
    token,
    name: by?.card?.maskedPan ?? '',
    expiryDate: by?.card?.expiryDate ?? '',
  }));
}

function detailsOf({ order }: OrderView, { card, exchange }: AskedTransaction) {
  const isAuthenticated = card?.authenticationStatus === 'Y' || card?.authenticationStatus === 'A';
  return {
    ...(card !== null && {
      maskedPan: card.maskedPan,
      bin: card.maskedPan.slice(0, BIN_DIGITS),
      ...(card.cardBrand !== undefined && { cardBrand: card.cardBrand }),
      ...(card.cardType !== undefined && { cardType: card.cardType }),
      expiryDate: card.expiryDate,
      ...(card.issuerAuthorizationApprovalCode !== undefined && {
        issuerAuthorizationApprovalCode: card.issuerAuthorizationApprovalCode,
      }),
    }),
    acquirerTransactionType: isAuthenticated ? '3DSECURE' : 'STANDARD',
    ...(exchange !== null && {
      acquirerStan: exchange.stan,
      acquirerTerminalId: exchange.terminalId,
      acquirerTransactionTime: exchange.sentAt,
    }),
    transactionInitiator: isPaidByToken(order) ? 'MERCHANT' : 'CARDHOLDER',
  };
}

/** What one issuer pays of an order. */
export function legShown({
  legId,
  position,
  kind,
  instrumentType,
  name,
  state,
  paymentId,
  amount,
  amounts,
}: LegWithAmounts) {
  return {
    id: legId,
    position,
    instrument: instrumentOfLeg({ kind }),
    paymentInstrumentType: instrumentType,
    name,
    amount,
    capturedAmount: amounts.captured,
    cancelledAmount: amounts.cancelled,
    reversedAmount: amounts.reversed,
    state,
    ...(paymentId !== null && {
      payment: { id: kind === 'Card' ? paymentPath({ paymentId }) : giftCardPath({ paymentId }) },
    }),
  };
}
