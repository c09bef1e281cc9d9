import type { Transaction } from '../../db/transaction.types.ts';
import { tracedValue } from '../../iso8583/traced.rules.ts';
import { assert } from '../../kit/assert.ts';
import { deleteOldTrace, insertTrace } from './trace.store.ts';
import type { TraceRow } from './trace.types.ts';

/** Writes messages that passed. */
export async function keepTrace(transaction: Transaction, rows: readonly TraceRow[]): Promise<void> {
  const kept = rows.map((row) => ({
    ...row,
    retrievalReference: tracedValue(row, 'retrievalReference') ?? null,
    actionCode: tracedValue(row, 'actionCode') ?? null,
  }));
  assert((await insertTrace(transaction, kept)) === rows.length, 'each message is written');
}

/** Deletes some messages that are too old; whether there were any. */
export async function forgetTrace(transaction: Transaction, days: number): Promise<boolean> {
  return (await deleteOldTrace(transaction, days)) > 0;
}
