import type { Transact } from '../db/transaction.types.ts';
import { EXPIRED_CARD_PAYMENTS_INTERVAL_MS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import { expireCardPayment, findExpired } from './abort-payment.ts';
import type { CardPaymentsWorld } from './payments.types.ts';
import { releaseCards } from './release-cards.ts';

/** What the job needs. */
export interface PaymentExpiryWorld {
  readonly transact: Transact;
  readonly world: CardPaymentsWorld;
  /** Logs a failure that nobody waits for. */
  readonly failed: (what: string, error: unknown) => void;
}

/**
 * Starts ending card payments that nobody has paid in their time. Until then they show as ended too, and cannot be paid:
 * the job stores it, and tells of it.
 *
 * @returns stops it, and waits for the round under way
 */
export function startExpiringPayments(
  { transact, world, failed }: PaymentExpiryWorld,
  intervalMs = EXPIRED_CARD_PAYMENTS_INTERVAL_MS,
): () => Promise<void> {
  async function expire(): Promise<void> {
    try {
      for (const key of await findExpired(world)) {
        const leftOver = await expireCardPayment(world, key);
        await transact((transaction) =>
          releaseCards(transaction, key.payeeId, { candidates: leftOver, tried: undefined }),
        );
      }
    } catch (error) {
      failed('Card payments whose time is over could not be ended; it is tried again.', error);
    }
  }

  return startRounds(intervalMs, expire);
}
