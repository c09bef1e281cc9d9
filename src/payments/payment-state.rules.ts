import { NO_LEG, remainingOf, stateBy, unlessOver } from '../engine/leg.rules.ts';
import type { Remaining } from '../engine/leg.types.ts';
import {
  type AskedTransaction,
  CARD_STATES,
  type CardPayment,
  type CardTransaction,
  type Possible,
  type ShownState,
} from './payments.types.ts';

/** What the API shows: `Pending` while the outcome of something is unknown; paid or not, it is `Ready` else. */
export function shownState(payment: CardPayment, now: string): ShownState {
  const state = stateBy(CARD_STATES, { ...payment, now });
  return state === 'Pending' || state === 'Aborted' || state === 'Failed' ? state : 'Ready';
}

/** Whether the payment was not paid in time. The job stores it a moment later. */
export function isExpired(payment: CardPayment, now: string): boolean {
  return payment.state === 'Ready' && shownState(payment, now) === 'Aborted';
}

/** Whether an acquirer's authorization is over. The job that ends it comes a moment later. */
export function isAuthorizationOver({ authorizedUntil }: Pick<CardPayment, 'authorizedUntil'>, now: string): boolean {
  return authorizedUntil !== null && authorizedUntil <= now;
}

/** What is left of a payment now: nothing can be captured once its authorization is over. */
export function remainingAt(payment: CardPayment, now: string): Remaining {
  return unlessOver(remainingOf(payment), isAuthorizationOver(payment, now));
}

/** Why an expired payment counts as aborted. */
export const EXPIRED = 'Expired';

/** What can be done with a payment now, in the order in which it is listed. */
export function possibleWith(payment: CardPayment, now: string): readonly Possible[] {
  if (payment.paidBy !== null) return possibleWithPaid(payment, now);
  const state = shownState(payment, now);
  if (state === 'Aborted') return ['show-aborted'];
  if (state === 'Failed') return ['show-failed'];
  if (state === 'Pending' || isPaidByToken(payment)) return [];
  return ['abort', payment.operation === 'Verify' ? 'verify' : 'authorize'];
}

function possibleWithPaid(payment: CardPayment, now: string): Possible[] {
  const { capture, cancel, reversal } = remainingAt(payment, now);
  return [
    ...(capture > 0 ? (['capture'] as const) : []),
    ...(cancel > 0 ? (['cancel'] as const) : []),
    ...(reversal > 0 ? (['reverse'] as const) : []),
    'show-paid',
  ];
}

/** The transaction that has paid a payment; undefined where none has. */
export function approvedOf<Transaction extends Pick<CardTransaction, 'transactionId'>>({
  payment,
  transactions,
}: {
  readonly payment: Pick<CardPayment, 'paidBy'>;
  readonly transactions: readonly Transaction[];
}): Transaction | undefined {
  return transactions.find(({ transactionId }) => transactionId === payment.paidBy);
}

/** Whether it is a capture that no line to its acquirer took: no request waits for its answer. */
export function isKept({ state, exchange }: Pick<AskedTransaction, 'state' | 'exchange'>): boolean {
  return state === 'Initialized' && exchange?.captureNumber != null;
}

/** Whether a payment is tried at once, by a token, and never again. */
export function isPaidByToken({ operation }: Pick<CardPayment, 'operation'>): boolean {
  return operation === 'Recur' || operation === 'UnscheduledPurchase';
}

/** The amounts of a payment that has not been paid. */
export const UNPAID = {
  ...NO_LEG,
  paidBy: null,
  failedTries: 0,
  leaves: 0,
  unsettled: 0,
  abortReason: null,
  authorizedUntil: null,
} as const;
