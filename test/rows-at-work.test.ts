import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listRowsSetAside, makeWorkOn, putBack } from '../src/db/rows-at-work.ts';
import { unavailable } from '../src/db/server/failures.ts';
import type { PayeeId } from '../src/kit/ids.ts';
import { type TestDatabase, testDatabase } from './support/database/database.ts';
import { until } from './support/until.ts';

const payeeId = '01a20145-0000-7000-8000-000000000001' as PayeeId;
const WORK = 'sweep-sealed-cards';
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.asAdmin(`insert into payee (payee_id, name) values ('${payeeId}', 'Shop')`);
});
beforeEach(async () => {
  await database.asAdmin('delete from row_at_work');
});
afterAll(() => database.drop());

const named = (...rowIds: string[]) => rowIds.map((rowId) => ({ payeeId, rowId }));
/** Lets the leases and pauses of all rows be over, but not what is set aside. */
const letTimePass = () =>
  database.asAdmin(`update row_at_work set not_before = '-infinity' where not_before < 'infinity'`);
/** Seconds that rows wait which are not under way. */
const pauses = async () => {
  const rows = await database.asAdmin(`
    select row_id, round(extract(epoch from not_before - begun_at))::integer as pause
    from row_at_work where not is_under_way`);
  return Object.fromEntries(rows.map(({ row_id: rowId, pause }) => [rowId, pause]));
};
/** What is reported of rows that wait because processes ended with them. */
const suspected = (...crashes: readonly number[]) =>
  crashes.map((count) => `${WORK}: a row was under way at ${count} ends of processes; kontor background list`);
const setAside = async () => (await listRowsSetAside(database.read)).map(({ rowId }) => rowId);
const noted = () => database.asAdmin('select row_id, is_under_way, crashes, failures from row_at_work order by row_id');

/** A round in a process of its own, which is killed where it comes to the poison. */
async function round(poison: string, ...rows: string[]): Promise<{ signal: string | null; done: string[] }> {
  const program = join(import.meta.dirname, 'support/crash/killed-worker.mjs');
  const child = spawn(process.execPath, [program, database.appUrl, payeeId, poison, ...rows]);
  const [printed, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { signal, done: printed.split('\n').filter((line) => line !== '') };
}

describe('a row that ends the process', () => {
  test('goes alone after the second time, so that those beside it are done, and comes again later each time', async () => {
    expect(await round('poison', 'a', 'poison', 'b')).toEqual({ signal: 'SIGKILL', done: ['done a'] });
    await letTimePass();
    // Once may be chance, or an operator's kill.
    expect(await round('none', 'a')).toEqual({ signal: null, done: ['done a'] });
    expect(await round('poison', 'poison', 'b')).toEqual({ signal: 'SIGKILL', done: [] });
    await letTimePass();
    // What was beside it may be to blame as well: it is found twice at an end, and waits.
    expect(await round('poison', 'poison', 'b', 'c')).toEqual({ signal: null, done: ['done c', ...suspected(2, 2)] });
    expect(await pauses()).toEqual({ poison: 4, b: 4 });
    await letTimePass();
    expect(await round('poison', 'b', 'poison')).toEqual({ signal: 'SIGKILL', done: ['done b'] });
    await letTimePass();
    expect(await round('poison', 'poison', 'b')).toEqual({ signal: null, done: ['done b', ...suspected(3)] });
    expect(await pauses()).toEqual({ poison: 8 });
    expect(await setAside()).toEqual([]);
  });

  test('is set aside at the ninth time in a row; what holds money of a payer is not, ever', async () => {
    const errors: string[] = [];
    const workOn = makeWorkOn(database.transact, (_work, error) => void errors.push(String(error)));
    await database.asAdmin(`
      insert into row_at_work (payee_id, work, row_id, not_before, is_under_way, crashes)
      select '${payeeId}', work, 'killed', '-infinity', true, 8 from unnest(array['${WORK}', 'recover-attempts']) work`);
    await workOn(WORK, named('killed'), () => expect.unreachable('it is set aside'));
    await workOn('recover-attempts', named('killed'), () => expect.unreachable('it waits'));
    expect(errors).toEqual(Array(2).fill(expect.stringContaining('under way at 9 ends of processes')));
    expect(await setAside()).toEqual(['killed']);
    await letTimePass();
    const done: string[] = [];
    await workOn('recover-attempts', named('killed'), async (rows) => {
      done.push(...rows.map(({ rowId }) => rowId));
    });
    expect(done).toEqual(['killed']);
  });

  test('is not under suspicion any more once it has failed in order', async () => {
    await database.asAdmin(
      `insert into row_at_work (payee_id, work, row_id, not_before, is_under_way, crashes)
       values ('${payeeId}', '${WORK}', 'row', '-infinity', false, 4)`,
    );
    const workOn = makeWorkOn(database.transact, () => undefined);
    await workOn(WORK, named('row'), () => Promise.reject(new TypeError('no')));
    expect(await noted()).toEqual([expect.objectContaining({ crashes: 0, failures: 1 })]);
  });

  test('is taken again once an operator has put it back', async () => {
    await database.asAdmin(
      `insert into row_at_work (payee_id, work, row_id, not_before, is_under_way, crashes)
       values ('${payeeId}', '${WORK}', 'mended', 'infinity', false, 2)`,
    );
    expect(await round('poison', 'mended')).toEqual({ signal: null, done: [] });
    await database.transact((transaction) => putBack(transaction, { payeeId, work: WORK, rowId: 'mended' }));
    expect(await round('poison', 'mended')).toEqual({ signal: null, done: ['done mended'] });
    expect(await noted()).toEqual([]);
  });
});

test('a row that is worked at for longer than its lease stays with its process', async () => {
  const work = (renewalMs?: number) => makeWorkOn(database.transact, () => undefined, renewalMs);
  const isKept = async () =>
    (await database.asAdmin('select not_before > kontor_now() as kept from row_at_work'))[0]?.['kept'] === true;
  await work(1)(WORK, named('row'), async () => {
    await letTimePass();
    await until(isKept);
    await work()(WORK, named('row'), () => expect.unreachable('another has it'));
  });
  expect(await noted()).toEqual([]);
});

describe('a row that fails', () => {
  const failures: unknown[] = [];
  beforeEach(() => failures.splice(0));
  const workOn = (
    ...parameters: Parameters<ReturnType<typeof makeWorkOn>> extends [unknown, ...infer Rest] ? Rest : never
  ) => makeWorkOn(database.transact, (_work, error) => void failures.push(error))(WORK, ...parameters);

  test('costs its own turn alone, waits longer each time, and is set aside in the end', async () => {
    const done: string[] = [];
    const doThem = async (rows: readonly { rowId: string }[]) => {
      for (const { rowId } of rows) {
        if (rowId === 'bad') throw new TypeError('its content is a secret');
        done.push(rowId);
      }
    };
    const pauses: number[] = [];
    for (let count = 0; count < 9; count++) {
      await workOn(named('bad', 'good'), doThem);
      const [row] = await database.asAdmin(
        `select extract(epoch from not_before - begun_at)::float8 as pause from row_at_work where row_id = 'bad'`,
      );
      pauses.push(Math.round(Number(row?.['pause'])));
      await letTimePass();
    }
    expect(done.filter((rowId) => rowId === 'good')).toHaveLength(9);
    expect(pauses.slice(0, 8)).toEqual([2, 4, 8, 16, 32, 64, 128, 256]);
    expect(failures).toHaveLength(9);
    const rows = await listRowsSetAside(database.read);
    expect(rows).toEqual([expect.objectContaining({ rowId: 'bad', failures: 9, crashes: 0, fault: 'TypeError' })]);
    await workOn(named('bad'), () => expect.unreachable('it is set aside'));
  });

  test('because the database is away is not counted', async () => {
    const away = () => Promise.reject(unavailable('away'));
    for (let count = 0; count < 12; count++) {
      await workOn(named('row'), away);
      await letTimePass();
    }
    expect(await noted()).toEqual([expect.objectContaining({ failures: 0, crashes: 0, is_under_way: false })]);
  });

  test('and could not be given back is given back with the next round, and does not count as a crash', async () => {
    let isAway = false;
    const work = makeWorkOn(
      (change) => (isAway ? Promise.reject(unavailable('away')) : database.transact(change)),
      () => undefined,
    );
    const leave = work(WORK, named('row'), async () => {
      isAway = true;
    });
    await expect(leave).rejects.toMatchObject({ code: 'unavailable' });
    isAway = false;
    await work(WORK, [], async () => undefined);
    expect(await noted()).toEqual([expect.objectContaining({ is_under_way: false, crashes: 0 })]);
  });
});
