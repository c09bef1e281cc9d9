import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GuardedCall } from '../../src/db/batch/batch.types.ts';
import type { PayeeStatement } from '../../src/db/rows/over-rows.ts';
import type { Statement } from '../../src/db/transaction.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { everyStatement, isClass } from './every-statement.ts';

type OfPayees = Pick<PayeeStatement<never, never>, 'name' | 'text' | 'ofOne'>;

const SOURCES = new URL('../../src/', import.meta.url);

let database: TestDatabase;
let ofPayees: readonly OfPayees[];
/** What batches write: their statements hold themselves to their rows, so that a COMMIT may travel behind them. */
let written: readonly Statement[];
beforeAll(async () => {
  database = await testDatabase();
  ofPayees = [...(await everyStatement()).values()].filter(isOfPayees);
  written = await writtenByBatches();
});
afterAll(() => database.drop());

function isOfPayees(statement: Statement): statement is OfPayees {
  return 'ofOne' in statement;
}

async function writtenByBatches(): Promise<readonly Statement[]> {
  const found = new Map<string, Statement>();
  for (const file of readdirSync(SOURCES, { recursive: true }) as string[]) {
    if (!file.endsWith('.store.ts')) continue;
    const module = (await import(new URL(file, SOURCES).href)) as Record<string, unknown>;
    for (const exported of Object.values(module)) {
      const call = callOf(exported);
      if (call?.isSure) found.set(call.statement.name, call.statement);
    }
  }
  return [...found.values()];
}

/** What is called with rows, and perhaps the time, may be what writes them. */
function callOf(exported: unknown): GuardedCall | undefined {
  if (typeof exported !== 'function' || isClass(exported)) return undefined;
  try {
    const made: unknown = exported([], '', '', '');
    // What asks a database of a transaction that is none.
    if (made instanceof Promise) made.catch(() => undefined);
    return typeof made === 'object' && made !== null && 'isSure' in made ? (made as GuardedCall) : undefined;
  } catch {
    return undefined;
  }
}

/** What PostgreSQL says of texts that it cannot plan. */
async function faultsOf(of: (statement: OfPayees) => string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const statement of ofPayees) {
    await database.asAdmin(`explain (generic_plan) ${of(statement)}`).catch((error: Error) => {
      faults.push(`${statement.name}: ${error.message}`);
    });
  }
  return faults;
}

/** The columns that a text adds rows with, by the name of the table. */
function addedIn({ text }: Pick<Statement, 'text'>): readonly (readonly [table: string, columns: readonly string[]])[] {
  return [...text.matchAll(/insert into (\w+)(?: as \w+)?\s*\(([^)]*)\)/g)].map(([, table = '', columns = '']) => [
    table,
    columns.split(',').map((column) => column.trim()),
  ]);
}

test('statements over rows of payees are found', () => {
  expect(ofPayees.length).toBeGreaterThan(80);
  expect(written.length).toBeGreaterThan(35);
});

test('where their payee comes from is said in one place', () => {
  const places = (readdirSync(SOURCES, { recursive: true }) as string[]).filter(
    (file) =>
      /(?<!\.test)\.ts$/.test(file) &&
      /\bv\.payee_id\b|\bpayee_id: \['uuid'/.test(readFileSync(new URL(file, SOURCES), 'utf8')),
  );
  expect(places).toEqual(['db/rows/over-rows.ts']);
});

test('each can be said of one payee, which is no column of its rows', async () => {
  expect(await faultsOf(({ ofOne }) => ofOne)).toEqual([]);
});

test('each adds rows with their payee', () => {
  const without = ofPayees.filter((one) => addedIn(one).some(([, columns]) => !columns.includes('payee_id')));
  expect(without.map(({ name }) => name)).toEqual([]);
});

describe('what a batch writes has its time', () => {
  test('its statements do not ask the clock', () => {
    expect(written.filter(({ text }) => /\bkontor_now\b|\bnow\(\)/.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test('nor do the columns that they leave to the table', async () => {
    const clocks = await database.asAdmin(`
      select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and column_default ~ 'now'`);
    expect(clocks).toContainEqual({ table: 'payer', column: 'first_seen_at' });
    const left = written.filter((one) =>
      addedIn(one).some(([of, columns]) =>
        clocks.some(({ table, column }) => table === of && !columns.includes(String(column))),
      ),
    );
    expect(left.map(({ name }) => name)).toEqual([]);
  });
});
