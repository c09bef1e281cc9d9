import { dateOf } from '../../db/closings.ts';
import type { Read } from '../../db/transaction.types.ts';
import type { SalesAsked, SalesLine } from './sales.types.ts';
import type { TrialBalancePeriod } from './trial-balance.types.ts';

/** The movements of payee $1 from $2 to $3 that sell something, or give back what was sold: what they have booked for the payee. */
const SOLD = `
  sold as materialized (
    select m.payment_id, m.transaction_id, m.currency, ${dateOf('m.happened_at', '$4::text')} as day, sum(e.amount) as amount,
      m.kind in ('Capture', 'Purchase') as is_sale
    from movement m
    join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Clearing'
    where m.payee_id = $1::uuid and m.happened_at >= $2::timestamptz and m.happened_at < $3::timestamptz
      and m.kind in ('Capture', 'Purchase', 'Reversal', 'Credit', 'Deposit')
    group by m.movement_id, m.payment_id, m.transaction_id, m.currency, m.happened_at, m.kind
  )`;

/**
 * What a leg of an order's transaction has of its VAT: by its part of the amount, so that all legs together have all of it. Of an order that one
 * means has paid, that is the whole. What is sold at once with the payment of an order is named by what paid it.
 */
const VAT_OF_PART = `
  select t.amount, t.vat_amount,
    round(1.0 * t.vat_amount * up_to.amount / nullif(t.amount, 0))
      - round(1.0 * t.vat_amount * (up_to.amount - p.amount) / nullif(t.amount, 0)) as vat
  from order_part p
  join order_transaction t on t.payee_id = $1::uuid and t.transaction_id = p.transaction_id
  cross join lateral (
    select sum(amount) as amount from order_part
    where payee_id = $1::uuid and transaction_id = p.transaction_id and leg_id <= p.leg_id
  ) up_to
  where p.payee_id = $1::uuid and (
    p.own_id = s.transaction_id and t.type in ('Capture', 'Reversal')
    or p.own_id = coalesce(c.paid_by, s.payment_id) and t.type = 'Sale' and s.is_sale
  )
  limit 1`;

/** What acquirers have kept of a sale or refund in its own currency, by the lines of their files. */
const FEES = `
  select sum(l.fee) as fee
  from settlement_item i
  join settlement_line l on l.payee_id = $1::uuid and l.attempt_id = i.attempt_id and l.type in ('Sale', 'Refund')
  where i.payee_id = $1::uuid and i.payment_id = s.payment_id and i.transaction_id is not distinct from s.transaction_id
    and i.type in ('Sale', 'Refund') and l.currency = s.currency`;

/** What they have kept of it in the currency of a payout, where that is another one. It is neither a sale nor a refund of that currency. */
const FEES_ELSEWHERE = `
  select o.day, l.currency, null::boolean as is_sale, 0 as amount, 0 as signed, 0 as vat, l.fee, o.shop, o.site, o.terminal, o.means,
    o.brand, o.vat_rate
  from own o
  join settlement_item i on i.payee_id = $1::uuid and i.payment_id = o.payment_id
    and i.transaction_id is not distinct from o.transaction_id and i.type in ('Sale', 'Refund')
  join settlement_line l on l.payee_id = $1::uuid and l.attempt_id = i.attempt_id and l.type in ('Sale', 'Refund')
    and l.transaction_currency is not null and l.currency <> o.currency`;

/** Each sale and refund with all that it can be told apart by. */
const TOLD_APART = `
  own as (
    select s.payment_id, s.transaction_id, s.day::text as day, s.currency, s.is_sale, abs(s.amount) as amount, s.amount as signed,
      coalesce(told.vat, 0) as vat, coalesce(f.fee, 0) as fee,
      coalesce(o.terms #>> '{payeeInfo,payeeName}', c.terms #>> '{payeeInfo,payeeName}',
        a.echo #>> '{words,merchant,merchantName}') as shop,
      o.terms #>> '{payeeInfo,siteId}' as site,
      coalesce(x.terminal_id, a.echo #>> '{words,merchant,terminalId}') as terminal,
      case when c.payment_id is not null then 'creditcard' else aa.instrument end as means,
      k.card ->> 'cardBrand' as brand,
      case
        when told.vat_amount is null or told.amount = told.vat_amount then null
        else round(100.0 * told.vat_amount / (told.amount - told.vat_amount), 1)::text
      end as vat_rate
    from sold s
    left join card_payment c on c.payee_id = $1::uuid and c.payment_id = s.payment_id
    left join card_transaction t on t.payee_id = $1::uuid and t.transaction_id = s.transaction_id
    left join card_transaction k on k.payee_id = $1::uuid and k.transaction_id = c.paid_by
    left join acquirer_exchange x on x.payee_id = $1::uuid and x.attempt_id = coalesce(t.attempt_id, k.attempt_id) and x.kind = 'Ask'
    left join payment a on a.payee_id = $1::uuid and a.payment_id = s.payment_id
    left join account aa on aa.payee_id = $1::uuid and aa.account_id = a.account_id
    left join payment_order o on o.payee_id = $1::uuid and o.order_id = coalesce(c.order_id, a.order_id)
    left join lateral (${VAT_OF_PART}) v on true
    left join lateral (${FEES}) f on true
    cross join lateral (
      select coalesce(v.vat, t.vat_amount) as vat, coalesce(v.vat_amount, t.vat_amount) as vat_amount,
        coalesce(v.amount, t.amount) as amount
    ) told
  ), line as (
    select day, currency, is_sale, amount, signed, vat, fee, shop, site, terminal, means, brand, vat_rate from own
    union all
    ${FEES_ELSEWHERE}
  )`;

/** Sales and refunds of a period, summed by what is asked for. One line more than asked for says that there are more. */
export async function selectSales(
  read: Read,
  { payeeId, by, shop, site, terminal }: SalesAsked,
  { from, to, timeZone, most }: Pick<TrialBalancePeriod, 'from' | 'to' | 'timeZone'> & { readonly most: number },
): Promise<readonly SalesLine[]> {
  const { rows } = await read<SalesLine>(
    {
      name: 'settlements-select-sales',
      text: `
        with ${SOLD}, ${TOLD_APART}, wanted as (
          select currency, is_sale, amount, signed, vat, fee,
            case when 'day' = any($5::text[]) then day end as day, case when 'shop' = any($5::text[]) then shop end as shop,
            case when 'site' = any($5::text[]) then site end as site,
            case when 'terminal' = any($5::text[]) then terminal end as terminal,
            case when 'vatRate' = any($5::text[]) then vat_rate end as vat_rate,
            case when 'means' = any($5::text[]) then means end as means,
            case when 'brand' = any($5::text[]) then brand end as brand
          from line
          where ($6::text is null or shop = $6::text) and ($7::text is null or site = $7::text)
            and ($8::text is null or terminal = $8::text)
        )
        select day, shop, site, terminal, vat_rate as "vatRate", means, brand, currency,
          count(*) filter (where is_sale)::integer as sales,
          coalesce(sum(amount) filter (where is_sale), 0)::bigint as "salesAmount",
          coalesce(sum(vat) filter (where is_sale), 0)::bigint as "salesVat",
          count(*) filter (where not is_sale)::integer as refunds,
          coalesce(-sum(signed) filter (where not is_sale), 0)::bigint as "refundsAmount",
          coalesce(sum(vat) filter (where not is_sale), 0)::bigint as "refundsVat",
          sum(signed)::bigint as net, sum(fee)::bigint as fees
        from wanted
        group by day, shop, site, terminal, vat_rate, means, brand, currency
        order by day, currency, shop, site, terminal, means, brand, vat_rate
        limit $9::integer`,
    },
    [payeeId, from, to, timeZone, by, shop ?? null, site ?? null, terminal ?? null, most],
  );
  return rows;
}
