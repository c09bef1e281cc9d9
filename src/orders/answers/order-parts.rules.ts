import { paymentPath } from '../../kit/cards/card-payment-paths.ts';
import { CARD_PROBLEMS, type CardProblemCode } from '../../kit/cards/card-problems.ts';
import { giftCardPath, orderPath } from '../../kit/cards/payment-order-paths.ts';
import type { AskedTransaction } from '../../payments/payments.types.ts';
import type { HistoryEntry, LegWithAmounts, OrderView, SplitTransaction } from '../orders.types.ts';
import type { OrderPayer } from '../requests/new-order.types.ts';
import { instrumentOfLeg, leadOf } from './order-state.rules.ts';
import { cancelledMembers, paidMembers, reversedMembers } from './paid.rules.ts';
import { type OrderPartName, SUB_RESOURCES } from './views.rules.ts';

/** What an order's parts are shown of: what a GET finds, and what is read only where it is asked for. */
export interface OrderDetails {
  readonly view: OrderView;
  readonly history: readonly HistoryEntry[];
  readonly payer: OrderPayer | undefined;
  /** The lead leg's payment, as such payments are shown; undefined while there is none. */
  readonly payment: Readonly<Record<string, unknown>> | undefined;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

type Part = { readonly id: string } & Readonly<Record<string, unknown>>;

/** The relative address of a part of an order. */
export function partPath(name: OrderPartName, order: OrderView['order']): string {
  return `${orderPath(order)}/${SUB_RESOURCES[name].path}`;
}

/** A part of an order, whole: also before there is anything to tell, then with its id alone or an empty list. */
export function orderPart(name: OrderPartName, details: OrderDetails): Part {
  const { order } = details.view;
  return { id: partPath(name, order), ...MADE[name](details) };
}

const MADE: Readonly<Record<OrderPartName, (details: OrderDetails) => Readonly<Record<string, unknown>>>> = {
  orderItems: ({ view }) => ({ orderItemList: view.order.orderItems }),
  urls: ({ view }) => view.order.terms.urls,
  payeeInfo: ({ view }) => view.order.terms.payeeInfo,
  payer: payerMembers,
  history: ({ history }) => ({ historyList: history.map(historyShown) }),
  failed: ({ view: { order }, baseUrl }) =>
    order.problem === null ? {} : { problem: problemShown(order.problem, baseUrl) },
  aborted: ({ view }) => abortedMembers(view),
  paid: ({ view }) => paidMembers(view),
  cancelled: ({ view }) => cancelledMembers(view),
  reversed: ({ view }) => reversedMembers(view),
  financialTransactions: ({ view }) => ({
    financialTransactionsList: financialOf(view).map((transaction) => financialShown(transaction, view)),
  }),
  failedAttempts: ({ view, baseUrl }) => ({
    failedAttemptList: view.card.transactions.filter(isFailedTry).map((attempt) => attemptShown(attempt, baseUrl)),
  }),
  postPurchaseFailedAttempts: ({ view, baseUrl }) => ({
    postpurchaseFailedAttemptList: view.transactions
      .filter(({ state, type }) => state === 'Failed' && !isPurchase(type))
      .map((transaction) => postPurchaseShown(transaction, baseUrl)),
  }),
  metadata: ({ view }) => {
    const { id: _, ...metadata } = view.order.terms.metadata;
    return metadata;
  },
  payments: ({ view }) => ({ paymentList: view.legs.flatMap(paymentListed) }),
  currentPayment: ({ view, payment }) =>
    payment === undefined ? {} : { menuElementName: instrumentOfLeg(leadOf(view.legs)).toLowerCase(), payment },
};

/** Why a card was not charged, as problem details inside of an answer. */
export function problemShown(problem: CardProblemCode, baseUrl: string) {
  const { title, status, meaning } = CARD_PROBLEMS[problem];
  return { type: `${baseUrl}/errordetail/creditcard/${problem}`, title, status, detail: meaning };
}

function payerMembers({ view, payer = {} }: OrderDetails) {
  const { terms } = view.order;
  const { firstName, lastName, email, msisdn, shippingAddress, billingAddress, accountInfo } = payer;
  const name = [firstName, lastName].filter((part) => part !== undefined).join(' ');
  return {
    ...(terms.payerReference !== undefined && { reference: terms.payerReference }),
    ...(name !== '' && { name }),
    ...(email !== undefined && { email }),
    ...(msisdn !== undefined && { msisdn }),
    ...(shippingAddress !== undefined && { shippingAddress }),
    ...(billingAddress !== undefined && { billingAddress }),
    ...(accountInfo !== undefined && { accountInfo }),
    ...(terms.userAgent !== undefined && { device: { userAgent: terms.userAgent } }),
  };
}

function historyShown({ createdAt, name, initiatedBy, instrument, number, amount, isPrefilled }: HistoryEntry) {
  return {
    created: createdAt,
    name,
    initiatedBy,
    ...(instrument !== null && { instrument }),
    ...(number !== null && { number }),
    ...(amount !== null && { amount }),
    ...(isPrefilled !== null && { prefill: isPrefilled }),
  };
}

function abortedMembers({ order, now }: OrderView) {
  if (order.abortReason !== null) return { abortReason: order.abortReason };
  return order.status === 'Initialized' && order.expiresAt <= now ? { abortReason: 'Expired' } : {};
}

/** What moved or holds money of an order, oldest first. */
export function financialOf({ transactions }: OrderView): readonly SplitTransaction[] {
  return transactions.filter(({ state, type }) => state === 'Completed' && type !== 'Verification');
}

/** One of them, whole. */
export function financialShown(transaction: SplitTransaction, { order, legs }: OrderView) {
  const { transactionId, type, number, amount, vatAmount, description, payeeReference, receiptReference } = transaction;
  const id = `${partPath('financialTransactions', order)}/${transactionId}`;
  return {
    id,
    created: transaction.createdAt,
    updated: transaction.updatedAt,
    type,
    number,
    amount,
    vatAmount,
    description: description ?? order.terms.description,
    ...(payeeReference !== null && { payeeReference }),
    ...(receiptReference !== null && { receiptReference }),
    orderItems: { id: `${id}/orderitems` },
    parts: transaction.parts.map((part) => ({
      legId: part.legId,
      instrument: instrumentOfLeg(legs.find(({ legId }) => legId === part.legId)),
      amount: part.amount,
    })),
  };
}

function isPurchase(type: SplitTransaction['type']): boolean {
  return type === 'Authorization' || type === 'Sale' || type === 'Verification';
}

function isFailedTry({ type, state }: AskedTransaction): boolean {
  return (type === 'Authorization' || type === 'Verification') && state === 'Failed';
}

function attemptShown({ createdAt, number, problem }: AskedTransaction, baseUrl: string) {
  return {
    created: createdAt,
    instrument: 'CreditCard',
    number,
    status: problem === '3dsecureusercancelled' ? 'Aborted' : 'Failed',
    ...(problem !== null && { problem: problemShown(problem, baseUrl) }),
  };
}

function postPurchaseShown({ createdAt, type, number, problem }: SplitTransaction, baseUrl: string) {
  return {
    created: createdAt,
    status: 'Failed',
    type,
    number,
    ...(problem !== null && { problem: problemShown(problem, baseUrl) }),
  };
}

function paymentListed({ paymentId, kind, addedAt, ...leg }: LegWithAmounts) {
  if (paymentId === null) return [];
  const id = kind === 'Card' ? paymentPath({ paymentId }) : giftCardPath({ paymentId });
  return [{ id, instrument: instrumentOfLeg({ ...leg, kind }), created: addedAt }];
}
