import type { Rows, Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { SettlementDay, Totals } from '../settlements.types.ts';
import type { ClosingDay, OpenDay, SummedItems } from './days.types.ts';

/**
 * Sums the next items of a day, and what the ledger has booked of the same transactions.
 *
 * @param after the last attempt of those before; undefined: from the beginning
 * @param most attempts of the payee's day that are looked at
 * @returns also the last attempt that was looked at; null where there are no more
 */
export async function sumItems(
  { run }: Transaction,
  { payeeId, acquirer, agreement, currency, day }: OpenDay,
  { after, most }: { readonly after: string | undefined; readonly most: number },
): Promise<SummedItems & { readonly last: string | null }> {
  const { rows } = await run<SummedItems & { readonly last: string | null }>(
    {
      name: 'settlements-sum-items',
      text: `
        with looked as materialized (
          select * from settlement_item
          where day = $5::date and payee_id = $1::uuid and attempt_id > $6::uuid
          order by attempt_id
          -- An attempt may have two.
          fetch first ($7::integer) rows with ties
        ), item as materialized (
          select * from looked where acquirer = $2::text and agreement = $3::text and currency = $4::text
        ), booked as materialized (
          select coalesce(sum(-e.amount), 0)::bigint as amount
          from item i
          join movement m on m.payee_id = i.payee_id and m.payment_id = i.payment_id
            and m.transaction_id is not distinct from i.transaction_id
            and m.kind in ('Capture', 'Purchase', 'Reversal', 'Credit')
          join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Issuer'
          where i.type in ('Sale', 'Refund')
        )
        select count(*) as items, max(i.merchant_id) as "merchantId", (select amount from booked) as booked,
          (select attempt_id from looked order by attempt_id offset $7::integer - 1 limit 1) as last,
          count(*) filter (where type like 'Sale%') as "salesNumber",
          coalesce(sum(i.amount) filter (where type like 'Sale%'), 0)::bigint as "salesAmount",
          count(*) filter (where type = 'SaleReversal') as "saleReversalsNumber",
          coalesce(sum(i.amount) filter (where type = 'SaleReversal'), 0)::bigint as "saleReversalsAmount",
          count(*) filter (where type like 'Refund%') as "refundsNumber",
          coalesce(sum(-i.amount) filter (where type like 'Refund%'), 0)::bigint as "refundsAmount",
          count(*) filter (where type = 'RefundReversal') as "refundReversalsNumber",
          coalesce(sum(-i.amount) filter (where type = 'RefundReversal'), 0)::bigint as "refundReversalsAmount"
        from item i`,
    },
    [payeeId, acquirer, agreement, currency, day, after ?? '00000000-0000-0000-0000-000000000000', most],
  );
  const [sums] = rows;
  assert(sums !== undefined, 'a sum is a row');
  return sums;
}

/** How many items a day has now. */
export async function countItems(
  { run }: Transaction,
  { payeeId, acquirer, agreement, currency, day }: OpenDay,
): Promise<{ readonly items: number; readonly now: string }> {
  const { rows } = await run<{ readonly items: number; readonly now: string }>(
    {
      name: 'settlements-count-items',
      text: `
        select count(*) as items, kontor_now() as now from settlement_item
        where acquirer = $2::text and day = $5::date and payee_id = $1::uuid and agreement = $3::text and currency = $4::text`,
    },
    [payeeId, acquirer, agreement, currency, day],
  );
  const [counted] = rows;
  assert(counted !== undefined, 'a count is a row');
  return counted;
}

/** Closes a day, unless it is closed: then no row is touched. */
export function insertDay(transaction: Transaction, day: ClosingDay): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-insert-day',
      text: `
        insert into settlement_day (payee_id, settlement_id, acquirer, agreement, merchant_id, currency, day, state,
          sales_number, sales_amount, sale_reversals_number, sale_reversals_amount, refunds_number, refunds_amount,
          refund_reversals_number, refund_reversals_amount, net, due_at, closed_at, updated_at, event_sequence)
        values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::date, 'Closed', $8::bigint, $9::bigint,
          $10::bigint, $11::bigint, $12::bigint, $13::bigint, $14::bigint, $15::bigint, $16::bigint, $17::timestamptz,
          $18::timestamptz, $18::timestamptz, $19::bigint)
        on conflict on constraint day_is_closed_once do nothing`,
    },
    [
      day.payeeId,
      day.settlementId,
      day.acquirer,
      day.agreement,
      day.merchantId,
      day.currency,
      day.day,
      day.salesNumber,
      day.salesAmount,
      day.saleReversalsNumber,
      day.saleReversalsAmount,
      day.refundsNumber,
      day.refundsAmount,
      day.refundReversalsNumber,
      day.refundReversalsAmount,
      day.net,
      day.dueAt,
      day.closedAt,
      day.eventSequence,
    ],
  );
}

/** Names the message that tells a day's totals, before it is sent for the first time. */
export function nameMessage(
  transaction: Transaction,
  { payeeId, settlementId }: Pick<SettlementDay, 'payeeId' | 'settlementId'>,
  { stan, sentAt }: { readonly stan: string; readonly sentAt: string },
): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-name-message',
      text: `
        update settlement_day set stan = $3::text, sent_at = $4::timestamptz
        where payee_id = $1::uuid and settlement_id = $2::uuid and stan is null`,
    },
    [payeeId, settlementId, stan, sentAt],
  );
}

/**
 * Notes that bytes of the message that tells a day's totals were handed over; or that it is to be named anew, because the acquirer takes it
 * for one that it has, and says nothing of the totals.
 */
export function updateSent(
  transaction: Transaction,
  { payeeId, settlementId }: Pick<SettlementDay, 'payeeId' | 'settlementId'>,
  isSent: boolean,
): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-update-sent',
      text: `
        update settlement_day
        set was_sent = $3::boolean, stan = case when $3::boolean then stan end, sent_at = case when $3::boolean then sent_at end
        where payee_id = $1::uuid and settlement_id = $2::uuid and state = 'Closed'`,
    },
    [payeeId, settlementId, isSent],
  );
}

/** Notes that no usable answer came, and when the totals are told again. */
export function updateUnanswered(
  transaction: Transaction,
  { payeeId, settlementId }: Pick<SettlementDay, 'payeeId' | 'settlementId'>,
  pauseSeconds: number,
): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-update-unanswered',
      text: `
        update settlement_day set tries = tries + 1, due_at = kontor_now() + make_interval(secs => $3::integer)
        where payee_id = $1::uuid and settlement_id = $2::uuid and state = 'Closed'`,
    },
    [payeeId, settlementId, pauseSeconds],
  );
}

/** Stores what the acquirer says of a day's totals; the number of its latest event, or none where it is known already. */
export async function updateAnswered(
  transaction: Transaction,
  { payeeId, settlementId }: Pick<SettlementDay, 'payeeId' | 'settlementId'>,
  answer: { readonly state: 'Reconciled' | 'Different'; readonly acquirerTotals: Totals | undefined },
): Promise<{ readonly eventSequence: number; readonly updatedAt: string } | undefined> {
  const { rows } = await transaction.run<{ readonly eventSequence: number; readonly updatedAt: string }>(
    {
      name: 'settlements-update-answered',
      text: `
        update settlement_day
        set state = $3::text, acquirer_totals = $4::jsonb, answered_at = kontor_now(),
          updated_at = greatest(kontor_now(), updated_at), due_at = null, tries = tries + 1,
          event_sequence = event_sequence + case when $3::text = 'Different' then 1 else 0 end
        where payee_id = $1::uuid and settlement_id = $2::uuid and state = 'Closed'
        returning event_sequence as "eventSequence", updated_at as "updatedAt"`,
    },
    [payeeId, settlementId, answer.state, answer.acquirerTotals ? JSON.stringify(answer.acquirerTotals) : null],
  );
  return rows[0];
}

/** Days whose every sale and refund was settled, and of which nothing differs, become so. */
export function settleDays(transaction: Transaction, payeeId: PayeeId): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-settle-days',
      text: `
        update settlement_day d
        set state = 'Settled', updated_at = greatest(kontor_now(), updated_at)
        where d.payee_id = $1::uuid and d.state <> 'Settled' and d.due_at is null
          and not exists (
            select from settlement_item i
            where i.acquirer = d.acquirer and i.day = d.day and i.payee_id = d.payee_id and i.agreement = d.agreement
              and i.currency = d.currency and i.type in ('Sale', 'Refund') and i.batch_id is null
              and i.ended_by is null
          )
          and not exists (
            select from settlement_difference f
            where f.payee_id = d.payee_id and f.state = 'Open' and f.agreement = d.agreement
              and f.currency = d.currency and f.day = d.day
          )`,
    },
    [payeeId],
  );
}

/** Closed days that were not yet searched for what the acquirer's files lack, and whose time for it has come. */
export async function selectDaysToSearch(
  { run }: Transaction,
  { afterDays, most }: { readonly afterDays: number; readonly most: number },
): Promise<readonly Pick<SettlementDay, 'payeeId' | 'settlementId'>[]> {
  const { rows } = await run<Pick<SettlementDay, 'payeeId' | 'settlementId'>>(
    {
      name: 'settlements-select-days-to-search',
      text: `
        select payee_id as "payeeId", settlement_id as "settlementId"
        from settlement_day
        where searched_at is null and closed_at <= (select kontor_now()) - make_interval(days => $1::integer)
        order by closed_at
        limit $2::integer`,
    },
    [afterDays, most],
  );
  return rows;
}

/** Opens a difference for each sale and refund of a day that no line has settled, and notes that it was looked for. */
export async function searchDay(
  transaction: Transaction,
  { payeeId, settlementId }: Pick<SettlementDay, 'payeeId' | 'settlementId'>,
): Promise<number> {
  const { rows } = await transaction.run<{ readonly missing: number }>(
    {
      name: 'settlements-search-day',
      text: `
        with searched as (
          update settlement_day set searched_at = kontor_now()
          where payee_id = $1::uuid and settlement_id = $2::uuid and searched_at is null
          returning *
        ), missing as (
          insert into settlement_difference (payee_id, difference_id, kind, acquirer, agreement, currency, day, attempt_id,
            ours, opened_at)
          select i.payee_id, gen_random_uuid(), 'missingAtAcquirer', i.acquirer, i.agreement, i.currency, i.day,
            i.attempt_id, i.amount, kontor_now()
          from searched s
          join settlement_item i on i.acquirer = s.acquirer and i.day = s.day and i.payee_id = s.payee_id
            and i.agreement = s.agreement and i.currency = s.currency
          where i.type in ('Sale', 'Refund') and i.batch_id is null and i.ended_by is null and not exists (
            select from settlement_difference f
            where f.payee_id = i.payee_id and f.attempt_id = i.attempt_id and f.state = 'Open'
          )
          on conflict do nothing
          returning 1
        )
        select count(*) as missing from missing`,
    },
    [payeeId, settlementId],
  );
  return rows[0]?.missing ?? 0;
}
