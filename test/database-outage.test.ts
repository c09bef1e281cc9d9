import { afterAll, expect, test } from 'vitest';
import { connect } from '../src/db/server/connection.ts';
import { openDatabase } from '../src/db/server/open-database.ts';
import type { Statement } from '../src/db/transaction.types.ts';
import { startServer } from './support/database/server.ts';
import { requireStandby } from './support/database/standby.ts';
import { until } from './support/until.ts';

const server = await startServer();
afterAll(() => server.remove());

const INSERT: Statement = { name: 'insert-box', text: 'insert into box (box_id) values ($1)' };
const LIST: Statement = { name: 'list-boxes', text: 'select box_id from box order by box_id' };

async function asAdmin(sql: string): Promise<void> {
  const admin = await connect(server.adminUrl);
  await admin.command(sql);
  await admin.end();
}

test('the pools outlive a restart of the server: meanwhile unavailable, afterwards at once as before', async () => {
  await asAdmin('create table box (box_id integer primary key); grant all on box to kontor_app');
  const database = openDatabase({ url: server.appUrl });
  const insert = (id: number) => database.transact((transaction) => transaction.run(INSERT, [id]));
  const idle = () => database.stats().reads.idle + database.stats().changes.idle;
  await Promise.all([1, 2, 3].flatMap((id) => [insert(id), database.ping()]));
  const before = idle();
  expect(before).toBeGreaterThan(3);
  await server.restart(async () => {
    await expect(database.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(insert(4)).rejects.toMatchObject({ code: 'unavailable' });
  });
  await Promise.all([database.ping(), insert(5)]);
  expect((await database.read(LIST, [])).rows).toEqual([1, 2, 3, 5].map((id) => ({ box_id: id })));
  await database.close();
});

test('long work whose connection ends has done nothing, and says so', async () => {
  const database = openDatabase({ url: server.appUrl });
  const work = database.longWork(async (transaction) => {
    await transaction.run(INSERT, [20]);
    await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'`);
    await transaction.run(INSERT, [21]);
  });
  await expect(work).rejects.toMatchObject({ code: 'unavailable' });
  expect((await database.read(LIST, [])).rows).toEqual([1, 2, 3, 5].map((id) => ({ box_id: id })));
  await database.close();
});

test('a COMMIT whose wait for the standby is cancelled is not believed, though the server says COMMIT', async () => {
  const database = openDatabase({ url: server.appUrl });
  await requireStandby(server.adminUrl, 'nobody');
  const waiting: Statement = {
    name: 'find-waiting',
    text: `select from pg_stat_activity where wait_event = 'SyncRep'`,
  };
  const isWaiting = async () => (await database.read(waiting, [])).count > 0;

  const commit = database.transact((transaction) => transaction.run(INSERT, [10])).catch((error: unknown) => error);
  await until(isWaiting);
  await asAdmin(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
  expect(await commit).toMatchObject({
    code: 'systemerror',
    cause: { message: expect.stringContaining('warnings: 1') },
  });

  const unanswered = database.transact((transaction) => transaction.run(INSERT, [11])).catch((error: unknown) => error);
  expect(await unanswered).toMatchObject({
    code: 'systemerror',
    cause: { message: expect.stringContaining('in time') },
  });

  // Both are there, which is what "not known" means: no standby has them.
  await asAdmin('alter system reset synchronous_standby_names');
  await asAdmin('select pg_reload_conf()');
  await until(async () => (await database.read(LIST, [])).count === 6);
  await database.close();
});
