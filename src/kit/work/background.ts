import type { PayeeId } from '../ids.ts';

/**
 * How long background work rests at most after rounds that failed: an outage ends, and then the work should not wait
 * long.
 */
const BACKGROUND_PAUSE_MS = 10_000;

/** All work that is done beside requests. What is new gets its name here: a test throws into each. */
export const BACKGROUND_WORK = [
  'ask-directories',
  'close-settlements',
  'deliver-events',
  'disable-idle-users',
  'end-authentications',
  'end-card-history',
  'end-card-authorizations',
  'end-card-payments',
  'end-order-authorizations',
  'end-orders',
  'forget-calls',
  'forget-card-payers',
  'forget-circumstances',
  'forget-deliveries',
  'forget-givings',
  'forget-guesses',
  'forget-payers',
  'forget-portal-addresses',
  'forget-portal-sessions',
  'forget-rows-at-work',
  'forget-stale',
  'forget-unused-payers',
  'keep-acquirer-trace',
  'keep-calls',
  'load-card-prefixes',
  'load-key-ring',
  'note-refused-callers',
  'note-token-use',
  'recover-attempts',
  'release-gift-cards',
  'release-held-cards',
  'release-holds',
  'retire-keys',
  'seal-payers',
  'sequence-events',
  'share-browser-files',
  'sum-gift-cards',
  'sum-trial-balances',
  'sweep-sealed-cards',
  'tell-expiring',
  'tell-totals',
] as const;

/** Names a kind of background work, in the log and in metrics. */
export type BackgroundWork = (typeof BACKGROUND_WORK)[number];

/** Hears of an error of background work. */
export type ReportFailure = (work: BackgroundWork, error: unknown) => void;

/**
 * The one place that runs what no request waits for. An error there costs the piece of work its turn: it is reported,
 * which counts and logs it, and the work comes again after a pause. It never ends the process.
 */
export interface Background {
  /**
   * Does work again and again, one round at a time: a round that takes longer than the interval is not joined by another.
   * After rounds that failed, two, four, eight … intervals pass, or `BACKGROUND_PAUSE_MS`. The timer does not keep the
   * process alive.
   *
   * @param round is told by `isStopped` to end early
   * @returns stops the rounds, and waits for the one under way; it never rejects
   */
  repeat(
    work: BackgroundWork,
    intervalMs: number,
    round: (isStopped: () => boolean) => Promise<unknown>,
  ): () => Promise<void>;
  /** Does one piece of work. Never rejects; whether it was done. */
  attempt(work: BackgroundWork, piece: () => Promise<unknown>): Promise<boolean>;
}

/** The place for the background work of one process. */
export function createBackground(report: ReportFailure): Background {
  const attempt: Background['attempt'] = async (work, piece) => {
    try {
      await piece();
      return true;
    } catch (error) {
      reportSafely(report, work, error);
      return false;
    }
  };
  return {
    attempt,
    repeat: (work, intervalMs, round) => repeat(intervalMs, (isStopped) => attempt(work, () => round(isStopped))),
  };
}

function repeat(intervalMs: number, round: (isStopped: () => boolean) => Promise<boolean>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  let hasStopped = false;
  let failures = 0;
  let intervalsToPass = 0;
  const timer = setInterval(() => {
    if (underWay !== undefined || intervalsToPass-- > 0) return;
    underWay = round(() => hasStopped).then((isDone) => {
      failures = isDone ? 0 : failures + 1;
      intervalsToPass = Math.min(2 ** failures, Math.max(1, BACKGROUND_PAUSE_MS / intervalMs)) - 1;
      underWay = undefined;
    });
  }, intervalMs);
  timer.unref();
  return async () => {
    hasStopped = true;
    clearInterval(timer);
    await underWay;
  };
}

/** The code that writes an error down may fail over it too. */
function reportSafely(report: ReportFailure, work: BackgroundWork, error: unknown): void {
  try {
    report(work, error);
  } catch {
    // There is no one left to tell.
  }
}

/** A row that background work takes out of the database. */
export interface RowOfWork {
  readonly payeeId: PayeeId;
  /** What the work calls it: unique among the payee's rows of this work. */
  readonly rowId: string;
}

/**
 * Works at rows that it took out of the database, so that one that cannot be done keeps no other from its turn.
 * `doThem` is given several rows, and where it fails each one alone: it must not matter that a row comes twice.
 */
export type WorkOn = <Row extends RowOfWork>(
  work: BackgroundWork,
  rows: readonly Row[],
  doThem: (rows: readonly Row[]) => Promise<unknown>,
) => Promise<void>;

/** A row that background work does not take any more, until an operator puts it back. */
export interface RowSetAside extends RowOfWork {
  readonly work: BackgroundWork;
  /** Times that it was under way when its process ended. */
  readonly crashes: number;
  readonly failures: number;
  /** The name of its last error; null where none was caught. */
  readonly fault: string | null;
  /** When it was last taken. ISO 8601 in UTC. */
  readonly begunAt: string;
}

/** Ends several kinds of work together. */
export function stopAll(stops: readonly (() => Promise<void>)[]): () => Promise<void> {
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}
