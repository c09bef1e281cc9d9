import { dateOf } from '../../db/closings.ts';
import type { Read, Statement } from '../../db/transaction.types.ts';
import type { Currency } from '../../kit/money.ts';
import { PORTAL_SEARCH_ROWS, STATISTICS_ROWS } from '../../kit/portal-limits.ts';
import type { GettingStarted } from './home.wire.ts';
import type {
  CheckedDays,
  CountTally,
  DeclineTally,
  Payable,
  PayeeDays,
  Tallied,
  Tallies,
} from './statistics.types.ts';

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

/** `$1` to `$6` of each statement that counts: see `selectCounts`. */
const inReach = (id: string) => `p.payee_id = $1::uuid and p.${id} >= $2::uuid and p.${id} < $3::uuid`;
const IN_PERIOD = 'p.created_at >= $4::timestamptz and p.created_at < $5::timestamptz';

const COUNTS = `
  select ${dateOf('p.created_at', '$6::text')} as day, p.currency, p.outcome, count(*) as count,
    p.outcome = 'paid' and bool_or(p.amount > 0) as "hasMoved"`;
const OUTCOME = `case when p.paid_by is not null then 'paid' when p.failed_tries > 0 then 'declined' else 'open' end as outcome`;

/** How account payments of a period ended: authorizations and purchases, for the others are no payer's. */
export const ACCOUNT_COUNTS: Statement = {
  name: 'portal-count-outcomes-of-payments',
  text: `
    ${COUNTS}
    from (
      select p.created_at, p.currency, p.amount, case when p.state = 'FAILED' then 'declined' else 'paid' end as outcome
      from payment p
      where ${inReach('payment_id')} and ${IN_PERIOD} and p.state <> 'CALLING'
        and p.operation in ('Authorize', 'Purchase') and p.order_id is null
      order by p.payment_id desc limit ${STATISTICS_ROWS}
    ) p
    group by day, p.currency, p.outcome`,
};

/** The same of card payments. */
export const CARD_COUNTS: Statement = {
  name: 'portal-count-outcomes-of-card-payments',
  text: `
    ${COUNTS}
    from (
      select p.created_at, p.currency, p.amount, ${OUTCOME}
      from card_payment p
      where ${inReach('payment_id')} and ${IN_PERIOD} and p.operation <> '' and p.order_id is null
      order by p.payment_id desc limit ${STATISTICS_ROWS}
    ) p
    group by day, p.currency, p.outcome`,
};

/** The same of orders, each of which is one, whatever pays it. */
export const ORDER_COUNTS: Statement = {
  name: 'portal-count-outcomes-of-orders',
  text: `
    ${COUNTS}
    from (
      select p.created_at, p.currency, p.amount, ${OUTCOME}
      from payment_order p
      where ${inReach('order_id')} and ${IN_PERIOD}
      order by p.order_id desc limit ${STATISTICS_ROWS}
    ) p
    group by day, p.currency, p.outcome`,
};

/** Why account payments failed: each was attempted once. */
export const ACCOUNT_DECLINES: Statement = {
  name: 'portal-count-declines-of-payments',
  text: `
    select p.currency, p.problem, count(*) as attempts, count(*) as count
    from (
      select * from payment p
      where ${inReach('payment_id')} and ${IN_PERIOD} and p.state = 'FAILED' and p.state <> 'CALLING'
        and p.operation in ('Authorize', 'Purchase') and p.order_id is null
      order by p.payment_id desc limit ${STATISTICS_ROWS}
    ) p
    group by p.currency, p.problem`,
};

const FAILED_ATTEMPTS = `
    where t.payee_id = $1::uuid and t.state = 'Failed' and t.type in ('Authorization', 'Verification')
    group by p.currency, t.problem`;

/** Why attempts of card payments failed, also of those that were paid in the end. */
export const CARD_DECLINES: Statement = {
  name: 'portal-count-declines-of-card-payments',
  text: `
    select p.currency, t.problem, count(*) as attempts, count(distinct p.payment_id) as count
    from (
      select * from card_payment p
      where ${inReach('payment_id')} and ${IN_PERIOD} and p.operation <> '' and p.failed_tries > 0
        and p.order_id is null
      order by p.payment_id desc limit ${STATISTICS_ROWS}
    ) p
    join card_transaction t on t.payment_id = p.payment_id
    ${FAILED_ATTEMPTS}`,
};

/** The same of orders. */
export const ORDER_DECLINES: Statement = {
  name: 'portal-count-declines-of-orders',
  text: `
    select p.currency, t.problem, count(*) as attempts, count(distinct p.order_id) as count
    from (
      select * from payment_order p
      where ${inReach('order_id')} and ${IN_PERIOD} and p.status <> '' and p.failed_tries > 0
      order by p.order_id desc limit ${STATISTICS_ROWS}
    ) p
    join card_transaction t on t.payment_id = p.card_payment_id
    ${FAILED_ATTEMPTS}`,
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

/** How what was made in a period ended, and why attempts failed. */
export async function selectCounts(
  read: Read,
  { payeeId, reach, period, timeZone }: Tallied,
): Promise<Omit<Tallies, 'money'>> {
  const values = [payeeId, reach.from, reach.below, period.from, period.to, timeZone];
  const counted = async <Row>(of: Payable, statement: Statement, asked: readonly unknown[]) => ({
    of,
    rows: (await read<Row>(statement, [...asked])).rows,
  });
  const counts = (of: Payable, statement: Statement) => counted<CountTally>(of, statement, values);
  const declines = (of: Payable, statement: Statement) => counted<DeclineTally>(of, statement, values.slice(0, 5));
  const [cards, accounts, orders] = await Promise.all([
    counts('payments', CARD_COUNTS),
    counts('payments', ACCOUNT_COUNTS),
    counts('orders', ORDER_COUNTS),
  ]);
  const failed = [
    declines('payments', CARD_DECLINES),
    declines('payments', ACCOUNT_DECLINES),
    declines('orders', ORDER_DECLINES),
  ];
  return { counts: [cards, accounts, orders], declines: await Promise.all(failed) };
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
