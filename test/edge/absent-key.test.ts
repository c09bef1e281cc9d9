import { copyFile, rename, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMisfit } from '../../src/keys/ring/load-ring.ts';
import { switchKey } from '../../src/keys/switch-key.ts';
import { type Instance, instance, keyFolder } from '../support/keys.ts';
import { type TestService, testService } from '../support/service.ts';

// One story: another instance takes a new key into use, which this one has no copy of, until an operator brings it.
let kontor: TestService;
let folder: Awaited<ReturnType<typeof keyFolder>>;
let other: Instance;
let path: string;
let webhook: string;
beforeAll(async () => {
  kontor = await testService();
  folder = await keyFolder();
  path = folder.path('other.json');
  await copyFile(kontor.config.keyFile, path);
  other = instance(kontor.database, path);
  await other.start();
  webhook = (await makeWebhook()).body.webhook.id;
});
afterAll(async () => {
  await kontor.stop();
  await folder.remove();
});

const makeWebhook = () => kontor.send('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/hooks' } });
const isReady = async () => (await kontor.send('GET', '/health/ready', { accessToken: null })).status;
const count = async (table: string) => (await kontor.database.asAdmin(`select from ${table}`)).length;

test('what needs the key answers 503 and changes nothing, and the instance is not ready', async () => {
  expect(await isReady()).toBe(200);
  await kontor.database.transact((transaction) => switchKey(transaction, other, 'secrets'));
  const before = await count('webhook');
  const audited = await count('audit');
  const refused = await makeWebhook();
  expect(refused).toMatchObject({ status: 503, body: { type: expect.stringMatching(/unavailable$/) } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await kontor.send('POST', `${webhook}/secrets`, { body: {} })).status).toBe(503);
  expect([await count('webhook'), await count('audit')]).toEqual([before, audited]);
  expect(await isReady()).toBe(503);
  expect((await kontor.send('GET', '/health/live', { accessToken: null })).status).toBe(200);
});

test('the log and doctor are told which file lacks which key', async () => {
  const misfit = await findMisfit(kontor.database.read, kontor.service);
  expect(misfit).toContain(kontor.config.keyFile);
  expect(misfit).toContain('wanted, and missing: secrets-2 (secrets)');
  await rename(kontor.config.keyFile, `${kontor.config.keyFile}.away`);
  expect(await findMisfit(kontor.database.read, kontor.service)).toContain(kontor.config.keyFile);
  expect((await makeWebhook()).status).toBe(503);
  await rename(`${kontor.config.keyFile}.away`, kontor.config.keyFile);
});

test('the file in its place is enough', async () => {
  // As an operator brings it: a new file, which only its owner may read.
  await rm(kontor.config.keyFile);
  await copyFile(path, kontor.config.keyFile);
  expect(await isReady()).toBe(200);
  expect((await makeWebhook()).status).toBe(200);
});
