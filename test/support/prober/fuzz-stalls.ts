import type { FuzzClient } from './fuzz-client.ts';
import type { FuzzRequest } from './fuzz-requests.ts';
import type { FuzzSite } from './fuzz-site.ts';
import { openWire } from './sockets.ts';

/** Looks by a connection of its own how long others wait for the event loop. */
export interface StallWatch {
  /** Requests that were under way while a request waited longest since this was asked last, if that was long. */
  takeSuspects(): readonly FuzzRequest[];
  stop(): Promise<void>;
}

/** Milliseconds that a look at `/health/live` may take: it touches nothing. Slower ones are looked into. */
const SUSPICIOUS_MS = 80;
/** Milliseconds that it takes each time when a request that stalls is sent alone, and as a multiple of what it takes else. */
const STALLED_MS = 60;
const STALLED_TIMES = 10;
/** How many times as long as without the request others wait, looked at for as long. */
const WITHOUT_TIMES = 2;
const TRIES = 4;

const LIVE = (host: string) => Buffer.from(`GET /health/live HTTP/1.1\r\nhost: ${host}\r\n\r\n`);

async function waitOnce(wire: ReturnType<typeof openWire>, host: string): Promise<number> {
  const startedAt = performance.now();
  await wire.exchange(LIVE(host));
  return performance.now() - startedAt;
}

export function watchStalls(
  { baseUrl, ended }: Pick<FuzzSite, 'baseUrl' | 'ended'>,
  { flying }: FuzzClient,
): StallWatch {
  const wire = openWire(baseUrl);
  const { host } = new URL(baseUrl);
  let suspects: readonly FuzzRequest[] = [];
  let longest = SUSPICIOUS_MS;
  let isStopped = false;
  const watch = async (): Promise<void> => {
    while (!isStopped && ended() === undefined) {
      const before = [...flying];
      const waited = await waitOnce(wire, host).catch(() => 0);
      if (waited > longest) [longest, suspects] = [waited, [...new Set([...before, ...flying])]];
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const watching = watch();
  return {
    takeSuspects: () => {
      const taken = suspects;
      [longest, suspects] = [SUSPICIOUS_MS, []];
      return taken;
    },
    stop: async () => {
      isStopped = true;
      await watching;
      wire.close();
    },
  };
}

/**
 * Sends a request alone, a few times, and looks how long others wait meanwhile. The shortest of these waits is what the
 * request causes: what else the machine does is not there each time. Where the machine is busy, the longest wait grows with
 * the time of looking alone: so others are looked at as long without the request.
 *
 * @returns milliseconds that others waited each time, where that is too long; else undefined
 */
export async function stallOf(
  { site: { baseUrl }, client }: { readonly site: Pick<FuzzSite, 'baseUrl'>; readonly client: FuzzClient },
  request: FuzzRequest,
): Promise<number | undefined> {
  const wire = openWire(baseUrl);
  const { host } = new URL(baseUrl);
  const longestUntil = async (isOver: () => boolean): Promise<number> => {
    let longest = 0;
    do longest = Math.max(longest, await waitOnce(wire, host));
    while (!isOver());
    return longest;
  };
  try {
    let [least, idle] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let time = 0; time < TRIES; time++) {
      idle = Math.min(idle, await waitOnce(wire, host));
      const startedAt = performance.now();
      let isOver = false;
      const sending = client.send(request).finally(() => {
        isOver = true;
      });
      const longest = await longestUntil(() => isOver);
      await sending;
      least = Math.min(least, longest);
      if (least < STALLED_MS || least < idle * STALLED_TIMES) return undefined;
      const endedAt = performance.now();
      const without = await longestUntil(() => performance.now() - endedAt >= endedAt - startedAt);
      if (longest < without * WITHOUT_TIMES) return undefined;
    }
    return Math.round(least);
  } finally {
    wire.close();
  }
}
