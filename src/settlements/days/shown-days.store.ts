import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { behind } from '../list-bounds.types.ts';
import type { Payout, SettlementsAsked, ShownSettlement } from '../settlements.types.ts';
import type { DueDay } from './days.types.ts';

/** The columns of a closed day, as the types name them. */
const SETTLEMENT_COLUMNS = (of: string): string =>
  [
    'payee_id as "payeeId"',
    'settlement_id as "settlementId"',
    'acquirer',
    'agreement',
    'merchant_id as "merchantId"',
    'currency',
    'day::text as day',
    'state',
    'sales_number as "salesNumber"',
    'sales_amount as "salesAmount"',
    'sale_reversals_number as "saleReversalsNumber"',
    'sale_reversals_amount as "saleReversalsAmount"',
    'refunds_number as "refundsNumber"',
    'refunds_amount as "refundsAmount"',
    'refund_reversals_number as "refundReversalsNumber"',
    'refund_reversals_amount as "refundReversalsAmount"',
    'net',
    'acquirer_totals as "acquirerTotals"',
    'closed_at as "closedAt"',
    'event_sequence as "eventSequence"',
  ]
    .map((column) => `${of}.${column}`)
    .join(', ');

/** What became of a closed day since. */
const SINCE = `
  cross join lateral (
    select count(*) filter (where coalesce(i.batch_id, i.ended_by::text) is not null) as "settledNumber",
      coalesce(sum(i.amount) filter (where coalesce(i.batch_id, i.ended_by::text) is not null), 0)::bigint as "settledAmount"
    from settlement_item i
    where i.acquirer = d.acquirer and i.day = d.day and i.payee_id = d.payee_id and i.agreement = d.agreement
      and i.currency = d.currency and i.type in ('Sale', 'Refund')
  ) s
  cross join lateral (
    select count(*) as "openDifferences"
    from settlement_difference f
    where f.payee_id = d.payee_id and f.state = 'Open' and f.agreement = d.agreement and f.currency = d.currency
      and f.day = d.day
  ) f
  cross join lateral (
    select count(*) as "openTakeBacks"
    from issuer_attempt a
    join acquirer_exchange x on x.payee_id = a.payee_id and x.attempt_id = a.attempt_id and x.kind = 'Ask'
    where a.due_at is not null and a.payee_id = d.payee_id and a.state in ('REVERSING', 'FORWARDING')
      and x.agreement = d.agreement and x.currency = d.currency
  ) t`;

/** Closed days of a payee, the latest first. */
export async function selectSettlements(
  read: Read,
  { payeeId, day, from, to, after, limit }: SettlementsAsked,
): Promise<readonly ShownSettlement[]> {
  const { rows } = await read<ShownSettlement>(
    {
      name: 'settlements-select',
      text: `
        select ${SETTLEMENT_COLUMNS('d')}, s.*, f.*, t.*
        from (
          select * from settlement_day
          where payee_id = $1::uuid
            and day between coalesce(greatest($2::date, $5::date), '-infinity') and coalesce(least($2::date, $6::date), 'infinity')
            and ${behind({ table: 'settlement_day', at: 'day', id: 'settlement_id' })}
          order by day desc, settlement_id desc
          limit $4::integer
        ) d
        ${SINCE}
        order by d.day desc, d.settlement_id desc`,
    },
    [payeeId, day ?? null, after ?? null, limit, from ?? null, to ?? null],
  );
  return rows;
}

/** One closed day. */
export async function selectSettlement(
  read: Read,
  payeeId: PayeeId,
  settlementId: string,
): Promise<ShownSettlement | undefined> {
  const { rows } = await read<ShownSettlement>(
    {
      name: 'settlements-select-one',
      text: `
        select ${SETTLEMENT_COLUMNS('d')}, s.*, f.*, t.*
        from settlement_day d
        ${SINCE}
        where d.payee_id = $1::uuid and d.settlement_id = $2::uuid`,
    },
    [payeeId, settlementId],
  );
  return rows[0];
}

/** The batches that have lines of a day's transactions, by the day on which they are paid. */
export async function selectPayouts(
  read: Read,
  payeeId: PayeeId,
  settlementId: string,
  most: number,
): Promise<readonly Payout[]> {
  const { rows } = await read<Payout>(
    {
      name: 'settlements-select-payouts',
      text: `
        select b.acquirer, b.name as batch, b.merchant_id as "merchantId", b.currency, b.gross, b.fee, b.net as amount,
          (
            select max(l.value_date)::text from settlement_line l
            where l.payee_id = b.payee_id and l.acquirer = b.acquirer and l.batch_id = b.batch_id and l.type = 'Payout'
          ) as "valueDate"
        from (
          select distinct i.payee_id, i.acquirer, i.batch_id
          from settlement_day d
          join settlement_item i on i.acquirer = d.acquirer and i.day = d.day and i.payee_id = d.payee_id
            and i.agreement = d.agreement and i.currency = d.currency
          where d.payee_id = $1::uuid and d.settlement_id = $2::uuid and i.batch_id is not null
        ) i
        join settlement_batch b on b.payee_id = i.payee_id and b.acquirer = i.acquirer and b.batch_id = i.batch_id
        order by "valueDate", b.name, b.merchant_id
        limit $3::integer`,
    },
    [payeeId, settlementId, most],
  );
  return rows;
}

/** Takes days whose totals are due: no other instance has them for a while. */
export async function takeDueDays(
  { run }: Transaction,
  {
    most,
    leaseSeconds,
    but,
  }: { readonly most: number; readonly leaseSeconds: number; readonly but: readonly string[] },
): Promise<readonly DueDay[]> {
  const { rows } = await run<DueDay>(
    {
      name: 'settlements-take-due-days',
      text: `
        with due as (
          select payee_id, settlement_id from settlement_day
          where due_at <= (select kontor_now()) and acquirer <> all ($3::text[])
          order by due_at
          limit $1::integer
          for update skip locked
        )
        update settlement_day d
        set due_at = kontor_now() + make_interval(secs => $2::integer)
        from due
        where d.payee_id = due.payee_id and d.settlement_id = due.settlement_id
        returning ${SETTLEMENT_COLUMNS('d')}, d.stan, d.tries, d.was_sent as "wasSent",
          to_char(d.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "sentAt"`,
    },
    [most, leaseSeconds, but],
  );
  return rows;
}
