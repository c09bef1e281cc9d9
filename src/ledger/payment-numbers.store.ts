import type { Call } from '../db/batch/batch.types.ts';
import { insertRows, overRows } from '../db/over-rows.ts';
import type { Read, Rows } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { PaymentNumber } from './ledger.types.ts';

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
export const insertPaymentNumbers = insertRows<PaymentNumber>('ledger-insert-payment-numbers', 'payment_number', {
  payee_id: ['uuid', 'payeeId'],
  number: ['bigint', 'number'],
  payment_id: ['uuid', 'paymentId'],
});

/** What stands behind such numbers. */
export const FIND_PAYMENT_NUMBERS = overRows<Pick<PaymentNumber, 'payeeId' | 'number'>>({
  name: 'ledger-find-payment-numbers',
  columns: { payee_id: ['uuid', 'payeeId'], number: ['bigint', 'number'] },
  text: ({ places, matches }) => `
    select v.position::int, n.*
    from ${places}
    cross join lateral (
      select payee_id as "payeeId", number, payment_id as "paymentId" from payment_number where ${matches}
      limit 1
    ) n`,
});
