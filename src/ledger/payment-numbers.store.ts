import type { Call, GuardedCall } from '../db/batch.types.ts';
import type { GroupStatement } from '../db/transaction.types.ts';
import type { PaymentNumber } from './ledger.types.ts';

/** So many numbers that no payment has. One that is not used in the end is used by nobody. */
export function nextPaymentNumbers(count: number): Call {
  return {
    statement: {
      name: 'ledger-next-payment-numbers',
      text: "select nextval('payment_number_sequence') as number from generate_series(1, $1::integer)",
    },
    values: [count],
  };
}

/** Gives payments their numbers. */
export function insertPaymentNumbers(numbers: readonly PaymentNumber[]): GuardedCall {
  return {
    statement: {
      name: 'ledger-insert-payment-numbers',
      text: `
        insert into payment_number (payee_id, number, payment_id)
        select * from unnest($1::uuid[], $2::bigint[], $3::uuid[])`,
    },
    values: [
      numbers.map(({ payeeId }) => payeeId),
      numbers.map(({ number }) => number),
      numbers.map(({ paymentId }) => paymentId),
    ],
    expected: numbers.length,
  };
}

/** What stands behind such numbers. */
export const FIND_PAYMENT_NUMBERS: GroupStatement<Pick<PaymentNumber, 'payeeId' | 'number'>> = {
  name: 'ledger-find-payment-numbers',
  columns: ['payeeId', 'number'],
  text: `
    select v.position::int, n.*
    from unnest($1::uuid[], $2::bigint[]) with ordinality as v (payee_id, number, position)
    cross join lateral (
      select payee_id as "payeeId", number, payment_id as "paymentId"
      from payment_number
      where payee_id = v.payee_id and number = v.number
      limit 1
    ) n`,
};
