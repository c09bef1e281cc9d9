/** How what waits travels in groups. */
export interface Groups {
  /** Groups that are under way at once. */
  readonly most: number;
  /** Whether anything waits. */
  readonly isWaiting: () => boolean;
  /** Takes a group of what waits and deals with it; it does not reject. */
  readonly send: () => Promise<void>;
}

/**
 * Sends what gathers: once the event loop has gone round, or as soon as a group that is under way has ended. There is no timer,
 * so what comes alone goes at once.
 *
 * @returns to be called whenever something begins to wait
 */
export function inGroups({ most, isWaiting, send }: Groups): () => void {
  let inFlight = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || !isWaiting() || inFlight === most) return;
    isScheduled = true;
    // After all sockets that are ready have been read; a microtask would come after the first of them.
    setImmediate(go);
  }

  function go(): void {
    isScheduled = false;
    inFlight++;
    void send().then(() => {
      inFlight--;
      schedule();
    });
    schedule();
  }

  return schedule;
}
