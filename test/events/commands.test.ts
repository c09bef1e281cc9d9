import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Installation, installSandbox, type Started } from '../support/kontor.ts';
import { type Received, type Receiver, rightSignatures, startReceiver } from '../support/shop/receiver.ts';
import { until } from '../support/until.ts';

let installation: Installation;
let sandbox: Awaited<ReturnType<Installation['ready']>>;
beforeAll(async () => {
  installation = await installSandbox();
  sandbox = await installation.ready();
});
afterAll(() => installation.remove());

async function receiver(): Promise<Receiver> {
  const started = await startReceiver();
  onTestFinished(() => started.stop());
  return started;
}

/** Runs a command that must succeed, and gives what it printed as JSON. */
async function kontor(...args: readonly string[]) {
  const { status, stdout, stderr } = await installation.kontor([...args, '--json']);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** Starts `kontor listen`, and waits until it follows the feed. */
async function listen(args: readonly string[], environment = {}): Promise<{ process: Started; lines: string[] }> {
  const process = installation.start([globalThis.process.execPath, 'dist/main.js', 'listen', ...args], environment);
  onTestFinished(() => process.signalGroup('SIGKILL'));
  const lines: string[] = [];
  process.process.stdout?.on('data', (chunk) => lines.push(...String(chunk).trim().split('\n')));
  await until(() => lines.length > 0, 30_000);
  return { process, lines };
}

test('a webhook is made, tried out, given a new secret and deleted by commands', async () => {
  const to = await receiver();
  const { webhookId, secret } = await kontor('webhooks', 'create', '--url', to.url, '--events', 'payment.*');
  await kontor('webhooks', 'test', webhookId);
  await until(() => to.taken.length === 1);
  expect(rightSignatures((to.taken as [Received])[0], secret)).toBe(1);
  const { secret: fresh } = await kontor('webhooks', 'rotate-secret', webhookId, '--overlap', '1h');
  await until(async () => (await kontor('webhooks', 'deliveries', webhookId))[0].state === 'Delivered', 30_000);
  const [{ id }] = await kontor('webhooks', 'deliveries', webhookId, '--state', 'Delivered');
  expect(await kontor('webhooks', 'redeliver', webhookId, String(id))).toEqual({ id, state: 'Waiting' });
  await until(() => to.taken.length === 2);
  expect(rightSignatures((to.taken as [Received, Received])[1], fresh)).toBe(1);
  expect(await kontor('webhooks', 'enable', webhookId)).toEqual({ webhookId, state: 'Enabled' });
  expect(await kontor('webhooks', 'list')).toMatchObject([{ webhookId, url: to.url, eventTypes: ['payment.*'] }]);
  expect(await kontor('webhooks', 'delete', webhookId)).toEqual({ webhookId, state: 'Deleted' });
  expect(await kontor('webhooks', 'list')).toEqual([]);
});

test('a command says of an id that is not there what to look at, and nothing of an address', async () => {
  const { status, stderr } = await installation.kontor(['webhooks', 'delete', crypto.randomUUID()]);
  expect([status, stderr]).toEqual([
    1,
    'kontor: The payee has nothing of that id or number, or it has ended: check it, and --payee.\n',
  ]);
});

test("the callback secret is the sandbox's until it is rotated", async () => {
  expect(await kontor('callback-secret', 'show')).toEqual({ secret: sandbox['callbackSecret'] });
  const { secret } = await kontor('callback-secret', 'rotate');
  expect(secret).not.toBe(sandbox['callbackSecret']);
  expect(await kontor('callback-secret', 'show')).toEqual({ secret });
});

test('listen posts what happens to a server of its own, signed, and goes on where it was after the service was away', async () => {
  const [to, webhook] = [await receiver(), await receiver()];
  let isAway = false;
  const gate = createServer(async (request, response) => {
    if (isAway) {
      response.writeHead(503).end();
      return;
    }
    const { authorization = '' } = request.headers;
    const answer = await fetch(`${sandbox.baseUrl}${request.url}`, { headers: { authorization } });
    response.writeHead(answer.status).end(await answer.text());
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  onTestFinished(() => void gate.close());
  const KONTOR_PUBLIC_URL = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  const { lines } = await listen(['--forward-to', to.url], { KONTOR_PUBLIC_URL });
  const { webhookId } = await kontor('webhooks', 'create', '--url', webhook.url);
  await kontor('webhooks', 'test', webhookId);
  await until(() => to.taken.length === 1);
  isAway = true;
  await kontor('webhooks', 'test', webhookId);
  await until(() => lines.some((line) => line.includes('does not answer')));
  isAway = false;
  await until(() => to.taken.length === 2 && webhook.taken.length === 2);
  expect(to.taken.map(({ body }) => body)).toEqual(webhook.taken.map(({ body }) => body));
  for (const received of to.taken) expect(rightSignatures(received, String(sandbox['callbackSecret']))).toBe(1);
  const [first, second] = to.taken.map(({ event }) => event.position) as [number, number];
  expect(second).toBe(first + 1);
  const posted = () => lines.filter((line) => line.includes('webhook.test'));
  await until(() => posted().length === 2);
  expect(posted()).toEqual([first, second].map((position) => `${position}  webhook.test  webhook ${webhookId}  204`));
  const again = await receiver();
  await listen(['--forward-to', again.url, '--after', String(first), '--json']);
  await until(() => again.taken.length === 1);
  expect(again.taken.map(({ event }) => event.position)).toEqual([second]);
});

test('listen says what is wrong with the token that it has', async () => {
  const started = await installation.kontor(['listen', '--forward-to', 'http://127.0.0.1:9/'], {
    KONTOR_ACCESS_TOKEN: 'kt_test_wrong',
  });
  expect(started).toMatchObject({ status: 1, stderr: expect.stringContaining('the scope events') });
});
