import { readFileSync } from 'node:fs';

/** Milliseconds in which a service that has not come up yet ends. */
const START_ENDS_MS = 35_000;
/** Milliseconds between two looks whether npm is still there. */
const PARENT_CHECK_MS = 250;

/** What is ended: the service, once it is up. */
export interface Ended {
  /** Lets what is under way finish, then closes everything. Safe to call more than once. */
  stop(): Promise<void>;
  /** How long that may last, in milliseconds. Then the process exits, whatever is left. */
  readonly endMs: number;
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
 * - SIGINT and SIGTERM, as often as they come. The process ends when the service has stopped, and at the latest when the
 *   time for an end is over: something that never finishes must not keep it.
 * - Where npm started it: the end of npm, or of the shell that it puts in between.
 * - An error that no code has caught. What it left undone is not known, so nothing is safe any more: requests under way
 *   finish,
 *   and the supervisor of the process starts another one. Background work has its own place for errors
 *   (`kit/work/background.ts`), so this is a bug of ours.
 */
export function listenForEndings({ isFromNpm, exit }: EndingsOptions): Endings {
  let ended: Ended | undefined;
  let isWanted = false;
  let isUnknown = false;
  let deadline: NodeJS.Timeout | undefined;
  const limitEnd = (): void => {
    if (deadline === undefined) deadline = setTimeout(() => exit(1), ended?.endMs ?? START_ENDS_MS).unref();
  };
  const end = async (): Promise<void> => {
    isWanted = true;
    if (ended === undefined) return;
    limitEnd();
    await ended.stop();
    // What is left, such as a reader of the log that stands still, must not keep the process.
    exit(isUnknown ? 1 : 0);
  };
  const onUnknown = (error: unknown): void => {
    if (isUnknown) return;
    isUnknown = true;
    process.exitCode = 1;
    limitEnd();
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
  if (isFromNpm) onEndOfNpm(onTold);
  return {
    endThrough: async (service) => {
      ended = service;
      if (isWanted) await end();
    },
  };
}

/**
 * Waits for the end of npm, which has started this process (`npm start`, `npx kontor …`). It puts a shell in between and
 * passes signals to that alone, which ends of them; where npm is killed the shell lives on. Either way what it runs would be
 * left behind and keep its port. A process that loses its parent gets another one and is not told, so this one has to look.
 * The look does not keep it alive. Where the system does not say who the shell's parent is, its own end alone counts.
 */
export function onEndOfNpm(then: () => void): void {
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    then();
  }, PARENT_CHECK_MS).unref();
}

/** The parent of this process, and where that is a shell, the shell's own. */
function ancestors(): string {
  return `${process.ppid} ${parentOfShell(process.ppid)}`;
}

/** `12 (sh) S 11 …`, as Linux tells of a process; the parent's number stands behind the state. */
const SHELL = /^[0-9]+ \([a-z]{0,3}sh\) [A-Za-z] ([0-9]+) /;

/** Empty where there is no such process, it is no shell, or the system does not tell. */
function parentOfShell(pid: number): string {
  try {
    return SHELL.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? '';
  } catch {
    return '';
  }
}
