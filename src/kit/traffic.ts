/** The requests that this process is answering, and the moments in which there are none. */
export interface Traffic {
  /** A request begins. */
  enter(): void;
  /** A request that began is over, however. */
  leave(): void;
  /**
   * Waits for a moment without requests, `patienceMs` at most; at least until whatever the event loop has ready has had its
   * turn. Of those who wait for the same moment one goes on at a time.
   */
  quiet(patienceMs: number): Promise<void>;
}

/** What jobs know of the requests. */
export type Quiet = Traffic['quiet'];

/** The traffic of one process. */
export function createTraffic(): Traffic {
  let underWay = 0;
  const waiting = new Set<() => void>();
  const letOneThrough = (): void => {
    const [first] = waiting;
    if (underWay > 0 || first === undefined) return;
    first();
    if (waiting.size > 0) setImmediate(letOneThrough);
  };
  return {
    enter: () => {
      underWay++;
    },
    leave: () => {
      underWay--;
      if (underWay === 0 && waiting.size > 0) setImmediate(letOneThrough);
    },
    quiet: (patienceMs) =>
      new Promise((resolve) => {
        const goOn = (): void => {
          clearTimeout(patience);
          waiting.delete(goOn);
          resolve();
        };
        const patience = setTimeout(goOn, patienceMs);
        waiting.add(goOn);
        setImmediate(letOneThrough);
      }),
  };
}

/** Waits for quiet moments again and again, `totalMs` in all; when they are used up, only for a turn of the event loop. */
export function quietWithin(quiet: Quiet, totalMs: number): () => Promise<void> {
  let leftMs = totalMs;
  return async () => {
    if (leftMs <= 0) return nextTurn();
    const since = performance.now();
    await quiet(leftMs);
    leftMs -= performance.now() - since;
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
