import type { AmountMinor } from '../kit/money.ts';
import { amountMinor } from '../kit/money.ts';
import type { Account, MovementDraft, Payment, PaymentTransaction, TransactionId } from '../ledger/ledger.types.ts';
import { remainingOf, settledState } from '../ledger/payments.rules.ts';
import { post } from '../ledger/postings.rules.ts';

/** What a capture, cancel or reversal takes of what is left of its payment. `released` goes with a capture alone. */
export type Step = Pick<PaymentTransaction, 'operation' | 'amount' | 'released'>;

/** Keeps what a step takes apart while its issuer is being asked: until the answer it is neither taken nor left. */
export function reserve(payment: Payment, step: Step): Payment {
  return changeReserved(payment, step, 1);
}

/** Puts what was reserved for a step back to where it came from: the issuer declined, or did not answer. */
export function giveBack(payment: Payment, step: Step): Payment {
  const free = changeReserved(payment, step, -1);
  if (step.operation === 'Reversal' || payment.holdExpiresAt !== null) return free;
  // The hold has expired while the issuer was asked, so what comes back is released as the rest was. Nothing is posted:
  // the hold is the issuer's own.
  const cancelled = amountMinor(free.cancelled + remainingOf(free).cancel);
  return { ...free, cancelled, state: settledState({ ...free, cancelled }) };
}

/** A payment after a step for which the issuer was asked, and agreed. */
export function carryOutReserved(payment: Payment, step: Step): Payment {
  return carryOut(changeReserved(payment, step, -1), step);
}

/** A payment after a step. A hold ends when nothing of it is left and nothing of it is reserved. */
export function carryOut(payment: Payment, { operation, amount, released }: Step): Payment {
  const done = {
    ...payment,
    captured: amountMinor(payment.captured + (operation === 'Capture' ? amount : 0)),
    cancelled: amountMinor(payment.cancelled + (operation === 'Cancel' ? amount : released)),
    reversed: amountMinor(payment.reversed + (operation === 'Reversal' ? amount : 0)),
  };
  const isOver = done.captured + done.cancelled === done.amount;
  return { ...done, holdExpiresAt: isOver ? null : payment.holdExpiresAt, state: settledState(done) };
}

function changeReserved(payment: Payment, { operation, amount, released }: Step, sign: 1 | -1): Payment {
  if (operation === 'Reversal') {
    return { ...payment, reservedReversal: amountMinor(payment.reservedReversal + sign * amount) };
  }
  return { ...payment, reservedHold: amountMinor(payment.reservedHold + sign * (amount + released)) };
}

/** Where a step is booked. */
export interface StepGround {
  readonly account: Account;
  readonly payment: Payment;
  readonly transactionId: TransactionId;
}

/** The money that a step moves. */
export function movementsOf({ operation, amount, released }: Step, ground: StepGround): MovementDraft[] {
  const own = post({ ...ground, kind: operation, amount });
  return [...own, ...post({ ...ground, kind: 'Cancel', amount: released as AmountMinor })];
}
