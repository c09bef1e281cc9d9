import { isLost, isStale, withoutEffect } from './failures.ts';
import type { Pool } from './pool.ts';
import { retrying } from './retry.ts';
import type { Read, Rows, Statement } from './transaction.types.ts';

/** Connections that a read may find stale, one after the other: more than any pool has. */
const STALE_RETRIES = 10;

/** Makes the `read` of `transaction.types.ts` over the connections of a pool. */
export function makeRead(pool: Pool): Read {
  return (statement, values) => readFrom(pool, statement, values);
}

/**
 * Runs one statement that only reads. A lost connection is a reason to ask again, once, at once: it may have died in the
 * pool, and to read twice does no harm. So is a statement that no longer fits its table, until a new connection is made.
 *
 * @throws Refusal `unavailable` where the database is away or too busy
 */
export async function readFrom<Row>(pool: Pool, statement: Statement, values: readonly unknown[]): Promise<Rows<Row>> {
  try {
    return await retrying({ retries: STALE_RETRIES, pauseCapMs: 0, isWorthRepeating: isStale }, () =>
      retrying({ retries: 1, pauseCapMs: 0, isWorthRepeating: isLost }, () => readOnce<Row>(pool, statement, values)),
    );
  } catch (error) {
    throw withoutEffect(error);
  }
}

async function readOnce<Row>(pool: Pool, statement: Statement, values: readonly unknown[]): Promise<Rows<Row>> {
  const connection = await pool.take();
  try {
    const rows = await connection.run<Row>(statement, values);
    pool.giveBack(connection);
    return rows;
  } catch (error) {
    pool.giveBack(connection, error);
    throw error;
  }
}
