import { readNow } from '../../db/clock.ts';
import { overRows } from '../../db/rows/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AmountMinor, Currency } from '../../kit/money.ts';
import type { OrderId } from '../../ledger/ledger.types.ts';
import { ORDER_PAYER } from '../orders.tables.ts';
import type { OrderKey, OrderStatus, SealedPayer } from '../orders.types.ts';

const INSERT = overRows<SealedPayer, [now: string]>({
  name: 'order-payers-insert',
  beside: 1,
  columns: ORDER_PAYER.added,
  guard: 'adds',
  text: ({ names, values, rows }) => `
    insert into order_payer (${names}, created_at) select ${values}, $1::timestamptz from ${rows}`,
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

/** An order, and what it knows of its payer, sealed; null where that is nothing, or it has ended. */
export interface OrderOfPerson {
  readonly payeeId: PayeeId;
  readonly orderId: OrderId;
  readonly cardPaymentId: string;
  readonly number: number;
  readonly created: string;
  readonly status: OrderStatus;
  readonly currency: Currency;
  readonly amount: AmountMinor;
  readonly payerReference: string | null;
  readonly userAgent: string | null;
  readonly sealed: Buffer | null;
}

const OF_PERSON = `
  select o.payee_id as "payeeId", o.order_id as "orderId", o.card_payment_id as "cardPaymentId", o.number,
    o.created_at as created, o.status, o.currency, o.amount, o.payer_reference as "payerReference",
    o.terms ->> 'userAgent' as "userAgent", p.sealed`;

/** The orders of a payer, by the payee's reference. */
export async function selectOrdersOf(
  read: Read,
  { payeeId, payerReference }: { readonly payeeId: PayeeId; readonly payerReference: string },
): Promise<readonly OrderOfPerson[]> {
  const { rows } = await read<OrderOfPerson>(
    {
      name: 'order-payers-select-of-payer',
      text: `
        ${OF_PERSON}
        from payment_order o
        left join order_payer p on p.payee_id = o.payee_id and p.order_id = o.order_id
        where o.payee_id = $1 and o.payer_reference = $2
        order by o.created_at`,
    },
    [payeeId, payerReference],
  );
  return rows;
}

/** Some orders that know their payer, behind one, in the order of their ids. */
export async function selectOrdersWithPayer(
  read: Read,
  { payeeId, after, limit }: { readonly payeeId: PayeeId; readonly after: string; readonly limit: number },
): Promise<readonly OrderOfPerson[]> {
  const { rows } = await read<OrderOfPerson>(
    {
      name: 'order-payers-select-with-payer',
      text: `
        ${OF_PERSON}
        from order_payer p
        join payment_order o on o.payee_id = p.payee_id and o.order_id = p.order_id
        where p.payee_id = $1 and p.order_id > $2::uuid and p.sealed is not null
        order by p.order_id
        limit $3`,
    },
    [payeeId, after, limit],
  );
  return rows;
}

/** The card payments of orders. */
export async function selectCardPaymentsOf(
  { run }: Pick<Transaction, 'run'>,
  payeeId: PayeeId,
  orderIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await run<{ readonly paymentId: string }>(
    {
      name: 'order-payers-select-card-payments',
      text: `
        select card_payment_id as "paymentId" from payment_order where payee_id = $1 and order_id = any ($2::uuid[])`,
    },
    [payeeId, orderIds],
  );
  return rows.map(({ paymentId }) => paymentId);
}

/** Erases what orders know of their payers, and answers of how many. */
export async function erasePayers(
  transaction: Transaction,
  payeeId: PayeeId,
  orderIds: readonly string[],
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'order-payers-erase',
      text: `
        update order_payer set sealed = null, sealed_with = null
        where payee_id = $1 and order_id = any ($2::uuid[]) and sealed is not null`,
    },
    [payeeId, orderIds],
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
        with old as materialized (
          select p.payee_id, p.order_id
          from order_payer p
          join payment_order o using (payee_id, order_id)
          where p.sealed is not null and p.created_at < (select kontor_now()) - $1::integer * interval '1 month'
            and o.updated_at < (select kontor_now()) - $1::integer * interval '1 month'
            and o.status <> 'Initialized' and o.authorized_until is null
          order by p.created_at
          limit $2
          for update of p skip locked
        )
        update order_payer p set sealed = null, sealed_with = null
        from old
        where p.payee_id = old.payee_id and p.order_id = old.order_id`,
    },
    [months, limit],
  );
  return count;
}

/** The time of the database. */
export const selectNow = readNow;
