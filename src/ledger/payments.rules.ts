import { Refusal } from '../kit/errors.ts';
import { type AmountMinor, amountMinor, ZERO_MINOR } from '../kit/money.ts';
import type { Payment, PaymentState } from './ledger.types.ts';

/**
 * The number that a command asked for.
 *
 * @throws Refusal `unavailable` where the payee's numbers are used up: nothing can be done about that from outside
 */
export function requireNumber(number: number | undefined): number {
  if (number === undefined) throw new Refusal('unavailable', 'The numbers of payments are used up for this payee.');
  return number;
}

/** What can still be done with a payment, in minor units. */
export interface Remaining {
  readonly capture: AmountMinor;
  readonly cancel: AmountMinor;
  readonly reversal: AmountMinor;
}

/**
 * What is left to capture and to cancel is the same, and nothing is left of what failed. What an issuer has been asked
 * for without an answer is not left: nobody else may ask for it.
 */
export function remainingOf(payment: Payment): Remaining {
  if (payment.state !== 'OK') return { capture: ZERO_MINOR, cancel: ZERO_MINOR, reversal: ZERO_MINOR };
  const { amount, captured, cancelled, reversed, reservedHold, reservedReversal } = payment;
  const open = amountMinor(amount - captured - cancelled - reservedHold);
  return { capture: open, cancel: open, reversal: amountMinor(captured - reversed - reservedReversal) };
}

/** The state of a payment that was carried out: `REVERSED` once nothing is left and all that was taken was given back. */
export function settledState(payment: Pick<Payment, 'amount' | 'captured' | 'cancelled' | 'reversed'>): PaymentState {
  const { amount, captured, cancelled, reversed } = payment;
  return captured > 0 && captured + cancelled === amount && reversed === captured ? 'REVERSED' : 'OK';
}

/** A payment after all that is left of its hold was released, and its time is over. */
export function releaseHold(payment: Payment): Payment {
  const cancelled = amountMinor(payment.cancelled + remainingOf(payment).cancel);
  const released = { ...payment, cancelled, holdExpiresAt: null };
  return { ...released, state: settledState(released) };
}
