import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installation, install, type Started } from '../support/kontor.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';

// One story, in order: a first start, what is refused beside it, its end, and what comes after.
let installation: Installation;
let service: Started;
let sandboxFile: string;
beforeAll(() => {
  installation = install();
  sandboxFile = join(installation.folder, 'data/sandbox.json');
});
afterAll(() => installation.remove());

test('the first start makes a sandbox that is for its owner alone', async () => {
  service = installation.start(['npm', 'start']);
  const sandbox = await installation.ready();
  expect(statSync(sandboxFile).mode & 0o777).toBe(0o600);
  expect(sandbox).toEqual({
    baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    portal: {
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/portal$/),
      email: 'demo@kontor.example',
      password: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      check: expect.stringMatching(/^[\w-]{43}$/),
      operator: {
        email: 'operator@kontor.example',
        password: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
        check: expect.stringMatching(/^[\w-]{43}$/),
      },
    },
    payeeId: expect.any(String),
    accessToken: expect.stringMatching(/^kt_test_/),
    oauth: {
      tokenUrl: `${sandbox.baseUrl}/oauth/token`,
      clientId: expect.any(String),
      clientSecret: expect.any(String),
    },
    hmac: { user: expect.any(String), secret: expect.any(String) },
    callbackSecret: expect.stringMatching(/^whsec_/),
    giftCardProductId: '1000',
    accounts: ['NOK', 'SEK'].map((currency) =>
      expect.objectContaining({ currency, balance: 1_000_000_000, paymentAccountId: expect.any(String) }),
    ),
    testCards: expect.arrayContaining([expect.objectContaining({ brand: 'Visa', accountKey: '4925000000000004' })]),
  });
});

test('commands work beside it', async () => {
  const shown = await installation.kontor(['sandbox']);
  expect(JSON.parse(shown.stdout)).toEqual(JSON.parse(readFileSync(sandboxFile, 'utf8')));
  const listed = await installation.kontor(['payees', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toHaveLength(1);
  expect((await installation.kontor(['doctor'])).status).toBe(0);
});

test('a second service and a reset are refused while it runs', async () => {
  const tried = [['serve'], ['sandbox', '--reset']].map((args) => installation.kontor(args));
  for (const { status, stderr } of await Promise.all(tried)) {
    expect(stderr).toMatch(/^kontor: Another Kontor .* already serves from .*\. Stop it first/);
    expect(status).toBe(1);
  }
  await installation.ready();
});

test('Ctrl-C, pressed again and again, ends it in order', async () => {
  service.signalGroup('SIGINT');
  service.signalGroup('SIGINT');
  service.signalGroup('SIGTERM');
  const { stdout, stderr } = await service.ended;
  expect(stderr).not.toMatch(/Warning|Error|^ {4}at /m);
  const [, curl = ''] = /^ {2}(curl .*)$/m.exec(stdout) ?? [];
  expect(curl).toContain('Authorization: Bearer kt_test_');
  const told = stdout.match(/"msg":"[^"]+"/g) ?? [];
  expect(told.slice(-3)).toEqual([
    '"msg":"Stopping: no new connections are taken, requests under way finish."',
    '"msg":"PostgreSQL has stopped."',
    '"msg":"Stopped."',
  ]);
  await expect.poll(() => installation.processes(), { timeout: 25_000 }).toEqual([]);
});

test.runIf(IS_LONG_RUN)('a taken port is named, and nothing is left running', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const { status, stderr, stdout } = await installation.kontor(['serve'], { KONTOR_PORT: String(port) });
  other.close();
  expect(stderr).toContain(`Port ${port} on 127.0.0.1 is taken.`);
  expect(stdout).toContain('PostgreSQL has stopped.');
  expect(status).toBe(1);
});

test('a later start completes the file, follows the settings, and keeps what others wrote', async () => {
  const { hmac, ...rest } = JSON.parse(readFileSync(sandboxFile, 'utf8'));
  writeFileSync(sandboxFile, JSON.stringify({ ...rest, mine: 'note' }));
  const publicUrl = 'http://kontor.test:8080';
  const later = installation.start([process.execPath, 'dist/main.js', 'serve'], { KONTOR_PUBLIC_URL: `${publicUrl}/` });
  await expect.poll(() => readFileSync(sandboxFile, 'utf8'), { timeout: 25_000 }).toContain(publicUrl);
  later.signalGroup('SIGTERM');
  const { status, stdout } = await later.ended;
  expect(status).toBe(0);
  // The token was shown once.
  expect(stdout).not.toContain(rest.accessToken);
  const completed = JSON.parse(readFileSync(sandboxFile, 'utf8'));
  expect(completed).toMatchObject({ mine: 'note', baseUrl: publicUrl, accessToken: rest.accessToken });
  expect(completed.hmac.user).not.toBe(hmac.user);
  expect(statSync(sandboxFile).mode & 0o777).toBe(0o600);
});

test.runIf(IS_LONG_RUN)('Ctrl-C during the start leaves no database running', async () => {
  const lockFile = join(installation.folder, 'data/postgres/data/postmaster.pid');
  const early = installation.start([process.execPath, 'dist/main.js', 'serve']);
  await expect.poll(() => existsSync(lockFile), { timeout: 25_000, interval: 5 }).toBe(true);
  early.signalGroup('SIGINT');
  const { status, stdout } = await early.ended;
  expect(status).toBe(0);
  expect(stdout).toContain('PostgreSQL has stopped.');
  expect(existsSync(lockFile)).toBe(false);
});

test('a reset begins afresh', async () => {
  const before = JSON.parse(readFileSync(sandboxFile, 'utf8'));
  const { status, stdout } = await installation.kontor(['sandbox', '--reset']);
  expect(status).toBe(0);
  const after = JSON.parse(stdout);
  expect(after.payeeId).not.toBe(before.payeeId);
  expect(after).not.toHaveProperty('mine');
});
