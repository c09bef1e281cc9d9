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
