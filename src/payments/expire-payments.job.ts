import { EXPIRED_CARD_PAYMENTS_INTERVAL_MS } from '../kit/cards/card-payment-limits.ts';
import type { Background, WorkOn } from '../kit/work/background.ts';
import { expireCardPayment } from './changes/abort-payment.flow.ts';
import { findExpired } from './find-payment.ts';
import type { PaymentFlows } from './payments.types.ts';

/** What the job needs. */
export interface PaymentExpiryContext extends PaymentFlows {
  readonly background: Background;
  readonly workOn: WorkOn;
}

/**
 * Starts ending card payments that were not paid in time. Until then they show as ended too, and cannot be paid:
 * the job stores it, and tells of it.
 *
 * @returns stops it, and waits for the round under way
 */
export function startExpiringPayments(
  { transact, context, background, workOn }: PaymentExpiryContext,
  intervalMs = EXPIRED_CARD_PAYMENTS_INTERVAL_MS,
): () => Promise<void> {
  return background.repeat('end-card-payments', intervalMs, async () => {
    const expired = (await findExpired(context)).map((key) => ({ ...key, rowId: key.paymentId }));
    await workOn('end-card-payments', expired, async (keys) => {
      for (const key of keys) await expireCardPayment({ transact, context }, key);
    });
  });
}
