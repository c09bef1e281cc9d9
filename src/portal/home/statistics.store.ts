import type { Read, Statement } from '../../db/transaction.types.ts';
import type { Currency } from '../../kit/money.ts';
import { PORTAL_SEARCH_ROWS, STATISTICS_PAYMENTS } from '../../kit/portal-limits.ts';
import type { IdReach, Period } from '../newest-first.types.ts';
import type { CheckedDays, GettingStarted, PayeeDays, Tally } from './statistics.types.ts';

/** Where so many days of a payee up to a day, or up to today, begin and end. What is today depends on the time zone. */
export const PAYEE_DAYS: Statement = {
  name: 'portal-select-payee-days',
  text: `
    select time_zone as "timeZone", d.first as "firstDay", d.last as "lastDay",
      d.first::timestamp at time zone time_zone as "from", (d.last + 1)::timestamp at time zone time_zone as "to"
    from payee
    cross join lateral (select coalesce($3::date, (kontor_now() at time zone time_zone)::date) as last) t
    cross join lateral (select t.last, t.last - ($2::integer - 1) as first) d
    where payee_id = $1::uuid`,
};

const IN_REACH = 'p.payee_id = $1::uuid and p.payment_id >= $2::uuid and p.payment_id < $3::uuid';
const IN_PERIOD = 'p.created_at >= $4::timestamptz and p.created_at < $5::timestamptz';
const TALLY = `
  select (p.created_at at time zone $6::text)::date as day, p.currency, p.outcome, p.problem, count(*) as payments,
    sum(p.volume)::bigint as volume, p.outcome = 'succeeded' and bool_or(p.amount > 0) as "hasMoved"`;

/** What account payments of a period came to: authorizations and purchases, for the others are no sales. */
export const ACCOUNT_TALLIES: Statement = {
  name: 'portal-tally-payments',
  text: `
    ${TALLY}
    from (
      select p.created_at, p.currency, p.amount, p.captured as volume, p.problem,
        case when p.state = 'FAILED' then 'failed' else 'succeeded' end as outcome
      from payment p
      where ${IN_REACH} and ${IN_PERIOD} and p.state <> 'CALLING' and p.operation in ('Authorize', 'Purchase')
      order by p.payment_id desc limit ${STATISTICS_PAYMENTS}
    ) p
    group by day, p.currency, p.outcome, p.problem`,
};

/** The same of card payments: one that failed says why its last try did. */
export const CARD_TALLIES: Statement = {
  name: 'portal-tally-card-payments',
  text: `
    ${TALLY}
    from (
      select p.created_at, p.currency, p.amount, p.captured as volume, t.problem,
        case when p.paid_by is not null then 'succeeded' when p.state = 'Failed' then 'failed' else 'open' end as outcome
      from (
        select * from card_payment p where ${IN_REACH} and ${IN_PERIOD} and p.operation <> ''
        order by p.payment_id desc limit ${STATISTICS_PAYMENTS}
      ) p
      left join lateral (
        select problem from card_transaction
        where p.state = 'Failed' and payee_id = p.payee_id and payment_id = p.payment_id
        order by created_at desc, number desc limit 1
      ) t on true
    ) p
    group by day, p.currency, p.outcome, p.problem`,
};

/** The currencies of the latest payments that an issuer has approved. */
export const MOVED_CURRENCIES: Statement = {
  name: 'portal-select-moved-currencies',
  text: `
    select p.currency from (
      select p.currency, p.amount, p.state <> 'FAILED' and p.operation in ('Authorize', 'Purchase') as "isApproved"
      from payment p
      where p.payee_id = $1::uuid and p.state <> 'CALLING'
      order by p.payment_id desc limit ${PORTAL_SEARCH_ROWS}
    ) p
    where p."isApproved" and p.amount > 0
    union
    select p.currency from (
      select p.currency, p.amount, p.paid_by from card_payment p
      where p.payee_id = $1::uuid and p.operation <> ''
      order by p.payment_id desc limit ${PORTAL_SEARCH_ROWS}
    ) p
    where p.paid_by is not null and p.amount > 0`,
};

/** What a payee has done so far. Each question stops at its first row. */
export const GETTING_STARTED: Statement = {
  name: 'portal-select-getting-started',
  text: `
    select
      exists (
        select from access_token
        where payee_id = $1::uuid and revoked_at is null and portal_session_id is null
      ) as "hasAccessToken",
      exists (select from access_token where payee_id = $1::uuid and last_used_on is not null) as "hasCall",
      exists (
        select from payment
        where payee_id = $1::uuid and state <> 'CALLING' and order_id is null
          and state in ('OK', 'FAILED', 'REVERSED') and operation in ('Authorize', 'Purchase', 'Credit')
      )
        or exists (select from card_payment where payee_id = $1::uuid) as "hasPayment",
      exists (select from payment_transaction where payee_id = $1::uuid and operation = 'Capture')
        or exists (select from card_transaction where payee_id = $1::uuid and type = 'Capture') as "hasCapture",
      exists (select from webhook where payee_id = $1::uuid and state <> 'Deleted') as "hasWebhook"`,
};

/** Where days of a payee begin and end, or undefined where there is no such payee. */
export async function selectPayeeDays(
  read: Read,
  payeeId: string,
  { days, to }: CheckedDays,
): Promise<PayeeDays | undefined> {
  return (await read<PayeeDays>(PAYEE_DAYS, [payeeId, days, to ?? null])).rows[0];
}

/** Which payments are counted. */
export interface Tallied {
  readonly payeeId: string;
  readonly reach: IdReach;
  readonly period: Period;
  readonly timeZone: string;
}

/** What the payments of each family came to. */
export async function selectTallies(
  read: Read,
  { payeeId, reach, period, timeZone }: Tallied,
): Promise<readonly (readonly Tally[])[]> {
  const values = [payeeId, reach.from, reach.below, period.from, period.to, timeZone];
  const found = await Promise.all([CARD_TALLIES, ACCOUNT_TALLIES].map((statement) => read<Tally>(statement, values)));
  return found.map(({ rows }) => rows);
}

/** The currencies in which money of a payee has moved lately. */
export async function selectMovedCurrencies(read: Read, payeeId: string): Promise<readonly Currency[]> {
  const { rows } = await read<{ readonly currency: Currency }>(MOVED_CURRENCIES, [payeeId]);
  return rows.map(({ currency }) => currency);
}

/** What a payee has done so far. */
export async function selectGettingStarted(read: Read, payeeId: string): Promise<GettingStarted> {
  const nothing = { hasAccessToken: false, hasCall: false, hasPayment: false, hasCapture: false, hasWebhook: false };
  return (await read<GettingStarted>(GETTING_STARTED, [payeeId])).rows[0] ?? nothing;
}
