import { assert } from '../kit/assert.ts';
import { Refusal } from '../kit/errors.ts';
import type { Call } from './batch/batch.types.ts';
import { AFTER_STALE, type RetryOptions, retrying } from './retry.ts';
import type { Connection } from './server/connection.ts';
import { ConnectionLost, isCollision, isLost, withoutEffect } from './server/failures.ts';
import type { Pool } from './server/pool.ts';
import type { Transact, Transaction } from './transaction.types.ts';

/** Times that a transaction is tried again after a deadlock or a serialization failure. */
const TRANSACTION_RETRIES = 5;
/** Longest pause before such a retry, in milliseconds: shorter than a caller waits for the answer. */
const TRANSACTION_RETRY_PAUSE_MS = 200;
/** A COMMIT may wait for a standby, which no time-out of the server ends. After this its outcome counts as unknown. */
const COMMIT_TIMEOUT_MS = 5_000;

/** Makes the `transact` of `transaction.types.ts` over the connections of a pool. */
export function makeTransact(pool: Pool): Transact {
  return async (work) => {
    try {
      return await retrying(AFTER_STALE, () => retrying(AFTER_COLLISIONS, () => transactOnce(pool, work)));
    } catch (error) {
      throw withoutEffect(error);
    }
  };
}

const AFTER_COLLISIONS: RetryOptions = {
  retries: TRANSACTION_RETRIES,
  pauseCapMs: TRANSACTION_RETRY_PAUSE_MS,
  isWorthRepeating: isCollision,
};

/** A pooled connection may have died unnoticed. While nothing was done on it, another one is as good. */
const AFTER_A_DEAD_CONNECTION: RetryOptions = { retries: 1, pauseCapMs: 0, isWorthRepeating: isLost };

async function transactOnce<Result>(pool: Pool, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  const connection = await retrying(AFTER_A_DEAD_CONNECTION, () => begin(pool));
  const { transaction, close } = transactionOn(connection);
  try {
    const result = await finish(connection, () => work(transaction).finally(close));
    pool.giveBack(connection);
    return result;
  } catch (error) {
    pool.giveBack(connection, error);
    throw error;
  }
}

async function begin(pool: Pool): Promise<Connection> {
  const connection = await pool.take();
  try {
    await connection.command('begin');
    return connection;
  } catch (error) {
    pool.giveBack(connection, error);
    throw error;
  }
}

/** The transaction that the work sees; after `close` it takes no more statements, which would run outside of it. */
function transactionOn(connection: Connection): { transaction: Transaction; close: () => void } {
  let isOpen = true;
  return {
    transaction: {
      run(statement, values) {
        assert(isOpen, `${statement.name} runs before its transaction ends`);
        return connection.run(statement, values);
      },
    },
    close() {
      isOpen = false;
    },
  };
}

/**
 * Does work in one transaction on a connection of the caller's own: for commands that hold a session.
 *
 * @throws what the work throws, after rolling back; and as `commit` does
 */
export async function inTransaction<Result>(connection: Connection, work: () => Promise<Result>): Promise<Result> {
  await connection.command('begin');
  return finish(connection, work);
}

/** Does the work inside the transaction that has begun, and commits it; where the work throws, rolls back. */
async function finish<Result>(connection: Connection, work: () => Promise<Result>): Promise<Result> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
  await commit(connection);
  return result;
}

/**
 * Commits, and believes in it only when the server's tag says COMMIT and no warning came with it: a cancelled wait for
 * the synchronous standby looks like success but for a warning, and after a failover that change would be gone.
 *
 * @param writes the last statements of the transaction, which travel with the COMMIT: where one of them fails, the server
 * does not get to it
 * @throws Refusal `systemerror` where the outcome is not known
 * @throws StatementFailed where the server refused, which means that nothing was done
 * @throws ConnectionLost where the connection broke before, which means the same
 */
export async function commit(connection: Connection, writes: readonly Call[] = []): Promise<void> {
  if (connection.lost) throw new ConnectionLost('the connection broke before the commit');
  const warnings = connection.warnings;
  let tag: string;
  try {
    tag = await connection.commit(writes, COMMIT_TIMEOUT_MS);
  } catch (error) {
    // A session that goes on after the error has not committed; from one that ended we cannot know.
    if (await rollBack(connection)) throw error;
    throw outcomeUnknown(error);
  }
  if (tag === 'COMMIT' && connection.warnings === warnings) return;
  connection.lost = true;
  throw outcomeUnknown(new Error(`commit answered ${tag}, warnings: ${connection.warnings - warnings}`));
}

/** Rolls back. False: the connection did not answer, and is lost; the server rolls back by itself when it notices. */
export async function rollBack(connection: Connection): Promise<boolean> {
  if (connection.lost) return false;
  try {
    await connection.command('rollback');
    return true;
  } catch {
    connection.lost = true;
    return false;
  }
}

function outcomeUnknown(cause: unknown): Refusal {
  return new Refusal('systemerror', 'It is not known whether the change was stored.', { cause });
}
