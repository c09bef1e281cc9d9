import { EXPIRED_CARD_PAYMENTS, EXPIRED_CARD_PAYMENTS_INTERVAL_MS } from '../kit/cards/card-payment-limits.ts';
import type { Background, WorkOn } from '../kit/work/background.ts';
import { fewAtOnce, workOff } from '../kit/work/work-off.ts';
import { expireCardPayment } from './changes/abort-payment.flow.ts';
import { findExpired } from './find-payment.ts';
import type { CardPaymentKey, PaymentFlows } from './payments.types.ts';

/** Payments that one instance ends at once. */
const AT_ONCE = 8;

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
  const endThem = (keys: readonly CardPaymentKey[]) =>
    fewAtOnce(keys, AT_ONCE, (key) => expireCardPayment({ transact, context }, key));
  return background.repeat('end-card-payments', intervalMs, (isStopped) =>
    workOff(isStopped, {
      find: async () => (await findExpired(context)).map((key) => ({ ...key, rowId: key.paymentId })),
      most: EXPIRED_CARD_PAYMENTS,
      doThem: (due) => workOn('end-card-payments', due, endThem),
    }),
  );
}
