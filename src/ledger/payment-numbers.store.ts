import type { Call } from '../db/batch/batch.types.ts';
import { findRows, insertRows } from '../db/rows/tables.ts';
import type { Read, Rows } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import { PAYMENT_NUMBER } from './ledger.tables.ts';

/**
 * So many numbers for each of these payees, rising. One that is not used in the end is never used. It must be a
 * transaction of its own, which does not wait for the disk: the function in the database says why that is safe.
 */
export function takeNumbers(wanted: ReadonlyMap<PayeeId, number>): Call {
  return {
    statement: {
      name: 'ledger-take-numbers',
      text: 'select payee_id as "payeeId", number from take_numbers($1::uuid[], $2::integer[])',
    },
    values: [[...wanted.keys()], [...wanted.values()]],
  };
}

/** How far the payee that has come furthest is through the numbers of eleven digits: 0 to 1. */
export function selectNumbersUsed(read: Read): Promise<Rows<{ readonly share: number }>> {
  return read(
    {
      name: 'ledger-select-numbers-used',
      text: `
        select coalesce((max(latest) - 10000000000 + 1) / 90000000000.0, 0)::float8 as share
        from number_counter`,
    },
    [],
  );
}

/** Gives payments their numbers. */
export const insertPaymentNumbers = insertRows('ledger-insert-payment-numbers', PAYMENT_NUMBER);

/** What stands behind such numbers. */
export const FIND_PAYMENT_NUMBERS = findRows({
  name: 'ledger-find-payment-numbers',
  table: PAYMENT_NUMBER,
  key: PAYMENT_NUMBER.key,
});
