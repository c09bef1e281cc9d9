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

/** What one piece of work with many steps may wait, all together: after that it goes on. */
export interface Patience {
  /** Waits for a quiet moment; where the patience is used up, only for a turn of the event loop. */
  quiet(): Promise<void>;
  /** Waits until a step of this work is done, `mostMs` at most, so that the next one does not come on top of it. */
  done(step: Promise<unknown>, mostMs: number): Promise<void>;
}

/** The patience of `totalMs`. */
export function createPatience(quiet: Quiet, totalMs: number): Patience {
  let leftMs = totalMs;
  const spend = async (wait: (leftMs: number) => Promise<unknown>): Promise<void> => {
    const since = performance.now();
    await wait(leftMs);
    leftMs -= performance.now() - since;
  };
  return {
    quiet: () => (leftMs > 0 ? spend(quiet) : nextTurn()),
    done: async (step, mostMs) => {
      if (leftMs > 0) await spend((left) => Promise.race([step, pause(Math.min(left, mostMs))]));
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
