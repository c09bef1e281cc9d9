import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import type { PayeeId } from '../kit/ids.ts';
import { createTraffic, type Traffic } from '../kit/work/traffic.ts';
import { createDownloads } from './downloads.ts';
import { giveUpOverdue } from './listening/overdue.ts';

const PIECE = `${'a'.repeat(99)}\n`.repeat(1000);
let app: FastifyInstance;
let traffic: Traffic;
afterEach(() => app.close());

interface Table {
  readonly pieces?: number;
  readonly stallMs?: number;
  readonly limitMs?: number;
  readonly piece?: string;
}

/** A server whose paths name payees, and whose tables have so many pieces of 100 kB. How many were made is counted. */
async function listen({ pieces = 1000, stallMs = 60_000, limitMs = 60_000, piece = PIECE }: Table = {}) {
  app = fastify({ connectionTimeout: stallMs }) as unknown as FastifyInstance;
  traffic = createTraffic();
  giveUpOverdue(app, { limitMs, error: () => new Error('overdue'), traffic });
  const downloads = createDownloads(traffic.quiet);
  app.addHook('preClose', (done) => {
    downloads.closeAll();
    done();
  });
  const made = { pieces: 0, ended: 0, late: 0 };
  async function* table() {
    try {
      for (; made.pieces < pieces; made.pieces++) yield piece;
    } finally {
      made.ended++;
    }
  }
  app.setErrorHandler((error: Error & { status?: number; code: string }, _request, reply) =>
    reply.code(error.code === 'toomanyrequests' ? 429 : 404).send(),
  );
  app.get('/:payee', (received, reply) => {
    const { payee } = received.params as { payee: string };
    return downloads.send(reply, payee as PayeeId, async () => {
      if (payee === 'none') throw Object.assign(new Error('none'), { code: 'notfound' });
      return { fileName: 'table.csv', text: table() };
    });
  });
  app.get('/late/:payee', async (received, reply) => {
    received.raw.socket.destroy();
    await once(received.raw.socket, 'close');
    const { payee } = received.params as { payee: string };
    const sent = downloads.send(reply, payee as PayeeId, async () => ({ fileName: 'table.csv', text: '' }));
    await sent.finally(() => made.late++).catch(() => undefined);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  /** Asks, and reads nothing but the head of the answer. */
  const ask = (payee: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path: `/${payee}`, agent: false }, resolve);
      sent.on('error', reject);
      sent.end();
    });
  return { ask, made };
}

const statusOf = async (answer: Promise<IncomingMessage>) => {
  const { statusCode } = (await answer).destroy();
  return statusCode;
};
const closed = (answer: IncomingMessage) => new Promise<void>((resolve) => answer.once('close', resolve));

describe('downloads', () => {
  test('are two at a time for each payee, and a client that goes away gives its place back', async () => {
    const { ask } = await listen();
    const [one, two] = [await ask('a'), await ask('a')];
    expect([one.statusCode, two.statusCode]).toEqual([200, 200]);
    expect(await statusOf(ask('a'))).toBe(429);
    expect(await statusOf(ask('b'))).toBe(200);
    one.destroy();
    await expect.poll(() => statusOf(ask('a')), { timeout: 10_000 }).toBe(200);
    two.destroy();
  });

  test('give their place back where nothing comes of them', async () => {
    const { ask } = await listen();
    for (let times = 0; times < 5; times++) expect(await statusOf(ask('none'))).toBe(404);
  });

  test('have no place for a client that has gone away before', async () => {
    const { ask, made } = await listen();
    for (let times = 1; times <= 2; times++) {
      await expect(ask('late/a')).rejects.toThrow();
      await expect.poll(() => made.late).toBe(times);
    }
    expect(await statusOf(ask('a'))).toBe(200);
  });

  test('are cut off where the client stops reading, and what makes them ends', async () => {
    const { ask, made } = await listen({ stallMs: 200 });
    const answer = await ask('a');
    answer.on('error', () => undefined);
    await expect.poll(() => made.ended, { timeout: 10_000 }).toBe(1);
    expect(made.pieces).toBeLessThan(1000);
    answer.resume();
    await closed(answer);
    expect(answer.complete).toBe(false);
  });

  test('may take longer than a request', async () => {
    const { ask } = await listen({ pieces: 20, limitMs: 50 });
    traffic.enter();
    const answer = await ask('a');
    answer.resume();
    await closed(answer);
    traffic.leave();
    expect(answer.complete).toBe(true);
  });

  test('wait for a quiet moment between their pieces, and are no traffic themselves', async () => {
    const { ask, made } = await listen({ pieces: 5 });
    traffic.enter();
    const began = performance.now();
    const answer = await ask('a');
    answer.resume();
    await closed(answer);
    expect(performance.now() - began).toBeGreaterThan(5 * 40);
    traffic.leave();
    expect(made.pieces).toBe(5);
    await traffic.quiet(60_000);
  });

  test('go on for a client that reads slowly: a piece may take longer than nothing may be read', async () => {
    // Far longer than the process may have to wait for a core, which counts as if nothing were read.
    const stallMs = 1_500;
    const { ask } = await listen({ pieces: 2, stallMs, limitMs: 50, piece: PIECE.repeat(120) });
    const answer = await ask('a');
    const began = performance.now();
    answer.on('error', () => undefined);
    answer.on('data', () => {
      answer.pause();
      setTimeout(() => answer.resume(), 10);
    });
    await closed(answer);
    expect(answer.complete).toBe(true);
    expect(performance.now() - began).toBeGreaterThan(2 * stallMs);
  }, 30_000);

  test('are cut off where the service stops', async () => {
    const { ask, made } = await listen();
    const answer = await ask('a');
    answer.on('error', () => undefined);
    await app.close();
    await expect.poll(() => made.ended).toBe(1);
  });
});
