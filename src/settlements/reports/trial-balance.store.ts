import type { Read } from '../../db/transaction.types.ts';
import { bookedBy, SUM_COLUMNS } from './booked.types.ts';
import type { BooksRead, TrialBalanceAsked, TrialBalancePeriod } from './trial-balance.types.ts';

/** The days of a period as instants, in the payee's time zone. The texts were checked before. */
export async function selectPeriod(
  read: Read,
  { payeeId, from, to }: TrialBalanceAsked,
  ageSeconds: number,
): Promise<TrialBalancePeriod | undefined> {
  const { rows } = await read<TrialBalancePeriod>(
    {
      name: 'settlements-select-period',
      text: `
        select time_zone as "timeZone", $2::date::timestamp at time zone time_zone as "from",
          ($3::date + 1)::timestamp at time zone time_zone as "to",
          kontor_now() - make_interval(secs => $4::integer) as latest
        from payee
        where payee_id = $1::uuid`,
    },
    [payeeId, from, to, ageSeconds],
  );
  return rows[0];
}

/** Up to which instant sums of days are kept of a payee; before all time where none are. */
export async function selectKeptTo(read: Read, payeeId: TrialBalanceAsked['payeeId']): Promise<string> {
  const { rows } = await read<{ readonly keptTo: string }>(
    {
      name: 'settlements-select-kept-to',
      text: `
        select c.closed_to as "keptTo"
        from trial_balance_closing c join payee p on p.payee_id = c.payee_id and p.time_zone = c.time_zone
        where c.payee_id = $1::uuid and c.closed_to is not null`,
    },
    [payeeId],
  );
  return rows[0]?.keptTo ?? FROM_THE_BEGINNING;
}

/** Before all movements. */
export const FROM_THE_BEGINNING = '-infinity';

/** Sums of days that are kept, and what was booked since; `at` is when, or when its day began. */
const TURNED_AT = `
  turned as materialized (
    select begins_at as at, ${SUM_COLUMNS}, debit, credit
    from trial_balance_sum
    where payee_id = $1::uuid and begins_at < $4::timestamptz
    union all
    select happened_at, ${SUM_COLUMNS}, greatest(-amount, 0), greatest(amount, 0) from booked
  )`;

/** The lines of a trial balance from $2 to $3, and what was booked since. */
const LINES = `
  select side, currency, case when not is_stored_value then agreement end as agreement, nullif(product_id, '') as product,
    coalesce(sum(credit - debit) filter (where at < $2::timestamptz), 0)::bigint as opening,
    coalesce(sum(debit) filter (where at >= $2::timestamptz and at < $3::timestamptz), 0)::bigint as debit,
    coalesce(sum(credit) filter (where at >= $2::timestamptz and at < $3::timestamptz), 0)::bigint as credit,
    coalesce(sum(credit - debit) filter (where at < $3::timestamptz), 0)::bigint as closing,
    coalesce(sum(credit - debit) filter (where at >= $3::timestamptz), 0)::bigint as since
  from turned
  group by 1, 2, 3, 4`;

/** The sales and refunds of business days d. */
const itemsOf = (days: string) => `
  (select * from ${days} where payee_id = $1::uuid) d
  cross join lateral (
    select amount, coalesce(batch_id, ended_by::text) is null as is_open from settlement_item
    where acquirer = d.acquirer and day = d.day and payee_id = d.payee_id and agreement = d.agreement and currency = d.currency
      and type in ('Sale', 'Refund')
    offset 0
  ) i`;

/**
 * What other tables say of now: what is on accounts, and what acquirers have not paid of sales and refunds. Of days that are settled nothing
 * is open.
 */
const ELSEWHERE = `
  select 'CardBalances' as what, a.currency, null as agreement, g.product_id as product, sum(a.available + a.held)::bigint as amount
  from account a left join gift_card g on g.payee_id = a.payee_id and g.account_id = a.account_id
  where a.payee_id = $1::uuid and a.kind = 'StoredValue'
  group by a.currency, g.product_id
  union all
  select 'OpenItems', o.currency, o.agreement, null, sum(o.amount)::bigint
  from (
    select d.currency, d.agreement, i.amount from ${itemsOf('settlement_day')} where d.state <> 'Settled' and i.is_open
    union all
    -- What no business day has yet: all that was booked, less all that days have. Items of an open day are in both.
    select d.currency, d.agreement, -i.amount from ${itemsOf('settlement_open_day')} where not i.is_open
    union all
    select currency, agreement, -net from settlement_day where payee_id = $1::uuid
    union all
    select currency, case when not is_stored_value then agreement end, debit - credit from turned where is_item
  ) o
  group by o.currency, o.agreement`;

/** For the test of its plan as well. */
export const SELECT_TRIAL_BALANCE = {
  name: 'settlements-select-trial-balance',
  text: `
    with moved as materialized (
      select * from movement where payee_id = $1::uuid and happened_at >= $4::timestamptz
    ), ${bookedBy('moved', '$1::uuid')}, ${TURNED_AT}, line as (${LINES}), elsewhere as (${ELSEWHERE})
    select (
      select coalesce(jsonb_agg(to_jsonb(l) order by l.currency, l.side, l.agreement, l.product), '[]') from line l
    ) as lines, (select coalesce(jsonb_agg(to_jsonb(e)), '[]') from elsewhere e) as elsewhere
    where $4::timestamptz = '${FROM_THE_BEGINNING}'
      or exists (select from trial_balance_closing where payee_id = $1::uuid and closed_to = $4::timestamptz)`,
};

/**
 * The lines of a trial balance and what they are tied to, in one statement: so all of it is of one snapshot, and right while money moves. It
 * reads the sums of days, and the movements since these were closed. Undefined where they are not closed to `keptTo` any more.
 */
export async function selectTrialBalance(
  read: Read,
  payeeId: TrialBalanceAsked['payeeId'],
  { from, to, keptTo }: Pick<TrialBalancePeriod, 'from' | 'to'> & { readonly keptTo: string },
): Promise<BooksRead | undefined> {
  const { rows } = await read<BooksRead>(SELECT_TRIAL_BALANCE, [payeeId, from, to, keptTo]);
  return rows[0];
}
