import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE } from '../src/kit/caller.ts';
import { noteVerification } from '../src/ledger/verification/verifications.ts';
import { type TestService, testService } from './support/service.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

async function metric(name: string): Promise<number> {
  const { text } = await kontor.send('GET', '/metrics');
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length));
}

test('requests are counted by the template of their route, and reads by how many travelled together', async () => {
  const route = 'method="GET",route="/online/payer/payees/:payeeId/tokens/:tokenId",status="404"';
  const paths = Array.from({ length: 40 }, () => `/online/payer/payees/${kontor.payeeId}/tokens/${randomUUID()}`);
  await Promise.all(paths.map((path) => kontor.send('GET', path)));
  expect(await metric(`kontor_http_request_duration_seconds_count{${route}}`)).toBe(40);
  expect(await metric('kontor_read_batch_keys_sum{statement="tokens-read"}')).toBe(40);
  expect(await metric('kontor_read_batch_keys_count{statement="tokens-read"}')).toBeLessThan(40);
});

test('an address that is none of ours does not make a series of its own', async () => {
  await kontor.send('GET', `/${randomUUID()}`);
  const { text } = await kontor.send('GET', '/metrics');
  expect(text).toContain('route="unknown",status="404"');
  expect(text).not.toMatch(/route="\/[0-9a-f]{8}-/);
});

test('what the last look at the books found is shown, and nothing before there was one', async () => {
  const shown = async () =>
    (await kontor.send('GET', '/metrics')).text.match(/^kontor_ledger_(?:broken|verified)\w+/gm);
  expect(await shown()).toBeNull();
  const verification = { verifiedAt: new Date(Date.now() - 60_000).toISOString(), invariants: 12, broken: 2 };
  const badRow = { payeeId: randomUUID(), row: 'account 1' };
  const verified = { ...verification, findings: [{ holds: 'Something.', badRow }] };
  const by = { newId: randomUUID, actor: SERVICE };
  await kontor.service.database.transact((transaction) => noteVerification(transaction, verified, by));
  expect(await shown()).toHaveLength(2);
  expect(await metric('kontor_ledger_broken_invariants')).toBe(2);
  expect(await metric('kontor_ledger_verified_age_seconds')).toBeGreaterThan(59);
});

test('no commit waits where no standby is asked for', async () => {
  expect((await kontor.send('GET', '/metrics')).text).toContain('\nkontor_database_standby_wait_seconds 0\n');
});
