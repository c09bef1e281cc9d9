import { carryOut, expire, NO_LEG, remainingOf, stateBy } from '../engine/leg.rules.ts';
import { LEG_STATES, type Leg, type LegStep, type Remaining } from '../engine/leg.types.ts';
import type { Account, MovementDraft, Payment, ReleasedHold, TransactionId } from '../ledger/ledger.types.ts';
import { post } from '../ledger/postings.rules.ts';

/** An account payment as a leg: nothing is approved of one that failed, or whose issuer has not answered yet. */
export function legOf(payment: Payment): Leg {
  return payment.state === 'CALLING' || payment.state === 'FAILED' ? NO_LEG : payment;
}

/** What can still be captured, cancelled and given back of a payment. */
export function whatRemains(payment: Payment): Remaining {
  return remainingOf(legOf(payment));
}

/** A payment that an issuer approved, after a change of its leg: `REVERSED` once all that was taken was given back. */
export function withState(payment: Payment): Payment {
  return { ...payment, state: stateBy(LEG_STATES, payment) === 'Reversed' ? 'REVERSED' : 'OK' };
}

/** A payment after a capture, cancel or reversal. */
export function afterStep(payment: Payment, step: LegStep): Payment {
  return withState(carryOut(payment, step));
}

/** A payment after its hold has expired, and what that released. */
export function releaseHold(payment: Payment): ReleasedHold {
  return { payment: withState(expire(payment)), amount: whatRemains(payment).cancel };
}

/** What of a hold whose time is over counts as released, also where no batch and no job has come by yet. */
export function asOfNow(payment: Payment, now: string): Payment {
  return payment.holdExpiresAt !== null && payment.holdExpiresAt <= now ? releaseHold(payment).payment : payment;
}

/** Where a step is booked. */
export interface StepGround {
  readonly account: Account;
  readonly payment: Payment;
  readonly transactionId: TransactionId;
}

/** The money that a step moves. */
export function movementsOf({ operation, amount, released }: LegStep, ground: StepGround): MovementDraft[] {
  return [...post({ ...ground, kind: operation, amount }), ...post({ ...ground, kind: 'Cancel', amount: released })];
}
