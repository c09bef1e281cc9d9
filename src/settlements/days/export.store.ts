import type { Read } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';

/** A sale or refund of a day, with the line that has settled it. */
export interface ExportedItem {
  readonly attemptId: string;
  readonly type: string;
  readonly agreement: string;
  readonly currency: Currency;
  readonly amount: number;
  readonly paymentId: string;
  /** Of the payment order that a card has paid a part of. */
  readonly orderNumber: number | null;
  readonly transactionId: string | null;
  readonly acquirerReference: string | null;
  readonly retrievalReference: string;
  readonly batch: string | null;
  /** Of the batch. */
  readonly merchantId: string | null;
  readonly lineId: string | null;
  readonly valueDate: string | null;
  /** What was paid for it, and in which currency; the fee and net amount are in that too. */
  readonly paidCurrency: Currency | null;
  readonly paid: number | null;
  readonly exchangeRate: string | null;
  readonly fee: number | null;
  readonly net: number | null;
  readonly difference: string | null;
}

/** Sales and refunds of a payee's day, by their attempts: those of the next so many items after one, with a line or two for each. */
export async function selectItems(
  read: Read,
  payeeId: PayeeId,
  { day, after, limit }: { readonly day: string; readonly after: string | undefined; readonly limit: number },
): Promise<readonly ExportedItem[]> {
  const { rows } = await read<ExportedItem>(
    {
      name: 'settlements-select-items',
      text: `
        select i.attempt_id as "attemptId", i.type, i.agreement, i.currency, i.amount, i.payment_id as "paymentId",
          o.number as "orderNumber", i.transaction_id as "transactionId", i.acquirer_reference as "acquirerReference",
          i.retrieval_reference as "retrievalReference", b.name as batch, b.merchant_id as "merchantId", i.line_id as "lineId",
          l.value_date::text as "valueDate", l.currency as "paidCurrency", l.gross as paid, l.exchange_rate as "exchangeRate",
          l.fee, l.net,
          (
            select string_agg(f.kind || ' ' || f.state, ', ' order by f.opened_at) from settlement_difference f
            where f.payee_id = i.payee_id and f.attempt_id = i.attempt_id
          ) as difference
        from (
          select * from settlement_item
          where day = $2::date and payee_id = $1::uuid and attempt_id > $3::uuid
            and acquirer in (select acquirer from settlement_day where payee_id = $1::uuid and day = $2::date)
          order by attempt_id
          -- An attempt may have two.
          fetch first ($4::integer) rows with ties
        ) own
        -- What was taken back stands twice: as it was, and taken off again.
        cross join lateral (
          select own.type, own.amount where own.type in ('Sale', 'Refund')
          union all
          select own.type, -own.amount where own.type not in ('Sale', 'Refund')
          union all
          select replace(own.type, 'Reversal', ''), own.amount where own.type not in ('Sale', 'Refund')
        ) as shown (type, amount)
        cross join lateral (
          select own.payee_id, own.attempt_id, own.agreement, own.acquirer, own.currency, own.payment_id, own.transaction_id,
            own.acquirer_reference, own.retrieval_reference, own.batch_id, own.line_id, shown.type, shown.amount
        ) i
        left join settlement_line l on l.payee_id = i.payee_id and l.acquirer = i.acquirer and l.batch_id = i.batch_id
          and l.line_id = i.line_id
        left join settlement_batch b on b.payee_id = l.payee_id and b.acquirer = l.acquirer and b.batch_id = l.batch_id
        left join card_payment c on c.payee_id = i.payee_id and c.payment_id = i.payment_id
        left join payment_order o on o.payee_id = c.payee_id and o.order_id = c.order_id
        order by i.attempt_id, i.type`,
    },
    [payeeId, day, after ?? '00000000-0000-0000-0000-000000000000', limit],
  );
  return rows;
}
