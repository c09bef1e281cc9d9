import type { Transaction } from '../../db/transaction.types.ts';

/** How much of what is old enough ends in one step. */
interface Portion {
  readonly days: number;
  readonly limit: number;
}

/** Takes from some orders that ended so long ago what their payers paid with, and metadata; answers of how many. */
export async function forgetOfOrders(transaction: Transaction, { days, limit }: Portion): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'orders-forget-circumstances',
      text: `
        with old as materialized (
          select payee_id, order_id
          from payment_order
          where (terms ?| array['userAgent', 'initiatingSystemUserAgent'] or terms -> 'metadata' <> '{}')
            and created_at < (select kontor_now()) - $1::integer * interval '1 day'
            and updated_at < (select kontor_now()) - $1::integer * interval '1 day'
            and status <> 'Initialized' and authorized_until is null and unsettled = 0
          order by created_at
          limit $2
          for no key update skip locked
        )
        update payment_order o
        set terms = o.terms - 'userAgent' - 'initiatingSystemUserAgent' || '{"metadata": {}}'
        from old
        where o.payee_id = old.payee_id and o.order_id = old.order_id`,
    },
    [days, limit],
  );
  return count;
}
