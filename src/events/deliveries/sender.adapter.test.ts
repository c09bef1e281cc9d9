import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSender } from './sender.adapter.ts';

let server: Server;
let port: number;
let requests = 0;
beforeAll(async () => {
  server = createServer((_request, response) => {
    requests++;
    response.end('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

/** A name server that gives these addresses, one list for each question. */
function resolving(...answers: readonly (readonly string[])[]): { resolve: typeof lookup; questions: string[] } {
  const questions: string[] = [];
  const resolve = (hostname: string, _options: unknown, callback: (...results: unknown[]) => void) => {
    const addresses = answers[Math.min(questions.length, answers.length - 1)] ?? [];
    questions.push(hostname);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve: resolve as unknown as typeof lookup, questions };
}

const post = (url: string) => ({ url, headers: {}, body: '{}' });

const NOT_PUBLIC = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.8.8.8',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

describe('production', () => {
  test.each(NOT_PUBLIC)('does not send to a name that leads to %s', async (address) => {
    const { resolve, questions } = resolving([address]);
    const sender = createSender({ allowsLoopback: false, resolve, timeoutMs: 1000 });
    const outcome = await sender.send(post(`http://shop.example:${port}/`));
    expect(outcome).toMatchObject({ status: null, failure: 'address-refused', answer: '' });
    expect(questions).toEqual(['shop.example']);
  });

  test.each([
    ...NOT_PUBLIC.map((address) => (address.includes(':') ? `[${address}]` : address)),
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    'localhost',
  ])('does not send to %s itself', async (host) => {
    const sender = createSender({ allowsLoopback: false, timeoutMs: 1000 });
    const outcome = await sender.send(post(`http://${host}:${port}/`));
    expect(outcome).toMatchObject({ status: null, failure: 'address-refused' });
    expect(requests).toBe(0);
  });

  test('does not follow a name that changes its mind: what is looked at is what is connected to', async () => {
    const { resolve, questions } = resolving(['192.0.2.1', '10.0.0.1'], ['127.0.0.1']);
    const sender = createSender({ allowsLoopback: false, resolve, timeoutMs: 1000 });
    const outcome = await sender.send(post(`http://shop.example:${port}/`));
    expect(outcome.failure).toBe('address-refused');
    expect(questions).toHaveLength(1);
    expect(requests).toBe(0);
  });
});

describe('the sandbox', () => {
  test('sends to this machine, by name and by address', async () => {
    const { resolve } = resolving(['10.0.0.1', '127.0.0.1']);
    const sender = createSender({ allowsLoopback: true, resolve, timeoutMs: 5000 });
    const before = requests;
    for (const host of ['localhost', '127.0.0.1', 'shop.example']) {
      const outcome = await sender.send(post(`http://${host}:${port}/`));
      expect(outcome, host).toMatchObject({ status: 200, failure: null, answer: 'hello' });
    }
    expect(requests - before).toBe(3);
    sender.close();
  });

  test.each(['HTTP', ' http', 'ht\ttp'])('sends to an address whose scheme is written %j', async (scheme) => {
    const sender = createSender({ allowsLoopback: true, timeoutMs: 5000 });
    expect(await sender.send(post(`${scheme}://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
    // No server speaks TLS there: it was tried, and not refused for its module.
    expect((await sender.send(post(`HTTPS://127.0.0.1:${port}/`))).failure).toBe('tls');
    sender.close();
  });

  test('tries none of the other addresses of a name that has one that may be sent to', async () => {
    // No server listens at the first one; the second one is this machine by another name.
    const { resolve } = resolving(['127.0.0.9', '0.0.0.0']);
    const sender = createSender({ allowsLoopback: true, resolve, timeoutMs: 1000 });
    const before = requests;
    expect((await sender.send(post(`http://shop.example:${port}/`))).status).toBeNull();
    expect(requests).toBe(before);
  });

  test.each(NOT_PUBLIC.filter((address) => !/127|^::1$/.test(address)))('does not send to %s', async (address) => {
    const { resolve } = resolving([address]);
    const sender = createSender({ allowsLoopback: true, resolve, timeoutMs: 1000 });
    expect((await sender.send(post(`http://shop.example:${port}/`))).failure).toBe('address-refused');
  });
});

test('what happens instead of an answer is a word', async () => {
  const sender = createSender({ allowsLoopback: true, timeoutMs: 300 });
  const none = createServer();
  none.listen(0, '127.0.0.1');
  await once(none, 'listening');
  const { port: closed } = none.address() as AddressInfo;
  none.close();
  await once(none, 'close');
  expect((await sender.send(post(`http://127.0.0.1:${closed}/`))).failure).toBe('no-connection');
  expect((await sender.send(post(`https://127.0.0.1:${port}/`))).failure).toBe('tls');
  expect((await sender.send(post('http://no-such-host.invalid/'))).failure).toBe('unknown-host');
});

test('a delivery goes out on another connection than one on which nothing has passed for a while', async () => {
  const connections = new Set<unknown>();
  const patient = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    connections.add(request.socket);
    response.end();
  });
  patient.listen(0, '127.0.0.1');
  await once(patient, 'listening');
  const url = `http://127.0.0.1:${(patient.address() as AddressInfo).port}/`;
  const sender = createSender({ allowsLoopback: true, idleMs: 200 });
  const outcomes = [await sender.send(post(url)), await sender.send(post(url))];
  expect(connections.size).toBe(1);
  await pause(500);
  outcomes.push(await sender.send(post(url)));
  expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(connections.size).toBe(2);
  sender.close();
  patient.close();
});
