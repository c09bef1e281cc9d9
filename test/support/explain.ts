import { openPool } from '../../src/db/pool.ts';
import type { Statement } from '../../src/db/transaction.types.ts';

/**
 * The plan that a look-up's connection makes for a statement and keeps, whatever its parameters: the lines of EXPLAIN.
 * Architecture: each statement of the hot path is explained against an empty, an analysed empty and a large table.
 */
export async function explain(database: { readonly appUrl: string }, { text }: Statement): Promise<string> {
  const pool = openPool({ url: database.appUrl, size: 1, plans: 'index' });
  const connection = await pool.take();
  try {
    await connection.command(`prepare explained as ${text}`);
    const parameters = new Set(text.match(/\$\d+/g)).size;
    const values = parameters === 0 ? '' : `(${Array(parameters).fill('null').join(', ')})`;
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
