import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BY_INDEXES } from '../../src/db/reading/walk.ts';
import type { AlongStatement } from '../../src/db/reading/walk.types.ts';
import type { Statement } from '../../src/db/transaction.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { everyStatement, writtenStatements } from './every-statement.ts';
import { idsLeftToFilters, type PlanNode, quadraticParts, scansWithoutKey } from './quadratic.ts';

/**
 * Files with statements that no stand-in can reach: they run on connections of their own, begin or set up a session, or, in lists of the audit
 * trail, are chosen by a word. `test/portal/activity-plans.test.ts` explains these.
 */
const NOT_REACHED =
  /^(db\/(server\/(connection|installation|lock-holders|privileges|open-database|pooler)|schema\/migrate|rows-at-work|batch\/batch-run)|portal\/activity\/activity\.store)\.ts$/;
/** Statements that are made of a name that a stand-in has not, and `lock table`, which has no plan. */
const NOT_EXPLAINED =
  /^(journal-verify-|walk-1-|portal-(select|count)-(orders|one|1|undefined)|vault-lock-card-ranges|settlements-lock-imports)/;

/** What one statement walks for each of some rows, and why it may. */
const MAY_WALK: Readonly<Record<string, string>> = {
  'events-take-probe walks due': 'one delivery, beside itself',
  'gift-cards-verify-sums walks held': 'what one day has moved, made for that day',
  'gift-cards-verify-displaced-movements walks held': 'the same',
};

let database: TestDatabase;
let statements: readonly Statement[];
beforeAll(async () => {
  database = await testDatabase();
  statements = [...(await everyStatement()).values()].filter(({ name }) => !NOT_EXPLAINED.test(name));
  await database.asAdmin(GIVE_EACH_TABLE_A_PAGE);
});
afterAll(() => database.drop());

test('nearly every statement of the sources is found', () => {
  const found = new Set(statements.map(({ name }) => name));
  const missing = [...writtenStatements()].filter(
    ([name, file]) => !(found.has(name) || name.includes('$') || NOT_EXPLAINED.test(name) || NOT_REACHED.test(file)),
  );
  expect(missing).toEqual([]);
  expect(statements.length).toBeGreaterThan(530);
});

describe('no statement computes the same anew for each row', () => {
  test('of tables that were never analysed', async () => {
    expect(await complaints((what) => what.startsWith('computes'))).toEqual([]);
  });

  test('of a million rows of a thousand payees', async () => {
    await database.asAdmin(statistics('1000'));
    expect(await complaints()).toEqual([]);
  });

  test('of a million rows of which one payee has half', async () => {
    await database.asAdmin(statistics('2'));
    expect(await complaints()).toEqual([]);
  });

  test('nor would one unnoticed: a sum that is read beside the rows that it is of', async () => {
    const text = `
      with item as materialized (
        select * from settlement_item
        where acquirer = $2::text and day = $5::date and payee_id = $1::uuid and agreement = $3::text and currency = $4::text
      ), booked as (
        select sum(-e.amount) as amount
        from item i
        join movement m on m.payee_id = i.payee_id and m.payment_id = i.payment_id
        join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Issuer'
      )
      select b.amount, count(*) from item i cross join booked b group by b.amount`;
    await database.asAdmin(statistics('1000'));
    expect(quadraticParts(await planOf({ name: 'control', text }))).toEqual(['computes Aggregate']);
    const kept = { name: 'control', text: text.replace('booked as (', 'booked as materialized (') };
    expect(quadraticParts(await planOf(kept))).toEqual([]);
  });
});

/** What searches read beside what they look up, and why they may. */
const MAY_SCAN: Readonly<Record<string, string>> = {
  'number_block along number_block_pkey': 'its first row',
  'number_counter by payee alone': 'a payee has one',
  'settlement_day by Seq Scan': 'once for a portion: a row for each day',
  'settlement_day along settlement_day_pkey': 'the same',
};

/** Indexes that lead to few rows, of which one more id names some. */
const MAY_FILTER: Readonly<Record<string, string>> = {
  'card_transaction along card_transaction_by_payment': 'of a payment there are few: see `steps-most.rules.ts`',
  'movement along movement_by_payment': 'the same',
  'order_leg along order_leg_by_order': 'of an order there are few',
  'settlement_difference along settlement_difference_by_attempt': 'of an attempt there are few',
};

/**
 * Searches in the sums that are kept of days. By the ids of a day first; where that differs, by the times of all movements: they are counted in
 * `test/gift-cards/kept-liability.test.ts` and `test/settlements/kept-balances.test.ts`.
 */
const OF_KEPT_SUMS = /^(gift-cards|settlements)-verify-(sums|balance-sums|(displaced|summed)-movements|counted-cards)$/;

describe('a search of `ledger verify` looks up by an index all that it compares with the next rows of its walk', () => {
  test.each(['-1', '1000', '2'])('with statistics of %s payees', async (payees) => {
    if (payees !== '-1') await database.asAdmin(statistics(payees));
    const found: string[] = [];
    for (const search of statements.filter(isAlong)) {
      for (const scan of scansWithoutKey(await planOf(search))) {
        const isOfSums = OF_KEPT_SUMS.test(search.name) && scan.endsWith('by payee alone');
        if (!isOfSums && !Object.hasOwn(MAY_SCAN, scan)) found.push(`${search.name}: ${scan}`);
      }
    }
    expect(found).toEqual([]);
  });

  test.each(['-1', '1000', '2'])('and by all ids that it knows, with statistics of %s payees', async (payees) => {
    if (payees !== '-1') await database.asAdmin(statistics(payees));
    const found: string[] = [];
    for (const search of statements.filter(isAlong)) {
      for (const scan of idsLeftToFilters(await planOf(search))) {
        if (!Object.hasOwn(MAY_FILTER, scan)) found.push(`${search.name}: ${scan}`);
      }
    }
    expect(found).toEqual([]);
  });

  test('nor would one that has no index go unnoticed', async () => {
    const search = statements.find(({ name }) => name === 'payments-verify-waiting-transactions') as Statement;
    const text = search.text.replace('a.attempt_id = t.attempt_id', 'a.issuer = t.attempt_id::text');
    expect(scansWithoutKey(await planOf({ ...search, text }))).toEqual(['issuer_attempt along issuer_attempt_pkey']);
  });
});

/** Lists with a second range, and why no index leads the planner to walk that. */
const MAY_HAVE_TWO_RANGES: readonly (readonly [RegExp, string])[] = [
  [/-forget\b|^ledger-end-numbers$/, 'of the two times of a row one alone has an index'],
  [/^three-ds-select-ranges-near$/, 'a card number between two numbers: see ranges.store'],
  [/^portal-select-activity/, 'of the two, ids alone have an index of the payee, and an object has few rows'],
  [/^portal-count-/, 'they count: all rows of the period are read, whatever index leads to them'],
];

test('a list has one range beside its limit: with two, the planner may walk the index of the other, and sort what it finds', () => {
  const found = statements.filter(({ text }) =>
    conditionsBesideLimits(text).some((conditions) => rangesIn(conditions) > 1),
  );
  const unexplained = found.filter(({ name }) => !MAY_HAVE_TWO_RANGES.some(([known]) => known.test(name)));
  expect(unexplained.map(({ name }) => name)).toEqual([]);
  const control = 'select * from movement where movement_id > $1 and happened_at < $2 order by movement_id limit 10';
  expect(conditionsBesideLimits(control).map(rangesIn)).toEqual([2]);
});

test('a list has bounds that are always there: to what may be null no index is walked', () => {
  expect(statements.filter(({ text }) => hasBoundThatMayBeNull(text)).map(({ name }) => name)).toEqual([]);
  const control =
    'select * from dispute where ($2::uuid is null or (opened_at, dispute_id) < ($1, $2)) order by 1 limit 9';
  expect(hasBoundThatMayBeNull(control)).toBe(true);
});

function hasBoundThatMayBeNull(text: string): boolean {
  return conditionsBesideLimits(text).some((conditions) =>
    /\$\d+::\w+ is null or \(?[\w., "]+\)? [<>]/.test(conditions),
  );
}

/** What stands behind each `where` that an order and a limit of the same select follow. */
function conditionsBesideLimits(text: string): readonly string[] {
  return text
    .split(/\bwhere\b/)
    .slice(1)
    .map(uptoEndOfSelect)
    .filter((rest) => /\border by\b[^()]*\blimit\b/.test(rest))
    .map((rest) => rest.split(/\border by\b/)[0] ?? '');
}

function uptoEndOfSelect(text: string): string {
  let depth = 0;
  const end = [...text].findIndex((character) => {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    return depth < 0;
  });
  return end < 0 ? text : text.slice(0, end);
}

function rangesIn(conditions: string): number {
  const columns = conditions.matchAll(/\b([a-z_.]+) [<>]=? (?:\$\d|\(select kontor_now|kontor_now)/g);
  return new Set([...columns].map(([, column]) => column)).size;
}

async function complaints(counts = (_what: string) => true): Promise<readonly string[]> {
  const found: string[] = [];
  for (const statement of statements) {
    for (const what of quadraticParts(await planOf(statement))) {
      const complaint = `${statement.name} ${what}`;
      if (counts(what) && !Object.hasOwn(MAY_WALK, complaint)) found.push(complaint);
    }
  }
  return found;
}

/** The plan for any values, with the settings that the statement runs with. */
async function planOf(statement: Statement): Promise<PlanNode> {
  const { name, text } = statement;
  const settings = isAlong(statement)
    ? BY_INDEXES.text
    : `set enable_nestloop = ${name.includes('-verify-') ? 'off' : 'on'}`;
  const [row] = await database.asAdmin(`
    ${settings.replaceAll("'off', true", "'off', false")};
    explain (generic_plan, verbose, format json) ${text}`);
  const plan = row?.['QUERY PLAN'];
  const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ readonly Plan: PlanNode }];
  return Plan;
}

function isAlong(statement: Statement): statement is AlongStatement {
  return 'along' in statement;
}

/**
 * A row that is taken back leaves the page that it stood on: the planner takes a table without any for empty, whatever its statistics say.
 * With a page it believes them.
 */
const GIVE_EACH_TABLE_A_PAGE = `
  do $$
  declare t record; c record;
  begin
    set local session_replication_role = replica;
    for t in select oid, oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition loop
      begin
        for c in select conname from pg_constraint where conrelid = t.oid and contype in ('p', 'u', 'c', 'x') loop
          execute format('alter table %s drop constraint %I cascade', t.name, c.conname);
        end loop;
        for c in select attname from pg_attribute
          where attrelid = t.oid and attnum > 0 and attnotnull and not attisdropped and attidentity = '' loop
          execute format('alter table %s alter column %I drop not null', t.name, c.attname);
        end loop;
        execute format('insert into %s default values', t.name);
        raise exception using errcode = 'UNDO1';
      exception when sqlstate 'UNDO1' then null;
      end;
    end loop;
  end $$`;

/** Statistics of a million rows in each table. @param payees how many values `payee_id` has, as pg_stats counts them */
const statistics = (payees: string) => `
  do $$
  declare t record; c record;
  begin
    for t in select oid, relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
      perform pg_restore_relation_stats('schemaname', 'public', 'relname', t.relname::text, 'relpages', 1,
        'reltuples', 1000000::real);
      for c in select attname, atttypid::regtype::text as type from pg_attribute
        where attrelid = t.oid and attnum > 0 and not attisdropped loop
        perform pg_restore_attribute_stats('schemaname', 'public', 'relname', t.relname::text, 'attname', c.attname::text,
          'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', (case
            when c.attname = 'payee_id' then ${payees}
            when c.type in ('uuid', 'bytea', 'bigint', 'timestamp with time zone') then -1
            when c.type = 'date' then 300
            when c.type = 'boolean' then 2
            else 10
          end)::real);
      end loop;
    end loop;
  end $$`;
