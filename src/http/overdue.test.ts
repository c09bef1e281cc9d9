import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { giveUpOverdue } from './overdue.ts';

const LIMIT_MS = 100;

let app: FastifyInstance;
let baseUrl: string;
/** Ends what the route `/waits` waits for. */
let release: () => void;
let released: Promise<void>;

beforeEach(async () => {
  released = new Promise((resolve) => {
    release = resolve;
  });
  app = fastify();
  giveUpOverdue(app, LIMIT_MS, () => new Error('took too long'));
  app.get('/quick', () => ({ done: true }));
  app.get('/waits', async () => {
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

  test('is cut off where its answer has begun', async () => {
    const answer = await fetch(`${baseUrl}/streams`);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('does not hold up the others', async () => {
    const slow = fetch(`${baseUrl}/waits`);
    const quick = await Promise.all(Array.from({ length: 20 }, () => fetch(`${baseUrl}/quick`)));
    expect(quick.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await slow).status).toBe(500);
  });
});
