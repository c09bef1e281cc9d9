import { beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../../../src/db/server/connection.ts';
import { openPool, type PoolOptions } from '../../../src/db/server/pool.ts';
import type { Statement, Transaction } from '../../../src/db/transaction.types.ts';
import type { TestDatabase } from './database.ts';

/**
 * An index of which only the payee is asked, and the rest is looked at in each row. On an empty table every index costs the
 * same, so the planner may take one that only begins like the right one, and keeps it until the table is analysed.
 */
const WALKS_A_PAYEE = /Index Cond: \(payee_id = [^()]+\)\n\s*Filter:|BitmapAnd/;

/** An index of which only a constant is asked: all rows that have it are read for each statement, more with each day. */
const WALKS_A_CONSTANT = /Index Cond: \(\w+ = '[^']*'::\w+\)$/m;

/** An index that is read from its beginning to its end: what a volatile function gives is no condition of it, and is asked of each row. */
const WALKS_AN_INDEX = /Index (?:Only )?Scan using [^\n]+\n(?!\s*Index Cond:)/;

/** Statements that may, and why: beside these, look-ups have one index that they can take. */
const MAY_WALK_A_PAYEE: Readonly<Record<string, string>> = {
  'gift-cards-find-products': 'a payee has a handful of products',
  'ledger-find-payment-numbers': 'once for a reversal that names a deposit by its number',
  'orders-find-offers': 'a payee has a handful of products',
  'payments-begin-try':
    'two unique constraints of a card begin with the payee; a minute after its first rows it is analysed',
  'payments-select-held': 'of the few cards that one payment leaves behind',
  'tokens-select-by-instrument': 'as payments-begin-try, and only where an acquirer says that a card was replaced',
  'vault-lock-instruments': 'as payments-begin-try, and only where tokens are deleted',
  'vault-select-card': 'as payments-begin-try',
};

/** Statements that may, of an index of few rows. */
const MAY_WALK_AN_INDEX: Readonly<Record<string, string>> = {
  'issuers-take-due-attempts': 'what is being taken back is an index of its own',
  'payments-select-due-holds': 'attempts that are open are an index of their own',
};

/** Statements, and the tables that they are explained against. */
export interface Plans {
  readonly database: () => TestDatabase;
  /** Makes the tables large: enough rows that the planner would not read them as a whole. */
  readonly fill: () => Promise<void>;
  /** Of requests and batches: their connections walk indexes whatever the tables' sizes were when the plan was made. */
  readonly keyed: readonly Statement[];
  /** Of jobs, metrics and commands, each with values: the planner is free, and must find the index once a table is large. */
  readonly free?: readonly (readonly [Statement, ...string[]])[];
}

/** SQL: a card is held for each account, and the time of one in a hundred is over. */
export const HELD_CARDS = `
  insert into instrument (payee_id, instrument_id, kind, fingerprint, fingerprint_key_id, sealed, card_data_key_id,
    last_four, masked)
  select payee_id, account_id, 'Card', number_digest, 'f', '\\x00', 'd', '0004', '492500******0004' from account;
  insert into held_card (payee_id, attempt_id, instrument_id, held_at, due_at)
  select payee_id, account_id, account_id, kontor_now(),
    kontor_now() + case when get_byte(number_digest, 0) < 3 then -1 else 1 end * interval '1 day'
  from account;`;

/** Tests that statements find their rows by index: on empty tables, analysed empty ones, large ones, and those after a vacuum. */
export function testPlans({ database, fill, keyed, free = [] }: Plans): void {
  describe.each([
    ['empty', () => Promise.resolve()],
    ['analysed and empty', () => database().asAdmin('analyze')],
    ['large', fill],
    // Their visibility maps are set, so the planner may read an index alone.
    ['vacuumed', () => database().asAdmin('vacuum')],
  ] as const)('on %s tables', (size, prepare) => {
    beforeAll(async () => {
      await prepare();
    });

    test.each(keyed.map((statement) => [statement.name, statement] as const))(
      '%s walks an index, key by key',
      async (_name, statement) => {
        const plan = await explain(database(), statement);
        expect(walksKeys(plan) ? 'walks keys' : plan).toBe('walks keys');
        expect(plan).not.toMatch(WALKS_A_CONSTANT);
        if (!Object.hasOwn(MAY_WALK_A_PAYEE, statement.name)) expect(plan).not.toMatch(WALKS_A_PAYEE);
      },
    );

    // A small table is read as a whole, and rightly so.
    if (!['large', 'vacuumed'].includes(size) || free.length === 0) return;
    test.each(free.map(([statement, ...values]) => [statement.name, statement, values] as const))(
      '%s finds its index',
      async (_name, statement, values) => {
        const plan = await explainFreely(database(), statement, values);
        expect(usesOnlyIndexes(plan) ? 'by index' : plan).toBe('by index');
        if (!Object.hasOwn(MAY_WALK_AN_INDEX, statement.name)) expect(plan).not.toMatch(WALKS_AN_INDEX);
      },
    );
  });
}

/** The statement that a store's function runs; it is kept instead. */
export function statementOf(run: (transaction: Transaction) => unknown): Statement {
  const [statement] = statementsOf(run);
  if (statement === undefined) throw new Error('it runs a statement at once');
  return statement;
}

/** All statements that it runs at once. */
export function statementsOf(run: (transaction: Transaction) => unknown): readonly Statement[] {
  const kept: Statement[] = [];
  run({
    run: (statement) => {
      kept.push(statement);
      return Promise.resolve({ rows: [], count: 0 });
    },
  });
  return kept;
}

/**
 * The plan that a look-up's connection makes for a statement and keeps, whatever its parameters: the lines of EXPLAIN.
 * Architecture: each statement of the hot path is explained against an empty, an analysed empty and a large table.
 */
export function explain(database: Explainable, statement: Statement): Promise<string> {
  const parameters = new Set(statement.text.match(/\$\d+/g)).size;
  return planOf(database, { statement, plans: 'index', literals: Array(parameters).fill('null') });
}

/** The plan for these values, written as SQL, where the planner is free: as it is for jobs, metrics and commands. */
export function explainFreely(
  database: Explainable,
  statement: Statement,
  literals: readonly string[],
): Promise<string> {
  return planOf(database, { statement, plans: 'any', literals });
}

interface Explained {
  readonly statement: Statement;
  readonly plans: PoolOptions['plans'];
  readonly literals: readonly string[];
}

async function planOf(database: Explainable, { statement, plans, literals }: Explained): Promise<string> {
  const connection = await connectionFor(database, plans);
  try {
    await connection.command(`prepare explained as ${statement.text}`);
    const values = literals.length === 0 ? '' : `(${literals.join(', ')})`;
    const result = await connection.query<{ 'QUERY PLAN': string }>(`explain execute explained${values}`);
    return result.rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await connection.command('deallocate all');
  }
}

type Explainable = Pick<TestDatabase, 'appUrl' | 'beforeDrop'>;

/** A connection for each database and kind of plans: a new one reads the catalogue anew, which takes longer than a plan. */
const connections = new WeakMap<Explainable, Map<PoolOptions['plans'], Promise<Connection>>>();

function connectionFor(database: Explainable, plans: PoolOptions['plans']): Promise<Connection> {
  const known = connections.get(database) ?? new Map<PoolOptions['plans'], Promise<Connection>>();
  connections.set(database, known);
  const connection = known.get(plans) ?? connect(database, plans);
  known.set(plans, connection);
  return connection;
}

async function connect({ appUrl, beforeDrop }: Explainable, plans: PoolOptions['plans']): Promise<Connection> {
  const pool = openPool({ url: appUrl, size: 1, plans });
  const connection = await pool.take();
  beforeDrop(async () => {
    pool.giveBack(connection);
    await pool.close();
  });
  return connection;
}

/** What background work has in its hands, and a row for each acquirer: no test makes them large, and reading them as a whole is right. */
const NEARLY_EMPTY = /Seq Scan on (?:row_at_work|acquirer_day) /g;

/** Whether a plan reads tables by their indexes only, one row after the other. */
export function usesOnlyIndexes(plan: string): boolean {
  return !/Seq Scan|Hash Join|Merge Join/.test(plan.replaceAll(NEARLY_EMPTY, ''));
}

/** Each key is looked up once; a table that is walked from its first row to its last would show as an index without a condition. */
export function walksKeys(plan: string): boolean {
  const scans = plan.split('\n').filter((line) => /(Index|Index Only|Bitmap Heap|Tid) Scan/.test(line));
  const conditions = plan.split('\n').filter((line) => /(Index|TID|Recheck) Cond/.test(line));
  return usesOnlyIndexes(plan) && conditions.length >= scans.length;
}
