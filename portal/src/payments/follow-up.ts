import type { AccountPayment, CardPaymentAnswer } from '../../../client/kontor.generated.ts';
import { follow } from '../api/call.ts';

/** A payment of either family as the public API tells it. */
export type PublicPayment = CardPaymentAnswer | AccountPayment;

export const isCardPayment = (payment: PublicPayment): payment is CardPaymentAnswer => 'payment' in payment;

interface Wanted {
  readonly payeeId: string;
  /** Absent where all that is left is meant. */
  readonly amountMinor: number | undefined;
  readonly description: string;
  readonly reference: string;
}

/** Captures, cancels or reverses: each family of payments has its own form for it. */
export function followUp(
  payment: PublicPayment,
  rel: 'create-capture' | 'create-cancellation' | 'create-reversal',
  { payeeId, amountMinor, description, reference }: Wanted,
): Promise<object> {
  const amount = amountMinor === undefined ? {} : { amount: amountMinor };
  const words = description.trim() === '' ? {} : { description: description.trim() };
  if (isCardPayment(payment)) {
    const transaction = { ...amount, ...words, payeeReference: reference };
    return follow(payment, rel, { payeeId, body: { transaction } });
  }
  const { paymentOrderRef } = payment;
  const body = { ...amount, ...words, paymentOrderRef, paymentTransactionRef: reference };
  return follow(payment, rel, { payeeId, body });
}

interface Outcome {
  readonly state?: string;
  readonly problem?: { readonly type?: string };
}

/**
 * Why the issuer declined a capture, cancellation or reversal, as the last part of its problem's type; undefined where it
 * did not. A decline is an answer like any other: of an account payment as it is, of a card payment below its own name.
 */
export function declineOf(answer: object): string | undefined {
  const nested = Object.values(answer).flatMap((member) => (member as { transaction?: Outcome })?.transaction ?? []);
  const failed = [answer as Outcome, ...nested].find(({ state }) => state === 'FAILED' || state === 'Failed');
  return failed && (failed.problem?.type?.split('/').at(-1) ?? 'carddeclined');
}
