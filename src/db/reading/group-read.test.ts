import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { explain, usesOnlyIndexes } from '../../../test/support/database/explain.ts';
import { GROUP_READ_KEYS } from '../../kit/limits.ts';
import { overPlainRows, overRows } from '../rows/over-rows.ts';
import { openPool, type Pool } from '../server/pool.ts';
import type { GroupStatement } from '../transaction.types.ts';
import { GROUP_READ_WAITING, GROUP_READS_IN_FLIGHT, makeFind } from './group-read.ts';

const database = await testDatabase();
afterAll(() => database.drop());

beforeAll(() =>
  database.asAdmin(`
    create table drawer (payee_id uuid, drawer_no integer, content text, primary key (payee_id, drawer_no));
    grant select on drawer to kontor_app;`),
);

interface DrawerKey {
  readonly payeeId: string;
  readonly drawerNo: number;
}

interface Drawer {
  readonly content: string;
}

const FIND_DRAWER = overRows<DrawerKey>({
  name: 'find-drawer',
  columns: { drawer_no: ['integer', 'drawerNo'] },
  text: ({ places, matches }) => `
    select v.position, t.content from ${places} cross join lateral (select content from drawer where ${matches}) t`,
});

const PAYEES = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

async function fill(drawers: number): Promise<void> {
  await database.asAdmin(`
    truncate drawer;
    insert into drawer
    select payee_id, drawer_no, payee_id || ' ' || drawer_no
    from unnest('{${PAYEES}}'::uuid[]) payee_id, generate_series(1, ${drawers}) drawer_no`);
}

describe('a grouped look-up', () => {
  beforeAll(() => fill(1000));

  test('tells keys of bytes apart that are no text', async () => {
    const find = database.find<{ readonly bytes: Buffer }, { readonly found: string }>(
      overPlainRows<{ readonly bytes: Buffer }>({
        name: 'find-bytes',
        columns: { bytes: ['bytea', 'bytes'] },
        text: ({ places }) => `select v.position::int, encode(v.bytes, 'hex') as found from ${places}`,
      }),
    );
    const digests = [Buffer.from([0xff, 0x80]), Buffer.from([0xff, 0x81])];
    const rows = await Promise.all(digests.map((bytes) => find({ bytes })));
    expect(rows.map((row) => row?.found)).toEqual(['ff80', 'ff81']);
  });

  test('gives each caller the row of its own key, in any mix of known, unknown and repeated keys', async () => {
    const find = database.find<DrawerKey, Drawer>(FIND_DRAWER);
    const key = fc.record({ payeeId: fc.constantFrom(...PAYEES), drawerNo: fc.integer({ min: -5, max: 1010 }) });
    const keys = fc.array(key, { maxLength: 2 * GROUP_READ_KEYS + 50, size: 'max' });
    await fc.assert(
      fc.asyncProperty(keys, async (wanted) => {
        const rows = await Promise.all(wanted.map((one) => find(one)));
        expect(rows.map((row) => row?.content)).toEqual(
          wanted.map(({ payeeId, drawerNo }) =>
            drawerNo >= 1 && drawerNo <= 1000 ? `${payeeId} ${drawerNo}` : undefined,
          ),
        );
      }),
      { numRuns: 40 },
    );
  });

  test('sends what was asked for together in one statement, and what is asked for meanwhile in the next', async () => {
    const { pool, statements } = countingPool();
    const find = makeFind<DrawerKey, Drawer>(pool, FIND_DRAWER);
    const ask = async (count: number) => {
      const before = statements();
      await Promise.all(Array.from({ length: count }, (_, drawerNo) => find({ payeeId: PAYEES[0], drawerNo })));
      return statements() - before;
    };
    expect(await ask(1)).toBe(1);
    expect(await ask(200)).toBe(1);
    expect(await ask(GROUP_READ_KEYS + 1)).toBe(2);
    expect(await ask(5 * GROUP_READ_KEYS)).toBe(5);
  });

  test('waits for all that the event loop has at hand, not only for the first caller', async () => {
    const { pool, statements } = countingPool();
    const find = makeFind<DrawerKey, Drawer>(pool, FIND_DRAWER);
    const ask = (drawerNo: number) => find({ payeeId: PAYEES[0], drawerNo });
    const later = new Promise((resolve) => {
      process.nextTick(() => queueMicrotask(() => process.nextTick(() => resolve(ask(2)))));
    });
    await Promise.all([ask(1), later, Promise.resolve().then(() => ask(3))]);
    expect(statements()).toBe(1);
  });

  test('has no more statements under way than it may, while further keys gather', async () => {
    const { pool, statements } = countingPool();
    const slow = { ...FIND_DRAWER, name: 'find-drawer-slow', text: `${FIND_DRAWER.text}, pg_sleep(0.3)` };
    const find = makeFind<DrawerKey, Drawer>(pool, slow);
    const rows: Promise<Drawer | undefined>[] = [];
    // One more key in every turn of the event loop: without a bound, each would be a statement.
    const askInATurn = async () => {
      rows.push(find({ payeeId: PAYEES[0], drawerNo: rows.length + 1 }));
      await new Promise((resolve) => setImmediate(resolve));
    };
    // Beside a statement that is slow goes a second one, for many keys or after a while.
    while (statements() < GROUP_READS_IN_FLIGHT) await askInATurn();
    for (let more = 0; more < 50; more++) await askInATurn();
    expect(statements()).toBe(GROUP_READS_IN_FLIGHT);
    expect(await Promise.all(rows)).toHaveLength(rows.length);
    expect(statements()).toBe(GROUP_READS_IN_FLIGHT + 1);
  });

  test('gives callers with the same key the same row', async () => {
    const find = database.find<DrawerKey, Drawer>(FIND_DRAWER);
    const key = { payeeId: PAYEES[0], drawerNo: 7 };
    const [one, two] = await Promise.all([find(key), find({ ...key })]);
    expect(one).toBe(two);
  });

  test('that fails fails those of its group only', async () => {
    const failing: GroupStatement<DrawerKey> = {
      ...FIND_DRAWER,
      name: 'find-drawer-failing',
      text: FIND_DRAWER.text.replace('select content', 'select content || (1 / (drawer_no - 13)) as content'),
    };
    const find = database.find<DrawerKey, Drawer>(failing);
    const bad = [12, 13].map((drawerNo) => find({ payeeId: PAYEES[0], drawerNo }));
    const outcomes = await Promise.allSettled(bad);
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'rejected', reason: { code: '22012' } },
    ]);
    expect(await find({ payeeId: PAYEES[0], drawerNo: 14 })).toBeDefined();
  });

  test('that finds two rows for one key is our bug', async () => {
    const ambiguous = {
      ...FIND_DRAWER,
      name: 'find-any',
      text: FIND_DRAWER.text.replace('drawer_no = v.drawer_no', 'true'),
    };
    const find = database.find<DrawerKey, Drawer>(ambiguous);
    await expect(find({ payeeId: PAYEES[0], drawerNo: 1 })).rejects.toThrow('one row for a key');
  });

  test('refuses when too many wait', async () => {
    const find = database.find<DrawerKey, Drawer>(FIND_DRAWER);
    const waiting = Array.from({ length: GROUP_READ_WAITING }, (_, drawerNo) => find({ payeeId: PAYEES[0], drawerNo }));
    await expect(find({ payeeId: PAYEES[0], drawerNo: -1 })).rejects.toMatchObject({ code: 'unavailable' });
    // The same key as one that is waited for already costs nothing more.
    await expect(find({ payeeId: PAYEES[0], drawerNo: 1 })).resolves.toBeDefined();
    expect((await Promise.all(waiting)).filter((row) => row !== undefined)).toHaveLength(1000);
  });

  test('survives the loss of its connections', async () => {
    const find = database.find<DrawerKey, Drawer>(FIND_DRAWER);
    for (let round = 0; round < 10; round++) {
      const { rows } = await database.read<{ pid: number }>(
        { name: 'who', text: 'select pg_backend_pid() as pid' },
        [],
      );
      const [row] = await Promise.all([
        find({ payeeId: PAYEES[1], drawerNo: 3 }),
        database.asAdmin(`select pg_terminate_backend(${rows[0]?.pid})`),
      ]);
      expect(row).toMatchObject({ content: `${PAYEES[1]} 3` });
    }
  });
});

test.each([
  ['empty', async () => fill(0)],
  ['empty and analysed', async () => fill(0).then(() => database.asAdmin('analyze drawer'))],
  ['large', async () => fill(50_000).then(() => database.asAdmin('analyze drawer'))],
])('the plan walks the index where the table is %s', async (_, prepare) => {
  await prepare();
  const plan = await explain(database, FIND_DRAWER);
  expect(plan).toContain('Index Scan using drawer_pkey on drawer');
  expect(usesOnlyIndexes(plan)).toBe(true);
});

/** The pool for reads, counting how often a connection is taken: once for each statement. */
function countingPool(): { pool: Pool; statements: () => number } {
  const pool = openPool({ url: database.appUrl, size: 4, plans: 'index', readOnly: true });
  onTestFinished(() => pool.close());
  let taken = 0;
  const take = () => {
    taken++;
    return pool.take();
  };
  return { pool: { ...pool, take }, statements: () => taken };
}
