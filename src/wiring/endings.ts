import { DRAIN_TIMEOUT_MS } from '../kit/limits.ts';

/**
 * How long an end after an error that no code has caught may last: the drain and what comes after it. Then the process
 * exits.
 */
const UNKNOWN_ERROR_END_MS = DRAIN_TIMEOUT_MS + 10_000;
/** How often a service that npm started looks whether its parent is still there. */
const PARENT_CHECK_MS = 250;

/** What is ended: the service, once it is up. */
export interface Ended {
  /** Lets what is under way finish, then closes everything. Safe to call more than once. */
  stop(): Promise<void>;
  /** Writes one line to the log about an error that no code has caught. */
  tellUnknown(error: unknown): void;
}

export interface EndingsOptions {
  /** Whether npm started this process (`npm start`, `npx kontor serve`). */
  readonly isFromNpm: boolean;
  /** Ends the process at once. */
  readonly exit: (status: number) => void;
}

/** Ends the service when it is told to, or when it cannot be trusted any more. */
export interface Endings {
  /** The service is up, and ends through this; at once where its end was wanted before. */
  endThrough(ended: Ended): Promise<void>;
}

/**
 * Begins to listen for what ends the service. From the very beginning of a start: a process that just ended would leave
 * the embedded database running.
 *
 * - SIGINT and SIGTERM, as often as they come. The process ends when nothing is left to do.
 * - Where npm started it: the end of its parent. npm puts a shell in between and passes signals to that alone, which ends
 *   of them and leaves the service behind.
 * - An error that no code has caught. What it left undone is not known, so nothing is safe any more: requests under way
 *   finish,
 *   and the supervisor of the process starts another one. Background work has its own place for errors
 *   (`kit/work/background.ts`), so this is a bug of ours.
 */
export function listenForEndings({ isFromNpm, exit }: EndingsOptions): Endings {
  let ended: Ended | undefined;
  let isWanted = false;
  let isUnknown = false;
  const end = async (): Promise<void> => {
    isWanted = true;
    if (ended === undefined) return;
    await ended.stop();
    if (isUnknown) exit(1);
  };
  const onUnknown = (error: unknown): void => {
    if (isUnknown) return;
    isUnknown = true;
    process.exitCode = 1;
    setTimeout(() => exit(1), UNKNOWN_ERROR_END_MS).unref();
    if (ended === undefined) process.stderr.write(`kontor: ${error instanceof Error ? error.stack : String(error)}\n`);
    else ended.tellUnknown(error);
    end().catch(() => exit(1));
  };
  process.on('uncaughtException', onUnknown);
  process.on('unhandledRejection', onUnknown);
  const onTold = (): void => {
    end().catch(onUnknown);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onTold);
  if (isFromNpm) onEndOfParent(onTold);
  return {
    endThrough: async (service) => {
      ended = service;
      if (isWanted) await end();
    },
  };
}

/** A process whose parent has ended gets another one. It is not told of that, so it has to look. */
function onEndOfParent(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, PARENT_CHECK_MS).unref();
}
