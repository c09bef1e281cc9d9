import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unavailable } from '../src/db/failures.ts';
import { listRowsSetAside, makeWorkOn, putBack } from '../src/db/rows-at-work.ts';
import type { PayeeId } from '../src/kit/ids.ts';
import { type TestDatabase, testDatabase } from './support/database.ts';

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
const setAside = async () => (await listRowsSetAside(database.read)).map(({ rowId }) => rowId);
const noted = () => database.asAdmin('select row_id, is_under_way, crashes, failures from row_at_work order by row_id');

/** A round in a process of its own, which is killed where it comes to the poison. */
async function round(poison: string, ...rows: string[]): Promise<{ signal: string | null; done: string[] }> {
  const program = join(import.meta.dirname, 'support/killed-worker.mjs');
  const child = spawn(process.execPath, [program, database.appUrl, payeeId, poison, ...rows]);
  const [printed, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { signal, done: printed.split('\n').filter((line) => line !== '') };
}

describe('a row that ends the process', () => {
  test('is set aside at the second time, and those beside it are done', async () => {
    expect(await round('poison', 'a', 'poison', 'b')).toEqual({ signal: 'SIGKILL', done: ['done a'] });
    await letTimePass();
    // What was beside it at the first time may be to blame as well, so each goes alone, one a round.
    expect(await round('poison', 'a', 'poison', 'b', 'c')).toEqual({ signal: null, done: ['done c', 'done a'] });
    expect(await round('poison', 'poison', 'b')).toEqual({ signal: 'SIGKILL', done: [] });
    expect(await setAside()).toEqual([]);
    await letTimePass();
    const after = await round('poison', 'poison', 'b');
    expect(after.signal).toBeNull();
    expect(after.done).toContain('done b');
    expect(after.done.join()).toContain('under way at 2 ends of processes');
    expect(await setAside()).toEqual(['poison']);
    expect(await round('poison', 'poison')).toEqual({ signal: null, done: [] });
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
