import type { Transact } from '../db/transaction.types.ts';
import { DUE_ATTEMPTS_INTERVAL_MS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import type { AccountsWorld } from './accounts.types.ts';
import { giveUpAttempt, noteReversal, reverseAtIssuer, takeDueAttempts } from './recover-attempts.ts';

/** What the job needs. */
export interface RecoveryWorld {
  readonly transact: Transact;
  readonly world: AccountsWorld;
  /** Logs a failure that nobody waits for. */
  readonly failed: (what: string, error: unknown) => void;
}

/**
 * Starts looking after attempts at external issuers: every second, on every instance. An attempt whose round fails comes
 * again, later each time.
 *
 * @returns stops it, and waits for the round under way
 */
export function startRecoveringAttempts(
  { transact, world, failed }: RecoveryWorld,
  intervalMs = DUE_ATTEMPTS_INTERVAL_MS,
): () => Promise<void> {
  async function recover(): Promise<void> {
    try {
      const attempts = await transact(takeDueAttempts);
      await Promise.all(attempts.map((attempt) => recoverOne(attempt)));
    } catch (error) {
      failed('Attempts at issuers could not be looked after.', error);
    }
  }

  async function recoverOne(attempt: Parameters<typeof giveUpAttempt>[1]): Promise<void> {
    try {
      if (attempt.state === 'CALLING') return await giveUpAttempt(world, attempt);
      await reverseAtIssuer(world, attempt);
      await transact((transaction) => noteReversal(transaction, attempt));
    } catch (error) {
      failed('An attempt at an issuer could not be taken back; it is tried again.', error);
    }
  }

  return startRounds(intervalMs, recover);
}
