import type { Transact } from '../db/transaction.types.ts';
import { DUE_ATTEMPTS_INTERVAL_MS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import type { Asker, AttemptSettler, AttemptSubject, DueAttempt } from './issuers.types.ts';
import { reverseAtHost } from './reverse-at-host.ts';
import { takeDue } from './take-due-attempts.ts';

/** What the job needs. */
export interface RecoveryWorld {
  readonly transact: Transact;
  readonly asker: Asker;
  /** Who settles what an attempt is about. */
  readonly settlers: Readonly<Record<AttemptSubject, AttemptSettler>>;
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
  { transact, asker, settlers, failed }: RecoveryWorld,
  intervalMs = DUE_ATTEMPTS_INTERVAL_MS,
): () => Promise<void> {
  async function recover(): Promise<void> {
    try {
      const attempts = await transact(takeDue);
      await Promise.all(attempts.map((attempt) => recoverOne(attempt)));
    } catch (error) {
      failed('Attempts at issuers could not be looked after.', error);
    }
  }

  async function recoverOne(attempt: DueAttempt): Promise<void> {
    const { giveUp, noteTakenBack } = settlers[attempt.subject];
    try {
      if (attempt.state === 'CALLING') return await giveUp(attempt);
      await reverseAtHost(asker, attempt);
      await noteTakenBack(attempt);
    } catch (error) {
      failed('An attempt at an issuer could not be taken back; it is tried again.', error);
    }
  }

  return startRounds(intervalMs, recover);
}
