import type { Transaction } from '../db/transaction.types.ts';

/** Disputes of settlements block payments too. */
const PAYMENTS = 'payment';

/** How much of what is old enough ends in one step. */
export interface Portion {
  readonly days: number;
  readonly limit: number;
}

/** Takes from some payments that ended so long ago where they came from, and answers of how many. */
export async function forgetOfPayments(transaction: Transaction, { days, limit }: Portion): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'accounts-forget-of-payments',
      text: `
        with old as materialized (
          select payee_id, payment_id
          from payment
          where echo -> 'circumstances' ?| array['userAgent', 'payerAddress']
            and created_at < (select kontor_now()) - $1::integer * interval '1 day'
            and updated_at < (select kontor_now()) - $1::integer * interval '1 day'
            and state <> 'CALLING' and hold_expires_at is null
          order by created_at
          limit $2
          for no key update skip locked
        )
        update ${PAYMENTS} p
        set echo = p.echo #- '{circumstances,userAgent}' #- '{circumstances,payerAddress}'
        from old
        where p.payee_id = old.payee_id and p.payment_id = old.payment_id`,
    },
    [days, limit],
  );
  return count;
}

/** The same of captures, cancels and reversals. */
export async function forgetOfTransactions(transaction: Transaction, { days, limit }: Portion): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'accounts-forget-of-transactions',
      text: `
        with old as materialized (
          select t.payee_id, t.transaction_id
          from payment_transaction t
          join payment p on p.payee_id = t.payee_id and p.payment_id = t.payment_id
          where t.echo -> 'circumstances' ?| array['userAgent', 'payerAddress']
            and t.created_at < (select kontor_now()) - $1::integer * interval '1 day'
            and p.updated_at < (select kontor_now()) - $1::integer * interval '1 day'
            and t.state <> 'CALLING' and p.state <> 'CALLING' and p.hold_expires_at is null
          order by t.created_at
          limit $2
          for no key update of t skip locked
        )
        update payment_transaction t
        set echo = t.echo #- '{circumstances,userAgent}' #- '{circumstances,payerAddress}'
        from old
        where t.payee_id = old.payee_id and t.transaction_id = old.transaction_id`,
    },
    [days, limit],
  );
  return count;
}
