import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { IS_LONG_RUN } from '../long-run.ts';

/** What another user notices of an attack. */
interface Noticed {
  readonly asked: number;
  /** Milliseconds that 99 of 100 answers take at most. */
  readonly p99: number;
  readonly failures: readonly string[];
}

/** Milliseconds that others may wait for `/health/live` while the service is attacked. */
const OTHERS_MS = 100;

/**
 * Attacks a service while others use it, and holds it to what they may notice: no failed request, and in
 * `npm run test:faults`, where nothing else runs beside it, no long wait either.
 *
 * @param others addresses that they ask for, with the headers that they send
 */
export async function whileOthersAsk<Result>(
  others: readonly { readonly url: string; readonly headers?: Readonly<Record<string, string>> }[],
  attack: () => Promise<Result>,
): Promise<Result> {
  const bystanders = others.map(({ url, headers = {} }) => {
    const workerData = { url, headers, localAddress: '127.0.0.2', pauseMs: 5 };
    return new Worker(new URL('bystander.mjs', import.meta.url), { workerData });
  });
  try {
    await Promise.all(bystanders.map((one) => once(one, 'message')));
    const result = await attack();
    const noticed = await Promise.all(
      bystanders.map(async (one): Promise<Noticed> => {
        const told = once(one, 'message');
        one.postMessage('over');
        return (await told)[0];
      }),
    );
    for (const [index, { asked, p99, failures }] of noticed.entries()) {
      const what = `${others[index]?.url}, asked ${asked} times, p99 ${p99.toFixed(1)} ms`;
      expect(failures, what).toEqual([]);
      expect(asked, what).toBeGreaterThan(0);
      if (IS_LONG_RUN) expect(p99, what).toBeLessThan(OTHERS_MS);
    }
    return result;
  } finally {
    await Promise.all(bystanders.map((one) => one.terminate()));
  }
}

/** Opens sockets that send bytes at once and throw away what comes back. */
export async function openSockets(baseUrl: string, count: number, bytes = ''): Promise<Socket[]> {
  const { hostname, port } = new URL(baseUrl);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined).resume();
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      socket.write(bytes);
      return socket;
    }),
  );
}

/** Waits until the service has closed all of them, or it is not worth waiting any longer. */
export async function untilClosed(sockets: readonly Socket[], mostMs: number): Promise<void> {
  const late = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, mostMs);
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
  clearTimeout(late);
}
