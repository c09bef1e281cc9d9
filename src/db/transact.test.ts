import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { until } from '../../test/support/until.ts';
import { Refusal } from '../kit/errors.ts';
import { connect } from './server/connection.ts';
import { ConnectionLost, StatementFailed, violates } from './server/failures.ts';
import type { Statement, Transaction } from './transaction.types.ts';

const database = await testDatabase();
const { transact, read } = database;
afterAll(() => database.drop());

beforeAll(() =>
  database.asAdmin(`
    create table box (
      box_id integer primary key,
      content text not null,
      constraint content_is_not_empty check (content <> ''),
      constraint content_is_unique unique (content) deferrable initially deferred
    );
    grant all on box to kontor_app;

    -- What happens during COMMIT, chosen by the row that is inserted.
    create function at_commit() returns trigger language plpgsql as $$
      begin
        if new.content = 'warn' then raise warning 'this commit is not what it seems'; end if;
        if new.content = 'notice' then raise notice 'this one is'; end if;
        if new.content = 'wait' then perform pg_sleep(4); end if;
        return null;
      end $$;
    create constraint trigger at_commit after insert on box deferrable initially deferred
      for each row execute function at_commit();`),
);
afterEach(() => database.asAdmin('truncate box'));
afterEach(() => expect(database.stats().changes).toMatchObject({ waiting: 0 }));

const INSERT: Statement = { name: 'insert-box', text: 'insert into box (box_id, content) values ($1, $2)' };
const UPDATE: Statement = { name: 'update-box', text: 'update box set content = $2 where box_id = $1' };
const LIST: Statement = { name: 'list-boxes', text: 'select content from box order by box_id' };
const WHO: Statement = { name: 'who', text: 'select pg_backend_pid() as pid' };
const IDLE_IN_TRANSACTION: Statement = {
  name: 'count-open-transactions',
  text: `select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
};

async function contents(): Promise<string[]> {
  const { rows } = await read<{ content: string }>(LIST, []);
  return rows.map(({ content }) => content);
}

async function pidOf(transaction: Transaction): Promise<number> {
  const { rows } = await transaction.run<{ pid: number }>(WHO, []);
  return rows[0]?.pid ?? 0;
}

async function isGone(pid: number): Promise<boolean> {
  const { count } = await read({ name: 'find-session', text: 'select from pg_stat_activity where pid = $1' }, [pid]);
  return count === 0;
}

/** Waits until a COMMIT of this database is under way, then ends or cancels it. */
async function disturbCommit(how: 'pg_terminate_backend' | 'pg_cancel_backend'): Promise<void> {
  const find = `select pid from pg_stat_activity where datname = '${database.name}' and query = 'commit' and state = 'active'`;
  await until(async () => (await read({ name: 'find-commit', text: find }, [])).count === 1);
  await database.asAdmin(`select ${how}(pid) from (${find}) p`);
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable('it fails'),
    (error: unknown) => error,
  );
}

describe('a transaction', () => {
  test('keeps what the work did and returns its result', async () => {
    const result = await transact(async (transaction) => {
      expect(await transaction.run(INSERT, [1, 'one'])).toEqual({ rows: [], count: 1 });
      expect(await transaction.run(UPDATE, [2, 'two'])).toEqual({ rows: [], count: 0 });
      return 'done';
    });
    expect(result).toBe('done');
    expect(await contents()).toEqual(['one']);
  });

  test('takes everything back where the work throws, and passes the error on', async () => {
    const refusal = new Refusal('conflict', 'No.');
    const failure = await failureOf(
      transact(async (transaction) => {
        await transaction.run(INSERT, [1, 'one']);
        throw refusal;
      }),
    );
    expect(failure).toBe(refusal);
    expect(await contents()).toEqual([]);
    expect((await read<{ count: number }>(IDLE_IN_TRANSACTION, [])).rows).toEqual([{ count: 0 }]);
  });

  test('sends statements that were started together in one flight, and in order', async () => {
    await transact((transaction) =>
      Promise.all([
        transaction.run(INSERT, [1, 'one']),
        transaction.run(UPDATE, [1, 'uno']),
        transaction.run(INSERT, [2, 'two']),
      ]),
    );
    expect(await contents()).toEqual(['uno', 'two']);
  });

  test('does not commit where the work has hidden a failed statement', async () => {
    const failure = await failureOf(
      transact(async (transaction) => {
        await transaction.run(INSERT, [1, 'one']);
        await transaction.run(INSERT, [2, '']).catch(() => undefined);
      }),
    );
    expect(failure).toMatchObject({ code: 'systemerror' });
    expect(await contents()).toEqual([]);
  });

  test('takes no statement after its end', async () => {
    const kept = await transact(async (transaction) => transaction);
    expect(() => kept.run(LIST, [])).toThrow('before its transaction ends');
  });
});

describe('a statement that fails', () => {
  test('names its constraint and shows no value, wherever the driver had put it', async () => {
    const failure = await failureOf(transact((transaction) => transaction.run(INSERT, [4571991, ''])));
    expect(failure).toBeInstanceOf(StatementFailed);
    expect(failure).toMatchObject({ code: '23514', constraint: 'content_is_not_empty', statement: 'insert-box' });
    expect(violates(failure, 'content_is_not_empty')).toBe(true);
    expect(violates(failure, 'content_is_unique')).toBe(false);
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain('4571991');
  });

  test('shows no value that the server quotes in its message', async () => {
    const failure = await failureOf(transact((transaction) => transaction.run(INSERT, ['99999999999', 'a'])));
    expect(failure).toMatchObject({ code: '22003' });
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain('99999');
  });

  test('at COMMIT is known to have had no effect', async () => {
    const failure = await failureOf(
      transact(async (transaction) => {
        await transaction.run(INSERT, [1, 'same']);
        await transaction.run(INSERT, [2, 'same']);
      }),
    );
    expect(violates(failure, 'content_is_unique')).toBe(true);
    expect(await contents()).toEqual([]);
  });
});

describe('transactions in each other’s way', () => {
  test('are tried again after a deadlock, and all succeed', async () => {
    await transact((transaction) => Promise.all([1, 2].map((id) => transaction.run(INSERT, [id, `box ${id}`]))));
    let holding = 0;
    // Each takes one row and then the other's, so one of the first two runs must give way. On a slow machine they may meet again.
    const crossing = (first: number, second: number) =>
      transact(async (transaction) => {
        await transaction.run(UPDATE, [first, `${first} by ${first}`]);
        holding++;
        await until(() => holding >= 2);
        await transaction.run(UPDATE, [second, `${second} by ${first}`]);
      });
    await Promise.all([crossing(1, 2), crossing(2, 1)]);
    expect(holding).toBeGreaterThanOrEqual(3);
    expect([
      ['1 by 1', '2 by 1'],
      ['1 by 2', '2 by 2'],
    ]).toContainEqual(await contents());
  });

  test('are given up after five retries: unavailable, as nothing was done', async () => {
    const fail = { name: 'fail', text: `do $$ begin raise exception 'again' using errcode = '40001'; end $$` };
    let runs = 0;
    const failure = await failureOf(
      transact((transaction) => {
        runs++;
        return transaction.run(fail, []);
      }),
    );
    expect(failure).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(runs).toBe(6);
  });

  test('wait for a lock no longer than its time-out', async () => {
    await transact((transaction) => transaction.run(INSERT, [1, 'one']));
    const failure = await transact(async (holder) => {
      await holder.run(UPDATE, [1, 'held']);
      return failureOf(transact((other) => other.run(UPDATE, [1, 'late'])));
    });
    expect(failure).toMatchObject({ code: 'unavailable', cause: { code: '55P03' } });
    expect(await contents()).toEqual(['held']);
  });
});

describe('a connection that breaks', () => {
  test('during the work: unavailable, as nothing was done', async () => {
    const failure = await failureOf(
      transact(async (transaction) => {
        await transaction.run(INSERT, [1, 'one']);
        await database.asAdmin(`select pg_terminate_backend(${await pidOf(transaction)})`);
        await transaction.run(INSERT, [2, 'two']);
      }),
    );
    expect(failure).toMatchObject({ code: 'unavailable', cause: expect.any(ConnectionLost) });
    expect(await contents()).toEqual([]);
  });

  test('between the work and COMMIT: unavailable, as no COMMIT is sent', async () => {
    const failure = await failureOf(
      transact(async (transaction) => {
        await transaction.run(INSERT, [1, 'one']);
        const pid = await pidOf(transaction);
        await database.asAdmin(`select pg_terminate_backend(${pid})`);
        await until(() => isGone(pid));
        // Another turn of the event loop, in which the news of the loss is read.
        await isGone(pid);
      }),
    );
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(await contents()).toEqual([]);
  });

  test('during COMMIT: the outcome is unknown', async () => {
    const commit = failureOf(transact((transaction) => transaction.run(INSERT, [1, 'wait'])));
    await disturbCommit('pg_terminate_backend');
    expect(await commit).toMatchObject({ code: 'systemerror' });
  });

  test('is not used again', async () => {
    const before = await transact(pidOf);
    await database.asAdmin(`select pg_terminate_backend(${before})`);
    expect(await transact(pidOf)).not.toBe(before);
  });
});

describe('COMMIT', () => {
  test('that is cancelled has had no effect: unavailable', async () => {
    const commit = failureOf(transact((transaction) => transaction.run(INSERT, [1, 'wait'])));
    await disturbCommit('pg_cancel_backend');
    expect(await commit).toMatchObject({ code: 'unavailable', cause: { code: '57014' } });
    expect(await contents()).toEqual([]);
  });

  test('with a warning is not believed, and its connection is thrown away', async () => {
    let pid = 0;
    const failure = await failureOf(
      transact(async (transaction) => {
        pid = await pidOf(transaction);
        await transaction.run(INSERT, [1, 'warn']);
      }),
    );
    expect(failure).toMatchObject({ code: 'systemerror' });
    await until(() => isGone(pid));
  });

  test('with a mere notice is believed', async () => {
    await transact((transaction) => transaction.run(INSERT, [1, 'notice']));
    expect(await contents()).toEqual(['notice']);
  });
});

describe('a flight of statements', () => {
  const calls = (...calls: [Statement, unknown[]][]) => calls.map(([statement, values]) => ({ statement, values }));

  test('ends at the one that fails: those behind it are not run, and can be run later', async () => {
    const connection = await connect(database.appUrl);
    try {
      const failing = calls([INSERT, [1, 'one']], [UPDATE, [1, '']], [LIST, []]);
      const failure = await failureOf(connection.fly(failing));
      expect(failure).toMatchObject({ statement: UPDATE.name, code: '23514' });
      expect(await contents(), 'all are one transaction').toEqual([]);
      const [inserted, listed] = await connection.fly(calls([INSERT, [2, 'two']], [LIST, []]));
      expect(inserted).toEqual({ rows: [], count: 1 });
      expect(listed).toEqual({ rows: [{ content: 'two' }], count: 1 });
    } finally {
      await connection.end();
    }
  });

  test('is not sent where one of its values cannot be written', async () => {
    const connection = await connect(database.appUrl);
    try {
      await failureOf(connection.fly(calls([INSERT, [1, 'one']], [LIST, [{ unwritable: 1n }]])));
      expect(await contents()).toEqual([]);
      expect(await connection.run(INSERT, [1, 'one'])).toEqual({ rows: [], count: 1 });
    } finally {
      await connection.end();
    }
  });
});
