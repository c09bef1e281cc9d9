import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_PAYMENTS } from '../../src/accounts/payment-shelves.ts';
import { makeBatch } from '../../src/db/batch/batch.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { type Connection, connect } from '../../src/db/server/connection.ts';
import { openPool } from '../../src/db/server/pool.ts';
import { measureStandbyWait } from '../../src/db/server/server-settings.ts';
import { Refusal } from '../../src/kit/errors.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { makeLedger } from '../../src/ledger/compose.ts';
import type { AccountId } from '../../src/ledger/ledger.types.ts';
import {
  addAccounts,
  addPayee,
  newId,
  PAY,
  pay,
  type TestCommand,
  type TestLedger,
  testLedger,
} from '../support/database/ledger.ts';
import { startServer, type TestServer } from '../support/database/server.ts';
import { requireStandby } from '../support/database/standby.ts';
import { until } from '../support/until.ts';

// A server of its own: these tests end its sessions and change its settings.
let server: TestServer;
let admin: Connection;
let payeeId: PayeeId;
let one: TestLedger;

beforeAll(async () => {
  server = await startServer();
  await migrate(server);
  admin = await connect(server.adminUrl);
  payeeId = await addPayee({ asAdmin });
  one = testLedger(server);
});
afterAll(async () => {
  await one.database.close();
  await admin.end();
  await server.remove();
});

async function asAdmin(sql: string): Promise<readonly Record<string, unknown>[]> {
  return (await admin.query(sql)).rows;
}

async function oneAccount(): Promise<AccountId> {
  const [accountId] = await addAccounts({ asAdmin }, 1, { payeeId, available: 1000 });
  return accountId as AccountId;
}

/** What the ledger says of a payment: how many rows, and what the account has left. */
async function traces({ paymentId, accountId }: TestCommand): Promise<unknown> {
  const [row] = await asAdmin(`
    select (select count(*)::int from payment where payment_id = '${paymentId}') as payments,
      (select count(*)::int from movement where payment_id = '${paymentId}') as movements,
      (select available::int from account where account_id = '${accountId}') as available`);
  return row;
}

/** Waits until a session of the service waits for something, and returns its process id. */
async function waitingSession(event: string): Promise<number> {
  let processId: number | undefined;
  await until(async () => {
    const [row] = await asAdmin(`
      select pid from pg_stat_activity
      where application_name = 'kontor' and pid <> pg_backend_pid() and wait_event = '${event}'`);
    processId = row?.['pid'] as number | undefined;
    return processId !== undefined;
  });
  return processId ?? 0;
}

const standby = (name: string) => requireStandby(server.adminUrl, name);

describe('a connection that is cut', () => {
  test.each([
    [
      'while references are claimed',
      (command: TestCommand) =>
        `insert into reference values ('${payeeId}', 'payment', '${command.reference}', '${newId()}', '${newId()}')`,
      'transactionid',
    ],
    ['while the batch is written', () => 'lock table audit in share mode', 'relation'],
  ] as const)('%s costs time only', async (_name, block, event) => {
    const command = pay(payeeId, await oneAccount(), 10);
    const before = one.told.unknown;
    const holder = await connect(server.adminUrl);
    await holder.command('begin');
    await holder.command(block(command));
    const answer = one.ledger.submit(PAY, command);
    const session = await waitingSession(event);
    await asAdmin(`select pg_terminate_backend(${session})`);
    await holder.command('rollback');
    await holder.end();
    expect(await answer).toEqual({ state: 'OK', paymentId: command.paymentId, available: 990 });
    expect(await traces(command)).toEqual({ payments: 1, movements: 1, available: 990 });
    expect(one.told.unknown).toBe(before + 1);
  });
});

describe('a commit that waits for a standby', () => {
  // Also after a failure, or whatever comes next would wait for ever.
  afterEach(() => standby(''));

  test.each([
    ['cancelled, which looks like success', 'pg_cancel_backend'],
    ['cut', 'pg_terminate_backend'],
  ])('and is %s is asked after, and answers when it is safe', async (_name, end) => {
    const command = pay(payeeId, await oneAccount(), 10);
    await standby('nobody');
    let answered = false;
    const answer = one.ledger.submit(PAY, command).finally(() => {
      answered = true;
    });
    const first = await waitingSession('SyncRep');
    expect(await measureStandbyWait(one.database.read)).toBeGreaterThan(0);
    await asAdmin(`select ${end}(${first})`);
    // Its commands run again with the same ids, and wait again: nothing is told that a failover could take back.
    await until(async () => (await waitingSession('SyncRep')) !== first);
    expect(answered).toBe(false);
    await standby('');
    expect(await answer).toMatchObject({ state: 'OK', paymentId: command.paymentId });
    expect(await traces(command)).toEqual({ payments: 1, movements: 1, available: 990 });
    expect(await measureStandbyWait(one.database.read)).toBe(0);
  });

  test('and stays unknown is answered so, and a repeat tells the truth', async () => {
    const command = pay(payeeId, await oneAccount(), 10);
    await standby('nobody');
    const failure = await one.ledger.submit(PAY, command).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'systemerror' });
    await standby('');
    const again = { ...pay(payeeId, command.accountId, 10), reference: command.reference, repeat: true };
    expect(await one.ledger.submit(PAY, again)).toEqual({ state: 'OK', paymentId: command.paymentId, available: 990 });
    expect(await traces(command)).toEqual({ payments: 1, movements: 1, available: 990 });
  });
});

test('a queue that is full or too slow refuses, and what it refused had no effect', async () => {
  const accountId = await oneAccount();
  const pool = openPool({ url: server.appUrl, size: 2, plans: 'index' });
  const limits = { batchSize: 1, lanes: 1, patientLanes: 1, queueLength: 40, queueAgeMs: 200, unknownMs: 1000 };
  const { observer } = { observer: { committed() {}, leftOut() {}, split() {}, unknown() {} } };
  const ledger = makeLedger((program) => makeBatch({ pool, program, limits, observer }), {
    ...ACCOUNT_PAYMENTS,
    writers: [],
    newId,
  });
  const holder = await connect(server.adminUrl);
  await holder.command('begin');
  await holder.command('lock table audit in share mode');
  const commands = Array.from({ length: 12 }, () => pay(payeeId, accountId, 10));
  const settled = Promise.allSettled(commands.map((command) => ledger.submit(PAY, command)));
  await waitingSession('relation');
  expect(ledger.stats().length).toBeLessThanOrEqual(10);
  await until(() => ledger.stats().oldestMs > 250);
  await holder.command('rollback');
  await holder.end();
  const outcomes = await settled;
  const refused = outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [{ index, reason: outcome.reason }] : [],
  );
  // Two found no room; those that did waited until they were too old, all but the one under way.
  expect(refused).toHaveLength(11);
  for (const { index, reason } of refused) {
    expect(reason).toBeInstanceOf(Refusal);
    expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(await traces(commands[index] as TestCommand)).toMatchObject({ payments: 0, movements: 0 });
  }
  await pool.close();
});

test('a database that is away refuses at once what it has not begun', async () => {
  const away = testLedger({ appUrl: server.appUrl.replace(/\/[^/?]*(\?|$)/, '/nowhere$1') });
  const failure = await away.ledger
    .submit(PAY, pay(payeeId, newId() as AccountId, 10))
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'unavailable' });
  await away.database.close();
});
