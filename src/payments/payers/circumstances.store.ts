import type { Transaction } from '../../db/transaction.types.ts';

/** Disputes of settlements block payments too. */
const PAYMENTS = 'card_payment';

/** Takes from some payments that ended so long ago what their payers paid with, and metadata; answers of how many. */
export async function forgetCircumstances(
  transaction: Transaction,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'payments-forget-circumstances',
      text: `
        with old as materialized (
          select payee_id, payment_id
          from card_payment
          where (terms ?| array['userAgent', 'initiatingSystemUserAgent'] or terms -> 'metadata' <> '{}')
            and created_at < (select kontor_now()) - $1::integer * interval '1 day'
            and updated_at < (select kontor_now()) - $1::integer * interval '1 day' and unsettled = 0
          order by created_at
          limit $2
          for no key update skip locked
        )
        update ${PAYMENTS} p
        set terms = p.terms - 'userAgent' - 'initiatingSystemUserAgent' || '{"metadata": {}, "areCircumstancesEnded": true}'
        from old
        where p.payee_id = old.payee_id and p.payment_id = old.payment_id`,
    },
    [days, limit],
  );
  return count;
}
