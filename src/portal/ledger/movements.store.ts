import { dateOf } from '../../db/closings.ts';
import type { Read, Statement } from '../../db/transaction.types.ts';
import { PORTAL_SEARCH_ROWS, STATISTICS_ROWS, STORY_ROWS } from '../../kit/portal-limits.ts';
import type { MoneyTally, Tallied } from '../home/statistics.types.ts';
import type { Found } from '../newest-first.types.ts';
import type { ListedMovement, StoryKey } from '../payments/story.types.ts';
import type { MovementSearch } from './ledger.types.ts';

/** What is shown of a movement `m`: its entries with it, in their order. */
const MOVEMENT_COLUMNS = `
  m.movement_id as "movementId", m.happened_at as "happenedAt", m.kind, m.currency, m.payment_id as "paymentId",
  m.transaction_id as "transactionId", (
    select coalesce(jsonb_agg(jsonb_build_object('side', e.side, 'accountId', e.account_id, 'amount', e.amount,
      'balance', e.balance) order by e.line), '[]')
    from entry e where e.payee_id = m.payee_id and e.movement_id = m.movement_id
  ) as entries`;

/** Kinds of movements that may count as a figure: not those within an account or between banks. */
const FIGURE_KINDS = ['Capture', 'Purchase', 'Reversal', 'Deposit', 'Credit'] as const;

/**
 * The figure of a movement `m` and its amount, both null where it counts as none. The one place that says so: what the
 * portal's first screen sums up and what the list of movements shows is the same.
 *
 * A card that was imported was sold elsewhere, and a credit is a present. What a lost card had moves onto the new one.
 */
const MOVEMENT_FIGURE = `
  cross join lateral (
    select sum(amount) filter (where side = 'Clearing') as paid, sum(amount) filter (where side = 'Funding') as funded,
      bool_or(side = 'Issuer') as "isElsewhere"
    from entry e where e.payee_id = m.payee_id and e.movement_id = m.movement_id
  ) s
  cross join lateral (
    select case
      when m.kind not in (${FIGURE_KINDS.map((kind) => `'${kind}'`).join(', ')}) then null
      when s."isElsewhere" then 'volume'
      when s.paid is not null then 'spent'
      when s.funded is null or m.payment_id is null then null
      -- With a limit they are looked up row by row, whatever the planner knows of the tables.
      when (
        select operation from payment where payee_id = m.payee_id and payment_id = m.payment_id limit 1
      ) = 'Deposit' and (
        select 1 from audit
        where payee_id = m.payee_id and object_kind = 'payment' and object_id = m.payment_id::text
          and action = 'import-gift-card'
        limit 1
      ) is null then 'sold'
    end as figure, coalesce(s.paid, -s.funded) as amount
  ) f`;

const IN_REACH = 'm.payee_id = $1::uuid and m.movement_id >= $2::uuid and m.movement_id < $3::uuid';
const IN_PERIOD = 'm.happened_at >= $4::timestamptz and m.happened_at < $5::timestamptz';

/**
 * The newest movements in reach, up to a limit, which alone are looked at more closely. One range stands beside a limit: with a second one the
 * planner may walk the index of that, and sort what it finds.
 */
const NEWEST = `
  select * from movement m where ${IN_REACH} order by m.movement_id desc limit ${PORTAL_SEARCH_ROWS}`;

/** Movements of a period, newest first. */
export const MOVEMENTS: Statement = {
  name: 'portal-select-movements',
  text: `
    select ${MOVEMENT_COLUMNS} from (${NEWEST}) m
    where ${IN_PERIOD}
    order by m.movement_id desc limit $6::integer`,
};

/** The same of one kind, of one currency, or that count as one figure: looked for one after the other, up to a limit. */
export const MOVEMENTS_SIEVED: Statement = {
  name: 'portal-select-movements-sieved',
  text: `
    select ${MOVEMENT_COLUMNS} from (${NEWEST}) m
    ${MOVEMENT_FIGURE}
    where ${IN_PERIOD} and ($7::text is null or m.kind = $7::text) and ($8::text is null or m.currency = $8::text)
      and ($9::text is null or f.figure = $9::text or ($9::text = 'sales' and f.figure in ('volume', 'spent')))
    order by m.movement_id desc limit $6::integer`,
};

/** The last movement that such a search looks at; no row where the list ends before. */
export const MOVEMENTS_STOP: Statement = {
  name: 'portal-select-movements-stop',
  text: `
    select m.movement_id as id from movement m where ${IN_REACH}
    order by m.movement_id desc offset ${PORTAL_SEARCH_ROWS - 1} limit 1`,
};

/** One movement. */
export const ONE_MOVEMENT: Statement = {
  name: 'portal-select-movement',
  text: `select ${MOVEMENT_COLUMNS} from movement m where m.payee_id = $1::uuid and m.movement_id = $2::uuid`,
};

/** Movements of a list, with the place where a search stopped. */
export async function selectMovements(read: Read, list: MovementSearch): Promise<Found<ListedMovement>> {
  const { payeeId, reach, period, limit, kind, currency, figure } = list;
  const values = [payeeId, reach.from, reach.below, period.from, period.to, limit];
  const sieve = [kind, currency, figure];
  const isSieved = sieve.some((one) => one !== undefined);
  const { rows } = isSieved
    ? await read<ListedMovement>(MOVEMENTS_SIEVED, [...values, ...sieve.map((one) => one ?? null)])
    : await read<ListedMovement>(MOVEMENTS, values);
  if (rows.length >= limit) return { rows, stoppedAt: undefined };
  const stop = await read<{ id: string }>(MOVEMENTS_STOP, values.slice(0, 3));
  return { rows, stoppedAt: stop.rows[0]?.id };
}

/** The movements of a payment, oldest first, with their entries. */
export const PAYMENT_MOVEMENTS: Statement = {
  name: 'portal-select-payment-movements',
  text: `
    select ${MOVEMENT_COLUMNS}
    from movement m
    where m.payee_id = $1::uuid and m.payment_id = $2::uuid
    order by m.movement_id limit ${STORY_ROWS}`,
};

/** The movements of a payment, oldest first. */
export async function selectPaymentMovements(
  read: Read,
  { payeeId, paymentId }: StoryKey,
): Promise<readonly ListedMovement[]> {
  return (await read<ListedMovement>(PAYMENT_MOVEMENTS, [payeeId, paymentId])).rows;
}

/** One movement, or undefined. */
export async function selectMovement(
  read: Read,
  payeeId: string,
  movementId: string,
): Promise<ListedMovement | undefined> {
  return (await read<ListedMovement>(ONE_MOVEMENT, [payeeId, movementId])).rows[0];
}

/** What came and went in a period, by the time of the movements: what a payment was made of stays in its days for ever. */
export const MONEY_TALLIES: Statement = {
  name: 'portal-tally-movements',
  text: `
    select ${dateOf('p.happened_at', '$6::text')} as day, p.currency, p.figure, count(*) as movements,
      coalesce(sum(p.amount) filter (where p.amount > 0), 0)::bigint as came,
      coalesce(-sum(p.amount) filter (where p.amount < 0), 0)::bigint as went
    from (
      select m.happened_at, m.currency, f.figure, f.amount
      from (
        select * from movement m
        where ${IN_REACH} and m.kind in (${FIGURE_KINDS.map((kind) => `'${kind}'`).join(', ')})
        order by m.movement_id desc limit ${STATISTICS_ROWS}
      ) m
      ${MOVEMENT_FIGURE}
      where ${IN_PERIOD}
    ) p
    group by day, p.currency, p.figure`,
};

/** What came and went in a period. */
export async function selectMoney(
  read: Read,
  { payeeId, reach, period, timeZone }: Tallied,
): Promise<readonly MoneyTally[]> {
  const values = [payeeId, reach.from, reach.below, period.from, period.to, timeZone];
  return (await read<MoneyTally>(MONEY_TALLIES, values)).rows;
}
