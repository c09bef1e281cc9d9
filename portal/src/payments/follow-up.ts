import type { Payment } from '../api/types.ts';

interface Step {
  /** Absent where all that is left is meant. */
  readonly amountMinor: number | undefined;
  readonly description: string;
  readonly reference: string;
}

/** The body of a capture, cancellation or reversal: each family of payments has its own form. */
export function followUpBody(payment: Payment, { amountMinor, description, reference }: Step): object {
  const amount = amountMinor === undefined ? {} : { amount: amountMinor };
  const words = description.trim() === '' ? {} : { description: description.trim() };
  if (payment.family === 'card') {
    return { transaction: { ...amount, ...words, payeeReference: reference } };
  }
  return { ...amount, ...words, paymentOrderRef: payment.orderReference, paymentTransactionRef: reference };
}

interface Outcome {
  readonly state?: string;
  readonly problem?: { readonly type?: string };
}

/**
 * Why the issuer declined a capture, cancellation or reversal, as the last part of its problem's type; undefined where it
 * did not. A decline is an answer like any other: of an account payment as it is, of a card payment below its own name.
 */
export function declineOf(answer: Readonly<Record<string, unknown>>): string | undefined {
  const nested = Object.values(answer).flatMap((member) => (member as { transaction?: Outcome })?.transaction ?? []);
  const failed = [answer as Outcome, ...nested].find(({ state }) => state === 'FAILED' || state === 'Failed');
  return failed && (failed.problem?.type?.split('/').at(-1) ?? 'carddeclined');
}
