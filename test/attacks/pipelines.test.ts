import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/db/server/connection.ts';
import { installSandbox } from '../support/kontor.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { openSockets, untilClosed, whileOthersAsk } from '../support/prober/attack.ts';
import { until } from '../support/until.ts';

let kontor: Awaited<ReturnType<typeof installSandbox>>;
let baseUrl: string;
let anna: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
beforeEach(async () => {
  kontor = await installSandbox();
  const sandbox = await kontor.ready();
  ({ baseUrl } = sandbox);
  anna = {
    url: `${baseUrl}/online/payer/payees/${sandbox.payeeId}/payers/anna/tokens`,
    headers: { authorization: `Bearer ${sandbox.accessToken}` },
  };
}, 120_000);
afterEach(() => kontor.remove());

const SOCKETS = 80;
const READY = 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1000);
const statusOf = async (path: string, headers = {}) => (await fetch(new URL(path, baseUrl), { headers })).status;

/** Twice, or so often that hundreds of others' requests meet it. */
const ROUNDS = IS_LONG_RUN ? 20 : 2;

/** Sends 1 000 requests on each of 80 connections, again and again. */
async function flood(meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const sockets = await openSockets(baseUrl, SOCKETS, READY);
    await meanwhile();
    await untilClosed(sockets, 20_000);
  }
}

async function servesAndEnds(): Promise<void> {
  await until(async () => (await statusOf('/health/ready')) === 200);
  expect(await statusOf(anna.url, anna.headers)).toBe(200);
  const [service] = kontor.processes();
  process.kill(Number(service?.trim().split(' ')[0]), 'SIGTERM');
  await expect.poll(() => kontor.processes(), { timeout: 25_000 }).toEqual([]);
}

describe('a stranger who sends 80 000 requests on 80 connections, again and again', () => {
  test('does not keep others from being served, nor the service from ending', async () => {
    await whileOthersAsk([{ url: `${baseUrl}/health/live` }, anna], () => flood());
    await servesAndEnds();
  });

  // `src/db/server/pool.test.ts` does the same at the pool itself.
  test.runIf(IS_LONG_RUN)('does neither while the sessions of the database are terminated', async () => {
    const admin = await connect(kontor.adminUrl);
    await whileOthersAsk([{ url: `${baseUrl}/health/live` }], () =>
      flood(() =>
        admin.command(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'kontor_app'`,
        ),
      ),
    );
    await admin.end();
    await servesAndEnds();
  });
});
