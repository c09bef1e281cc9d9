import { openPool, type PoolOptions } from '../../src/db/pool.ts';
import type { Statement } from '../../src/db/transaction.types.ts';

/**
 * The plan that a look-up's connection makes for a statement and keeps, whatever its parameters: the lines of EXPLAIN.
 * Architecture: each statement of the hot path is explained against an empty, an analysed empty and a large table.
 */
export function explain(database: { readonly appUrl: string }, statement: Statement): Promise<string> {
  const parameters = new Set(statement.text.match(/\$\d+/g)).size;
  return planOf(database, { statement, plans: 'index', literals: Array(parameters).fill('null') });
}

/** The plan for these values, written as SQL, where the planner is free: as it is for jobs, metrics and commands. */
export function explainFreely(
  database: { readonly appUrl: string },
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

async function planOf(
  { appUrl }: { readonly appUrl: string },
  { statement, plans, literals }: Explained,
): Promise<string> {
  const pool = openPool({ url: appUrl, size: 1, plans });
  const connection = await pool.take();
  try {
    await connection.command(`prepare explained as ${statement.text}`);
    const values = literals.length === 0 ? '' : `(${literals.join(', ')})`;
    const result = await connection.query<{ 'QUERY PLAN': string }>(`explain execute explained${values}`);
    return result.rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    pool.giveBack(connection);
    await pool.close();
  }
}

/** Whether a plan reads tables by their indexes only, one row after the other. */
export function usesOnlyIndexes(plan: string): boolean {
  return !/Seq Scan|Hash Join|Merge Join/.test(plan);
}

/** Each key is looked up once; a table that is walked from its first row to its last would show as an index without a condition. */
export function walksKeys(plan: string): boolean {
  const scans = plan.split('\n').filter((line) => /(Index|Index Only|Bitmap Heap|Tid) Scan/.test(line));
  const conditions = plan.split('\n').filter((line) => /(Index|TID|Recheck) Cond/.test(line));
  return usesOnlyIndexes(plan) && conditions.length >= scans.length;
}
