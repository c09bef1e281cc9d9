import { connect, type Settings } from './connection.ts';
import { inTransaction } from './transact.ts';
import type { Transact } from './transaction.types.ts';

const ONE_INSTANT: Settings = {
  default_transaction_isolation: 'repeatable read',
  default_transaction_read_only: 'on',
};

/**
 * Makes a `Transact` for work that reads much and long: each time on a connection of its own, without time-outs, as of
 * one instant. It cannot change anything.
 */
export function makeReport(url: string): Transact {
  return async (work) => {
    const connection = await connect(url, ONE_INSTANT);
    try {
      return await inTransaction(connection, () =>
        work({ run: (statement, values) => connection.run(statement, values) }),
      );
    } finally {
      await connection.end();
    }
  };
}
