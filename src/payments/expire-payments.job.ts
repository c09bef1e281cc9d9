import type { Transact } from '../db/transaction.types.ts';
import type { Background, WorkOn } from '../kit/background.ts';
import { EXPIRED_CARD_PAYMENTS_INTERVAL_MS } from '../kit/card-payment-limits.ts';
import { expireCardPayment, findExpired } from './abort-payment.ts';
import type { CardPaymentKey, CardPaymentsWorld } from './payments.types.ts';
import { releaseCards } from './release-cards.ts';

/** What the job needs. */
export interface PaymentExpiryWorld {
  readonly transact: Transact;
  readonly world: CardPaymentsWorld;
  readonly background: Background;
  readonly workOn: WorkOn;
}

/**
 * Starts ending card payments that nobody has paid in their time. Until then they show as ended too, and cannot be paid:
 * the job stores it, and tells of it.
 *
 * @returns stops it, and waits for the round under way
 */
export function startExpiringPayments(
  { transact, world, background, workOn }: PaymentExpiryWorld,
  intervalMs = EXPIRED_CARD_PAYMENTS_INTERVAL_MS,
): () => Promise<void> {
  async function expire(key: CardPaymentKey): Promise<void> {
    const leftOver = await expireCardPayment(world, key);
    await transact((transaction) => releaseCards(transaction, key.payeeId, { candidates: leftOver, tried: undefined }));
  }

  return background.repeat('end-card-payments', intervalMs, async () => {
    const expired = (await findExpired(world)).map((key) => ({ ...key, rowId: key.paymentId }));
    await workOn('end-card-payments', expired, async (keys) => {
      for (const key of keys) await expire(key);
    });
  });
}
