import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROW_CRASHES } from '../../src/kit/limits.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { readSandbox } from '../support/sandbox-file.ts';
import { type Environment, runCommand, type ServiceProcess, startService } from '../support/service-process.ts';
import { type Receiver, startReceiver } from '../support/shop/receiver.ts';
import { until } from '../support/until.ts';

// One story: a delivery that ends the process while it is under way, whatever process takes it.
let database: TestDatabase;
let dataDir: string;
let environment: Environment;
let service: ServiceProcess;
let poisonous: Receiver;
let other: Receiver;
beforeAll(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'kontor-test-'));
  environment = {
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
    KONTOR_DATA_DIR: dataDir,
    KONTOR_PORT: '0',
  };
  [poisonous, other] = await Promise.all([startReceiver(), startReceiver()]);
  // It never answers, so the delivery stays under way until the test kills the process that makes it.
  poisonous.behave(() => undefined);
});
afterAll(async () => {
  service.kill();
  await Promise.all([poisonous.stop(), other.stop()]);
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function send(path: string, body: object): Promise<{ webhook: { id: string } }> {
  const { accessToken } = readSandbox(dataDir);
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as { webhook: { id: string } };
}

const states = async () =>
  (await database.asAdmin(
    `select url, delivery.state from delivery join webhook using (payee_id, webhook_id)`,
  )) as unknown as readonly { url: string; state: string }[];
const stateAt = async ({ url }: Receiver) => (await states()).find((row) => row.url === url)?.state;
const endLeases = () =>
  database.asAdmin(`update delivery set leased_until = kontor_now() where leased_until is not null`);

test('a delivery that was under way at one end of a process after another is set aside, and all others are made', async () => {
  service = await startService(environment);
  const webhooks = await Promise.all(
    [poisonous, other].map(async ({ url }) => (await send('/webhooks', { url })).webhook.id),
  );
  for (const webhook of webhooks) await send(`${webhook}/tests`, {}).catch(() => undefined);
  for (const time of [1, 2]) {
    if (time > 1) service = await startService(environment);
    await until(() => poisonous.all.length === time, 20_000);
    service.kill();
    await endLeases();
    // Seven times more, which all look like this one.
    if (time === 1)
      await database.asAdmin(`update delivery set crashes = ${ROW_CRASHES - 2} where leased_until is not null`);
  }
  service = await startService(environment);
  await until(async () => (await stateAt(poisonous)) === 'GivenUp', 20_000);
  // What may not have been told because of the crash is told now, by the same process.
  await send(`${webhooks[1]}/tests`, {});
  await until(
    async () => (await states()).every(({ state, url }) => url === poisonous.url || state === 'Delivered'),
    20_000,
  );
  expect(poisonous.all).toHaveLength(2);
  const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
  expect(metrics).toContain('kontor_background_set_aside_rows{work="deliver-events"} 1');
}, 90_000);

test('an operator sees it, and has it made again', async () => {
  const [row] = JSON.parse(await runCommand(environment, ['background', 'list', '--json']));
  expect(row).toMatchObject({ work: 'deliver-events', crashes: ROW_CRASHES });
  expect(await runCommand(environment, ['doctor'])).toContain('kontor background list');
  poisonous.behave(() => 204);
  await runCommand(environment, ['background', 'retry', row.work, row.payeeId, row.rowId]);
  await until(async () => (await stateAt(poisonous)) === 'Delivered', 20_000);
  expect(await runCommand(environment, ['background', 'list'])).toBe('Nothing is set aside.\n');
}, 60_000);
