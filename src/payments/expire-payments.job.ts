import { EXPIRED_CARD_PAYMENTS, EXPIRED_CARD_PAYMENTS_INTERVAL_MS } from '../kit/cards/card-payment-limits.ts';
import { type Background, stopAll, type WorkOn } from '../kit/work/background.ts';
import { fewAtOnce, workOff } from '../kit/work/work-off.ts';
import { expireCardPayment } from './changes/abort-payment.flow.ts';
import { endCardAuthorization } from './changes/end-authorization.flow.ts';
import { findDue } from './find-payment.ts';
import type { CardPaymentJob, CardPaymentKey } from './payments.types.ts';
import type { PaymentFlows } from './payments-context.types.ts';

/** Payments that one instance ends at once. */
const AT_ONCE = 8;

/** What the jobs need. */
export interface PaymentExpiryContext extends PaymentFlows {
  readonly background: Background;
  readonly workOn: WorkOn;
}

const JOBS: Readonly<Record<CardPaymentJob, (flows: PaymentFlows, payment: CardPaymentKey) => Promise<void>>> = {
  'end-card-payments': expireCardPayment,
  'end-card-authorizations': endCardAuthorization,
};

/**
 * Starts ending card payments that were not paid in time, and authorizations whose time is over. Until then they show as ended
 * too, and cannot be paid or captured: the job stores it, and tells of it.
 *
 * @returns stops it, and waits for the round under way
 */
export function startExpiringPayments(
  { background, workOn, ...flows }: PaymentExpiryContext,
  intervalMs = EXPIRED_CARD_PAYMENTS_INTERVAL_MS,
): () => Promise<void> {
  const stops = Object.entries(JOBS).map(([name, end]) => {
    const job = name as CardPaymentJob;
    const endThem = (keys: readonly CardPaymentKey[]) => fewAtOnce(keys, AT_ONCE, (key) => end(flows, key));
    return background.repeat(job, intervalMs, (isStopped) =>
      workOff(isStopped, {
        find: async () => (await findDue(flows.context, job)).map((key) => ({ ...key, rowId: key.paymentId })),
        most: EXPIRED_CARD_PAYMENTS,
        doThem: (due) => workOn(job, due, endThem),
      }),
    );
  });
  return stopAll(stops);
}
