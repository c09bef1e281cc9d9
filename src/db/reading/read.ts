import { AFTER_STALE, type RetryOptions, retrying } from '../retry.ts';
import { isLost, withoutEffect } from '../server/failures.ts';
import type { Pool } from '../server/pool.ts';
import type { Read, Rows, Statement } from '../transaction.types.ts';

/** To read twice does no harm. */
const AFTER_A_LOST_CONNECTION: RetryOptions = { retries: 1, pauseCapMs: 0, isWorthRepeating: isLost };

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
    return await retrying(AFTER_STALE, () =>
      retrying(AFTER_A_LOST_CONNECTION, () => readOnce<Row>(pool, statement, values)),
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
