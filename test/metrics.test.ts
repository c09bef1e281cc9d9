import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
