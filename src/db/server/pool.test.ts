import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { until } from '../../../test/support/until.ts';
import { makeRead } from '../reading/read.ts';
import { makeTransact } from '../transact.ts';
import type { Read, Statement } from '../transaction.types.ts';
import { ConnectionLost } from './failures.ts';
import { openDatabase } from './open-database.ts';
import { openPool, POOL_QUEUE_CALLERS } from './pool.ts';

const database = await testDatabase();
afterAll(() => database.drop());

const WHO: Statement = { name: 'who', text: 'select pg_backend_pid() as pid' };
const SESSION: Statement = {
  name: 'show-session',
  text: `
    select name, setting from pg_settings
    where name in ('TimeZone', 'application_name', 'statement_timeout', 'lock_timeout', 'jit', 'plan_cache_mode',
      'idle_in_transaction_session_timeout', 'default_transaction_read_only', 'default_transaction_isolation',
      'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin')`,
};

async function settingsOf(read: Read): Promise<Record<string, string>> {
  const { rows } = await read<{ name: string; setting: string }>(SESSION, []);
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

test('a session is set up, whatever the address asks for', async () => {
  const url = `${database.appUrl}&statement_timeout=0&application_name=other&options=-c%20TimeZone=Asia/Tokyo`;
  const stubborn = openDatabase({ url });
  const common = {
    TimeZone: 'UTC',
    application_name: 'kontor',
    statement_timeout: '5000',
    lock_timeout: '2000',
    idle_in_transaction_session_timeout: '5000',
    default_transaction_isolation: 'read committed',
    jit: 'off',
  };
  const plans = (how: 'on' | 'off') => ({ enable_seqscan: how, enable_hashjoin: how, enable_mergejoin: how });
  const byIndex = { ...plans('off'), plan_cache_mode: 'force_generic_plan' };
  const freely = { ...plans('on'), plan_cache_mode: 'auto' };
  const { read, transact, background } = stubborn;
  expect(await settingsOf(read)).toEqual({ ...common, ...byIndex, default_transaction_read_only: 'on' });
  expect(await transact((transaction) => settingsOf(transaction.run))).toEqual({
    ...common,
    ...byIndex,
    default_transaction_read_only: 'off',
  });
  expect(await settingsOf(background.read)).toEqual({ ...common, ...freely, default_transaction_read_only: 'off' });
  await stubborn.close();
});

test('a connection that breaks while it is idle, or taken out, neither ends the process nor is used again', async () => {
  const pool = openPool({ url: database.appUrl, size: 2, plans: 'any' });
  const [taken, idle] = [await pool.take(), await pool.take()];
  pool.giveBack(idle);
  await database.asAdmin(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'kontor_app'`,
  );
  await until(() => taken.lost && idle.lost);
  pool.giveBack(taken);
  expect(pool.stats()).toEqual({ size: 2, open: 0, idle: 0, waiting: 0 });
  const fresh = await pool.take();
  expect([taken, idle]).not.toContain(fresh);
  pool.giveBack(fresh);
  await pool.close();
});

test('who finds no free connection is refused in the end, and the connection is not lost', async () => {
  const pool = openPool({ url: database.appUrl, size: 1, plans: 'any' });
  const taken = await pool.take();
  await expect(pool.take()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  expect(pool.stats()).toMatchObject({ waiting: 0 });
  pool.giveBack(taken);
  expect(pool.stats()).toMatchObject({ waiting: 0, idle: 1 });
  const again = await pool.take();
  expect(again).toBe(taken);
  pool.giveBack(again);
  await pool.close();
});

test('a caller that comes when the queue is full is refused at once', async () => {
  const pool = openPool({ url: database.appUrl, size: 1, plans: 'any' });
  const taken = await pool.take();
  const waiting = Array.from({ length: POOL_QUEUE_CALLERS }, () => pool.take());
  const settled = Promise.allSettled(waiting);
  await expect(pool.take()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1, detail: /wait/ });
  expect(pool.stats()).toMatchObject({ waiting: POOL_QUEUE_CALLERS });
  const closed = pool.close();
  expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(['rejected']));
  pool.giveBack(taken);
  await closed;
});

describe('20 000 callers want the only connection, which is busy for longer than they wait', () => {
  test.each([
    ['it is given back', () => undefined],
    ['its session was terminated', (pid: number) => database.asAdmin(`select pg_terminate_backend(${pid})`)],
  ])('%s, and serves the next caller', async (_case, end) => {
    const pool = openPool({ url: database.appUrl, size: 1, plans: 'any' });
    const taken = await pool.take();
    const pid = (await taken.run<{ pid: number }>(WHO, [])).rows[0]?.pid ?? 0;
    const settled = Promise.allSettled(Array.from({ length: 20_000 }, () => pool.take()));
    await end(pid);
    expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(['rejected']));
    pool.giveBack(taken);
    pool.giveBack(await pool.take());
    expect(pool.stats()).toEqual({ size: 1, open: 1, idle: 1, waiting: 0 });
    await pool.close();
  });

  test('callers that have not given up are served in their order', async () => {
    const pool = openPool({ url: database.appUrl, size: 1, plans: 'any' });
    const taken = await pool.take();
    const served: number[] = [];
    const callers = Array.from({ length: 500 }, async (_, index) => {
      const connection = await pool.take();
      served.push(index);
      pool.giveBack(connection);
    });
    pool.giveBack(taken);
    await Promise.all(callers);
    expect(served).toEqual(callers.map((_, index) => index));
    await pool.close();
  });
});

test('a database that does not exist, or a server that is not there, is unavailable; the reason is the cause', async () => {
  for (const [url, reason] of [
    [database.appUrl.replace(database.name, 'no_such_database'), '3D000'],
    [database.appUrl.replace('kontor_app', 'no_such_role'), '28P01'],
    ['postgres://kontor_app:secret@127.0.0.1:1/kontor', 'ECONNREFUSED'],
  ] as const) {
    const nowhere = openDatabase({ url });
    const failure = await nowhere.ping().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable', cause: expect.any(ConnectionLost) });
    expect(failure).toMatchObject({ cause: { message: expect.stringContaining(reason) } });
    expect(nowhere.stats().reads).toMatchObject({ open: 0, waiting: 0 });
    await nowhere.close();
  }
});

test('a server that takes the connection and never answers is given up after two seconds', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const waiting = openDatabase({ url: `postgres://kontor_app@127.0.0.1:${port}/kontor` });
  await expect(waiting.ping()).rejects.toMatchObject({ code: 'unavailable' });
  await waiting.close();
  silent.close();
});

test('connections whose prepared statement no longer fits its table are replaced, and the statement is run again', async () => {
  await database.asAdmin('create table shelf (width integer); grant select on shelf to kontor_app');
  const select: Statement = { name: 'select-shelf', text: 'select width from shelf' };
  const pool = openPool({ url: database.appUrl, size: 3, plans: 'any' });
  const [read, transact] = [makeRead(pool), makeTransact(pool)];
  const all = async () => {
    const taken = await Promise.all([1, 2, 3].map(() => pool.take()));
    for (const connection of taken) await connection.run(select, []).finally(() => pool.giveBack(connection));
  };
  await all();
  await database.asAdmin('alter table shelf alter column width type text');
  expect(await read(select, [])).toEqual({ rows: [], count: 0 });
  await all();
  await database.asAdmin('alter table shelf alter column width type bigint using 1');
  expect(await transact((transaction) => transaction.run(select, []))).toEqual({ rows: [], count: 0 });
  await pool.close();
});

test('a standby is not worked with', async () => {
  const standby = await testDatabase({ of: 'empty' });
  await standby.asAdmin(`
    create function public.pg_is_in_recovery() returns boolean language sql as 'select true';
    alter database ${standby.name} set search_path = public, pg_catalog`);
  await expect(standby.ping()).rejects.toMatchObject({ code: 'unavailable', cause: { message: /standby/ } });
  await standby.drop();
});

test('a read that meets a dying connection is asked again on another one', async () => {
  const read = makeRead(openPoolOfOne());
  for (let round = 0; round < 30; round++) {
    const { rows } = await read<{ pid: number }>(WHO, []);
    const [other] = await Promise.all([
      read<{ pid: number }>(WHO, []),
      database.asAdmin(`select pg_terminate_backend(${rows[0]?.pid})`),
    ]);
    expect(other.rows[0]?.pid).toBeGreaterThan(0);
  }
});

function openPoolOfOne() {
  const pool = openPool({ url: database.appUrl, size: 1, plans: 'index', readOnly: true });
  afterAll(() => pool.close());
  return pool;
}

test('the pool for reads refuses changes', async () => {
  const change: Statement = { name: 'change', text: 'delete from payee' };
  await expect(database.read(change, [])).rejects.toMatchObject({ code: 'unavailable' });
});

test('closing waits for what is under way, twice does no harm, and afterwards nothing is begun', async () => {
  const closing = openDatabase({ url: database.appUrl });
  const slow = closing.read({ name: 'slow', text: `select 'done' as word from pg_sleep(0.3)` }, []);
  await until(() => closing.stats().reads.open === 1 && closing.stats().reads.idle === 0);
  await Promise.all([closing.close(), closing.close()]);
  expect((await slow).rows).toEqual([{ word: 'done' }]);
  await expect(closing.ping()).rejects.toMatchObject({ code: 'unavailable' });
});
