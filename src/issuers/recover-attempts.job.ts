import type { JobContext } from '../db/job-context.types.ts';
import { UNACKNOWLEDGED_TRIES } from '../kit/limits.ts';
import { repeatInLanes } from '../kit/work/lanes.ts';
import { DUE_ATTEMPTS, noteVainTry, takeDue } from './attempts.ts';
import { forwardCancel, forwardCapture } from './forward-advice.flow.ts';
import type { Asker, AttemptSettler, AttemptSubject, DueAttempt } from './issuers.types.ts';
import { takeBack } from './recover-attempt.flow.ts';

/** Milliseconds between two rounds of the job. */
const DUE_ATTEMPTS_INTERVAL_MS = 1_000;

/** An acquirer does not acknowledge what it is told. */
class Unacknowledged extends Error {
  override readonly name = 'Unacknowledged';
}

/** What the job needs. */
export interface RecoveryContext extends JobContext {
  readonly asker: Asker;
  /** Who settles what an attempt is about. */
  readonly settlers: Readonly<Record<AttemptSubject, AttemptSettler>>;
}

/**
 * Starts looking after attempts at external issuers: every second, on every instance, and at each issuer for itself. One that
 * is not acknowledged comes again, later each time; one that the end of its process interrupted, as soon as that is known.
 *
 * @returns stops it, and waits for what is under way
 */
export function startRecoveringAttempts(
  { transact, asker, settlers, background, workOn }: RecoveryContext,
  intervalMs = DUE_ATTEMPTS_INTERVAL_MS,
): () => Promise<void> {
  async function recover(attempt: DueAttempt): Promise<void> {
    const { giveUp, settleForwarded, noteTakenBack } = settlers[attempt.subject];
    if (attempt.state === 'CALLING') return await giveUp(attempt);
    if (attempt.state === 'FORWARDING') {
      if (attempt.operation !== 'Capture') return await telling(attempt, forwardCancel({ transact, asker }, attempt));
      return await settleForwarded(attempt, await telling(attempt, forwardCapture({ transact, asker }, attempt)));
    }
    const isTakenBack = await telling(attempt, takeBack({ transact, asker }, attempt));
    if (isTakenBack) await noteTakenBack(attempt);
    else await transact((transaction) => noteVainTry(transaction, attempt));
  }
  async function recoverOrPostpone(attempt: DueAttempt): Promise<void> {
    try {
      await recover(attempt);
    } catch (error) {
      await transact((transaction) => noteVainTry(transaction, attempt));
      throw error;
    }
  }

  /** Issuers that this instance has no line to now. */
  const awayNow = () => asker.issuers.all.filter(({ host, isReady }) => host !== undefined && !isReady());

  return repeatInLanes(background, {
    work: 'recover-attempts',
    intervalMs,
    most: DUE_ATTEMPTS,
    take: (full) => transact((transaction) => takeDue(transaction, { but: full, away: awayNow() })),
    laneOf: ({ issuerId }) => issuerId,
    doThem: (due) =>
      workOn('recover-attempts', due, async (attempts) => {
        // One that fails gets a next time of its own; a host that does not answer sets nothing aside.
        const pieces = attempts.map((attempt) => () => recoverOrPostpone(attempt));
        await Promise.all(pieces.map((piece) => background.attempt('recover-attempts', piece)));
      }),
  });
}

/** Has the log name an attempt that was told often enough for an operator to look at it. */
async function telling<Result>({ attemptId, issuerId, tries }: DueAttempt, done: Promise<Result>): Promise<Result> {
  return done.catch((cause: unknown) => {
    const told = tries + 1;
    if (told <= UNACKNOWLEDGED_TRIES) throw cause;
    const what = `the acquirer ${issuerId} has not acknowledged the attempt ${attemptId} after ${told} tries`;
    throw new Unacknowledged(`${what}; kontor acquirers exchanges --open`, { cause });
  });
}
