import { carryOut, expire, NO_LEG, remainingOf, stateBy } from '../engine/leg.rules.ts';
import { LEG_STATES, type Leg, type LegStep, type Remaining } from '../engine/leg.types.ts';
import { offers } from '../issuers/issuers.rules.ts';
import type { Issuer } from '../issuers/issuers.types.ts';
import type { Account, Effect, MovementDraft, TransactionId, TransactionOperation } from '../ledger/ledger.types.ts';
import { post } from '../ledger/postings.rules.ts';
import type { Payment } from './account-payments.types.ts';
import { changePayment } from './payment-change.rules.ts';

/** An account payment as a leg: nothing is approved of one that failed, or whose issuer has not answered yet. */
export function legOf(payment: Leg & Pick<Payment, 'state'>): Leg {
  return payment.state === 'CALLING' || payment.state === 'FAILED' ? NO_LEG : payment;
}

/** What can still be captured, cancelled and given back of a payment. */
export function whatRemains(payment: Payment): Remaining {
  return remainingOf(legOf(payment));
}

/** What can be done with a payment now: something is left for it, and its issuer offers it. */
export function stepsFor(payment: Payment, issuer: Issuer): readonly TransactionOperation[] {
  const { capture, cancel, reversal } = whatRemains(payment);
  const left = { Capture: capture, Cancel: cancel, Reversal: reversal };
  return (['Capture', 'Cancel', 'Reversal'] as const).filter((step) => left[step] > 0 && offers(issuer, step));
}

/** A payment that an issuer approved, after a change of its leg: `REVERSED` once all that was taken was given back. */
export function withState(payment: Payment): Payment {
  return { ...payment, state: stateBy(LEG_STATES, payment) === 'Reversed' ? 'REVERSED' : 'OK' };
}

/** A payment after a capture, cancel or reversal. */
export function afterStep(payment: Payment, step: LegStep): Payment {
  return withState(carryOut(payment, step));
}

/** A payment after its hold has expired. */
export function releaseHold(payment: Payment): Payment {
  return withState(expire(payment));
}

/** What ends a hold whose time is over. */
export function endHold(
  before: Payment,
  { account, now }: { readonly account: Account; readonly now: string },
): Effect {
  const amount = whatRemains(before).cancel;
  const { effect, object } = changePayment(now, {
    before,
    payment: releaseHold(before),
    account,
    released: amount,
    // Nothing is released where an issuer is being asked for all of it: its answer tells what becomes of that.
    ...(amount > 0 && { event: 'payment.expired' }),
  });
  const movements = post({ kind: 'Expire', account, payment: before, amount });
  return { object, movements, action: 'expire-hold', ...effect };
}

/** What of a hold whose time is over counts as released, also where no batch and no job has come by yet. */
export function asOfNow(payment: Payment, now: string): Payment {
  const isOver = payment.holdExpiresAt !== null && payment.holdExpiresAt <= now;
  return isOver && payment.orderId === null ? releaseHold(payment) : payment;
}

/** Where a step is booked. */
export interface StepGround {
  readonly account: Account;
  readonly payment: Payment;
  readonly transactionId: TransactionId;
}

/** The money that a step moves. */
export function movementsOf({ operation, amount, released }: LegStep, loaded: StepGround): MovementDraft[] {
  return [...post({ kind: operation, amount, ...loaded }), ...post({ kind: 'Cancel', amount: released, ...loaded })];
}
