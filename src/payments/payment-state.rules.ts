import { amountMinor, ZERO_MINOR } from '../kit/money.ts';
import type { CardPayment, CardTransaction, FollowUpType, Possible, Remaining, ShownState } from './payments.types.ts';

/** What can still be captured, cancelled and reversed. What waits for the issuer's word is neither taken nor left. */
export function remainingOf(payment: CardPayment): Remaining {
  const { amount, captured, cancelled, reversed, reservedHold, reservedReversal } = payment;
  const hold = amount - captured - cancelled - reservedHold;
  return { capture: hold, cancellation: hold, reversal: captured - reversed - reservedReversal };
}

/** The state that is shown: `Pending` while the outcome of something is unknown. */
export function shownState(payment: CardPayment, now: string): ShownState {
  if (payment.unsettled > 0) return 'Pending';
  return isExpired(payment, now) ? 'Aborted' : payment.state;
}

/** Whether nobody has paid in time. The job stores it a moment later. */
export function isExpired({ state, paidBy, expiresAt, unsettled }: CardPayment, now: string): boolean {
  return state === 'Ready' && paidBy === null && unsettled === 0 && expiresAt <= now;
}

/** Why an expired payment counts as aborted. */
export const EXPIRED = 'Expired';

/** What can be done with a payment now, in the order in which it is listed. */
export function possibleWith(payment: CardPayment, now: string): readonly Possible[] {
  if (payment.paidBy !== null) return possibleWithPaid(payment);
  const state = shownState(payment, now);
  if (state === 'Aborted') return ['show-aborted'];
  if (state === 'Failed') return ['show-failed'];
  if (state === 'Pending' || isPaidByToken(payment)) return [];
  return ['abort', payment.operation === 'Verify' ? 'verify' : 'authorize'];
}

function possibleWithPaid(payment: CardPayment): Possible[] {
  const { capture, reversal } = remainingOf(payment);
  return [
    ...(capture > 0 ? (['capture', 'cancel'] as const) : []),
    ...(reversal > 0 ? (['reverse'] as const) : []),
    'show-paid',
  ];
}

/** Whether a payment is tried at once, by a token, and never again. */
export function isPaidByToken({ operation }: Pick<CardPayment, 'operation'>): boolean {
  return operation === 'Recur' || operation === 'UnscheduledPurchase';
}

/** What a capture, cancellation or reversal takes. */
type Step = Pick<CardTransaction, 'type' | 'amount'>;

/** Keeps what a step takes apart while its issuer is being asked. */
export function reserve(payment: CardPayment, step: Step): CardPayment {
  return changeReserved(payment, step, 1);
}

/** Puts back what was kept apart: the issuer declined, or nobody knows what it said. */
export function giveBack(payment: CardPayment, step: Step): CardPayment {
  return changeReserved(payment, step, -1);
}

/** A payment after a step for which the issuer was asked, and agreed. */
export function carryOut(payment: CardPayment, step: Step): CardPayment {
  const free = giveBack(payment, step);
  const member = COUNTERS[step.type as FollowUpType];
  return { ...free, [member]: amountMinor(free[member] + step.amount) };
}

const COUNTERS = { Capture: 'captured', Cancellation: 'cancelled', Reversal: 'reversed' } as const;

function changeReserved(payment: CardPayment, { type, amount }: Step, sign: 1 | -1): CardPayment {
  if (type === 'Reversal') {
    return { ...payment, reservedReversal: amountMinor(payment.reservedReversal + sign * amount) };
  }
  return { ...payment, reservedHold: amountMinor(payment.reservedHold + sign * amount) };
}

/** The amounts of a payment that nobody has paid. */
export const UNPAID = {
  amount: ZERO_MINOR,
  captured: ZERO_MINOR,
  cancelled: ZERO_MINOR,
  reversed: ZERO_MINOR,
  reservedHold: ZERO_MINOR,
  reservedReversal: ZERO_MINOR,
  paidBy: null,
  failedTries: 0,
  unsettled: 0,
  abortReason: null,
} as const;
