import { overRows } from '../../db/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { OrderKey, SealedPayer } from '../orders.types.ts';

const INSERT = overRows<SealedPayer, [now: string]>({
  name: 'order-payers-insert',
  beside: 1,
  columns: {
    payee_id: ['uuid', 'payeeId'],
    order_id: ['uuid', 'orderId'],
    sealed: ['bytea', 'sealed'],
    sealed_with: ['text', 'sealedWith'],
  },
  guard: 'adds',
  text: ({ names, rows }) => `
    insert into order_payer (${names}, created_at) select v.*, $1::timestamptz from ${rows}`,
});

/** Adds what is known of the payers of new orders. */
export const insertPayers = INSERT.call;

/** What is known of the payer of an order; undefined where that is nothing. */
export async function selectPayer(read: Read, { payeeId, orderId }: OrderKey): Promise<Buffer | undefined> {
  const { rows } = await read<{ readonly sealed: Buffer | null }>(
    {
      name: 'order-payers-select',
      text: 'select sealed from order_payer where payee_id = $1 and order_id = $2',
    },
    [payeeId, orderId],
  );
  return rows[0]?.sealed ?? undefined;
}

/** Erases what is known of a payer by all orders that name them, and answers of how many. */
export async function erasePayer(
  transaction: Transaction,
  { payeeId, payerReference }: { readonly payeeId: PayeeId; readonly payerReference: string },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'order-payers-erase',
      text: `
        update order_payer p set sealed = null, sealed_with = null
        from payment_order o
        where o.payee_id = $1 and o.payer_reference = $2 and p.payee_id = o.payee_id and p.order_id = o.order_id
          and p.sealed is not null`,
    },
    [payeeId, payerReference],
  );
  return count;
}

/** Erases what is known of some payers whose orders ended so long ago, and answers of how many. */
export async function forgetPayers(
  transaction: Transaction,
  { months, limit }: { readonly months: number; readonly limit: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'order-payers-forget',
      text: `
        update order_payer p set sealed = null, sealed_with = null
        from (
          select p.payee_id, p.order_id
          from order_payer p
          join payment_order o using (payee_id, order_id)
          where p.sealed is not null and p.created_at < (select kontor_now()) - $1::integer * interval '1 month'
            and o.updated_at < (select kontor_now()) - $1::integer * interval '1 month'
            and o.status <> 'Initialized' and o.authorized_until is null
          order by p.created_at
          limit $2
          for update of p skip locked
        ) old
        where p.payee_id = old.payee_id and p.order_id = old.order_id`,
    },
    [months, limit],
  );
  return count;
}
