import { besideAnother } from '../reading/beside.ts';

/** How what waits travels in groups. */
export interface Groups {
  /** Groups that are under way at once, at most. */
  readonly inFlight: number;
  /** How many a group may hold. */
  readonly size: number;
  /** How many wait. */
  readonly length: () => number;
  /** Takes a group of what waits and deals with it; it does not reject. */
  readonly send: () => Promise<void>;
}

/**
 * Sends what gathers: what comes alone goes once the event loop has gone round, and what comes while a group is under way goes
 * when that has ended, or beside it where it is much or has waited for long.
 *
 * @returns to be called whenever something begins to wait
 */
export function inGroups({ inFlight, size, length, send }: Groups): () => void {
  let underWay = 0;
  let isScheduled = false;
  /** When the latest group began: what waits has come since. */
  let latestAt = 0;
  const mayBegin = besideAnother(size, schedule);

  function schedule(): void {
    if (isScheduled || length() === 0 || underWay === inFlight) return;
    if (underWay > 0 && !mayBegin(length(), () => performance.now() - latestAt)) return;
    isScheduled = true;
    // After all sockets that are ready have been read; a microtask would come after the first of them.
    setImmediate(go);
  }

  function go(): void {
    isScheduled = false;
    underWay++;
    latestAt = performance.now();
    void send().then(() => {
      underWay--;
      schedule();
    });
    schedule();
  }

  return schedule;
}
