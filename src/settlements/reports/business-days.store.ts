import { dateOf } from '../../db/closings.ts';
import type { Read } from '../../db/transaction.types.ts';
import type { BusinessDayLine } from './business-days.types.ts';
import type { SalesAsked } from './sales.types.ts';

/**
 * Sales and refunds with cards of issuers elsewhere by business day and calendar day, where one of both is in the period. It reads all
 * movements of the payee: a business day may have been collected long after. One line more than asked for says that there are more.
 */
export async function selectBusinessDays(
  read: Read,
  { payeeId, from, to }: Pick<SalesAsked, 'payeeId' | 'from' | 'to'>,
  { timeZone, most }: { readonly timeZone: string; readonly most: number },
): Promise<readonly BusinessDayLine[]> {
  const { rows } = await read<BusinessDayLine>(
    {
      name: 'settlements-select-business-days',
      text: `
        with moved as materialized (
          select coalesce(m.transaction_id, m.payment_id) as key, m.currency, ${dateOf('m.happened_at', '$4::text')} as calendar_day,
            m.kind in ('Capture', 'Purchase') as is_sale, -sum(e.amount) as amount
          from movement m
          join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Issuer'
          where m.payee_id = $1::uuid and m.kind in ('Capture', 'Purchase', 'Deposit', 'Reversal', 'Credit')
          group by m.movement_id, m.transaction_id, m.payment_id, m.currency, m.happened_at, m.kind
        ), item as materialized (
          select coalesce(transaction_id, payment_id) as key, agreement, day
          from settlement_item
          where payee_id = $1::uuid and type in ('Sale', 'Refund')
        ), placed as (
          select i.day, m.calendar_day, i.agreement, m.currency, m.is_sale, m.amount,
            coalesce(i.day between $2::date and $3::date, false) as of_business_day,
            m.calendar_day between $2::date and $3::date as of_calendar_day
          from moved m left join item i using (key)
        )
        select day::text as day, calendar_day::text as "calendarDay", agreement, currency,
          count(*) filter (where is_sale)::integer as sales, coalesce(sum(amount) filter (where is_sale), 0)::bigint as "salesAmount",
          count(*) filter (where not is_sale)::integer as refunds,
          coalesce(-sum(amount) filter (where not is_sale), 0)::bigint as "refundsAmount", sum(amount)::bigint as net,
          case when of_business_day and of_calendar_day then 'Both' when of_business_day then 'BusinessDay' else 'CalendarDay' end as within
        from placed
        where of_business_day or of_calendar_day
        group by day, calendar_day, agreement, currency, of_business_day, of_calendar_day
        order by calendar_day, day, currency, agreement
        limit $5::integer`,
    },
    [payeeId, from, to, timeZone, most],
  );
  return rows;
}
