import { type AddressInfo, connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/support/until.ts';
import type { EdgeState } from '../edge/edge.types.ts';
import { giveUpOverdue, overdueError } from './overdue.ts';

const LIMIT_MS = 100;
const CHANGE_LIMIT_MS = 400;

let app: FastifyInstance;
let baseUrl: string;
/** Requests that have begun and not ended. */
let underWay: number;
/** Ends what the route `/waits` waits for. */
let release: () => void;
let released: Promise<void>;

beforeEach(async () => {
  released = new Promise((resolve) => {
    release = resolve;
  });
  underWay = 0;
  const traffic = { enter: () => underWay++, leave: () => underWay-- };
  app = fastify();
  giveUpOverdue(app, {
    limitMs: LIMIT_MS,
    changeLimitMs: CHANGE_LIMIT_MS,
    error: () => new Error('took too long'),
    traffic,
  });
  app.get('/quick', () => ({ done: true }));
  app.get('/waits', async () => {
    await released;
    return { done: true };
  });
  app.post('/waits', async () => {
    await released;
    return { done: true };
  });
  app.get('/streams', async (_request, reply) => {
    reply.raw.writeHead(200).write('a part');
    await released;
    return reply;
  });
  baseUrl = await app.listen({ port: 0 });
});
afterEach(async () => {
  release();
  app.server.closeAllConnections();
  await app.close();
});

describe('a request that takes longer than it may', () => {
  test('is answered with the error, and what comes of it later is dropped', async () => {
    const answer = await fetch(`${baseUrl}/waits`);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ message: 'took too long' });
    release();
    expect(await (await fetch(`${baseUrl}/quick`)).json()).toEqual({ done: true });
  });

  test('has longer where it changes something, which an acquirer may have to answer', async () => {
    const begunAt = performance.now();
    const changing = fetch(`${baseUrl}/waits`, { method: 'POST' });
    expect((await fetch(`${baseUrl}/waits`)).status).toBe(500);
    expect((await changing).status).toBe(500);
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(CHANGE_LIMIT_MS);
  });

  test('is cut off where its answer has begun', async () => {
    const answer = await fetch(`${baseUrl}/streams`);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('is no longer under way, nor is one that was answered, or whose caller has gone', async () => {
    for (const path of ['/quick', '/waits']) await (await fetch(`${baseUrl}${path}`)).text();
    expect(underWay).toBe(0);
    for (const path of ['/waits', '/streams']) {
      const caller = new AbortController();
      const gone = fetch(`${baseUrl}${path}`, { signal: caller.signal }).then((answer) => answer.text());
      await until(() => underWay === 1);
      caller.abort();
      await expect(gone).rejects.toThrow();
      await until(() => underWay === 0);
    }
  });

  test('is no longer under way once it is answered and its caller has gone, though an earlier one of its connection is', async () => {
    const patient = fastify();
    const traffic = { enter: () => underWay++, leave: () => underWay-- };
    giveUpOverdue(patient, { limitMs: 5_000, error: () => new Error('took too long'), traffic });
    patient.get('/quick', () => ({ done: true }));
    patient.get('/waits', async () => {
      await released;
      return { done: true };
    });
    await patient.listen({ port: 0 });
    const { port } = patient.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1' });
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    socket.write(get('/waits') + get('/quick').repeat(20));
    await until(() => underWay === 21);
    socket.destroy();
    await until(() => underWay === 1);
    release();
    await patient.close();
  });

  test('does not hold up the others', async () => {
    const slow = fetch(`${baseUrl}/waits`);
    const quick = await Promise.all(Array.from({ length: 20 }, () => fetch(`${baseUrl}/quick`)));
    expect(quick.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await slow).status).toBe(500);
  });
});

test.each([
  ['before it was admitted', { isAdmitted: false }, 'unavailable'],
  ['after that', { isAdmitted: true }, 'systemerror'],
  ['where the edge has not seen it', null, 'systemerror'],
])('what an overdue request is answered with %s', (_when, edge, code) => {
  expect(overdueError({ edge: edge as EdgeState | null }).code).toBe(code);
});
