import type { Read } from '../../db/transaction.types.ts';
import type { Condition, StateTable } from '../../engine/leg.types.ts';
import { PORTAL_SEARCH_ROWS } from '../../kit/portal-limits.ts';
import type { Found } from '../newest-first.types.ts';
import {
  ACCOUNT_STATES,
  type AccountGroup,
  type CardGroup,
  LISTED_CARD_STATES,
  type ListedPayment,
  type LookedWay,
  type PaymentSearch,
  SETTLED_LISTED_STATES,
  type TextSearch,
  type Way,
} from './payments.types.ts';
import { ACCOUNT_PLACE, CARD_PLACE, type PlaceColumns } from './place-columns.types.ts';

type WayName = Way<unknown>['by'];

/** What `stateBy` says of a row `p`, as an expression. */
function stateSql<State extends string, Member extends string>(table: StateTable<State, Member>): string {
  const value = (to: Condition<Member>[2]) =>
    typeof to === 'object' && to !== null ? columnOf(to.of) : typeof to === 'string' ? `'${to}'` : `${to}`;
  const condition = ([members, is, to]: Condition<Member>) =>
    to === null ? `${members.map(columnOf)} is null` : `${members.map(columnOf).join(' + ')} ${is} ${value(to)}`;
  const lines = table.map(
    ([state, ...conditions]) => `when ${conditions.map(condition).join(' and ') || 'true'} then '${state}'`,
  );
  return `case ${lines.join('\n    ')} end`;
}

function columnOf(member: string): string {
  if (member === 'now') return 'kontor_now()';
  return `p.${member.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)}`;
}

/** What a card payment is about, also before it is paid. */
const CARD_AMOUNT = `case when p.amount > 0 then p.amount
    else coalesce((p.terms #>> '{prices,0,amount}')::bigint, 0) end`;

const CARD_COLUMNS = `
  p.payment_id as "paymentId", 'card' as family, p.number, p.operation as kind,
  ${stateSql(LISTED_CARD_STATES)} as state,
  p.currency, ${CARD_AMOUNT} as amount, p.amount as approved, p.captured, p.cancelled, p.reversed,
  p.reserved_hold as "reservedHold", p.reserved_reversal as "reservedReversal", p.disputed,
  p.terms #>> '{payeeInfo,orderReference}' as "orderReference",
  p.terms #>> '{payeeInfo,payeeReference}' as reference, p.payer_reference as "payerReference",
  t.card ->> 'maskedPan' as masked, case when p.paid_by is null then t.problem end as problem,
  ${CARD_PLACE.shop} as shop, ${CARD_PLACE.site} as site, ${CARD_PLACE.terminal} as terminal,
  p.created_at as "createdAt", p.updated_at as "updatedAt", p.authorized_until as "authorizedUntil",
  coalesce(p.authorized_until <= (select kontor_now()), false) as "isOver", null::uuid as "accountId", p.order_id as "orderId"`;

/** The try that paid a card payment, or else the last one. */
const CARD_TRY = `
  left join lateral (
    select card, problem from card_transaction
    where payee_id = p.payee_id and payment_id = p.payment_id
      and (transaction_id = p.paid_by or (p.paid_by is null and type in ('Authorization', 'Verification')))
    order by created_at desc, number desc limit 1
  ) t on true`;

const ACCOUNT_COLUMNS = `
  p.payment_id as "paymentId", 'account' as family, null::bigint as number, p.operation as kind,
  ${stateSql(ACCOUNT_STATES)} as state,
  p.currency, p.amount, case when p.state = 'FAILED' then 0 else p.amount end as approved, p.captured, p.cancelled,
  p.reversed, p.reserved_hold as "reservedHold", p.reserved_reversal as "reservedReversal",
  p.disputed, p.payment_order_ref as "orderReference", p.payment_transaction_ref as reference, null::text as "payerReference",
  p.echo #>> '{card,numberMasked}' as masked, p.problem, 
  ${ACCOUNT_PLACE.shop} as shop, ${ACCOUNT_PLACE.site} as site, ${ACCOUNT_PLACE.terminal} as terminal, p.created_at as "createdAt", p.updated_at as "updatedAt",
  case when p.order_id is null then p.hold_expires_at end as "authorizedUntil", 
  p.order_id is null and coalesce(p.hold_expires_at <= (select kontor_now()), false) as "isOver",
  p.account_id as "accountId", p.order_id as "orderId"`;

/** A table of payments: what is shown of a row, how its state and its amount are read, and which rows there are for the portal. */
export interface Table {
  readonly name: 'card_payment' | 'payment';
  readonly shown: string;
  readonly more: string;
  readonly state: string;
  readonly amount: string;
  /** Whether an attempt failed by the reason `$13`. */
  readonly hasProblem: string;
  /** Where a row was made. */
  readonly place: PlaceColumns;
  readonly isThere: string;
  /** When what is held of a row is released, and which rows have such an end. */
  readonly end: string;
  readonly hasEnd: string;
  /** The columns that the rows of a group share, and the arrays that groups come in. */
  readonly groups: readonly (readonly [column: string, type: string])[];
}

/** Each condition of `isThere`, and that it is no leg, are those of the index by state: see the migrations. */
export const CARD_TABLE: Table = {
  name: 'card_payment',
  shown: CARD_COLUMNS,
  more: CARD_TRY,
  state: stateSql(SETTLED_LISTED_STATES),
  amount: CARD_AMOUNT,
  // With a limit it is looked up row by row, whatever the planner knows of the tables.
  hasProblem: `(
            select 1 from card_transaction t
            where t.payment_id = p.payment_id and t.payee_id = p.payee_id and t.state = 'Failed'
              and t.type in ('Authorization', 'Verification') and t.problem = $13::text
            limit 1
          ) is not null`,
  place: CARD_PLACE,
  isThere: `p.operation <> ''`,
  end: 'p.authorized_until',
  hasEnd: 'p.authorized_until is not null',
  groups: [
    ['p.state', 'text'],
    ['(p.paid_by is null)', 'boolean'],
    ['p.operation', 'text'],
  ],
};

/** What an issuer has not answered yet is shown nowhere. */
export const ACCOUNT_TABLE: Table = {
  name: 'payment',
  shown: ACCOUNT_COLUMNS,
  more: '',
  state: stateSql(ACCOUNT_STATES),
  amount: 'p.amount',
  hasProblem: 'p.problem = $13::text',
  place: ACCOUNT_PLACE,
  isThere: `p.state <> 'CALLING'`,
  end: 'p.hold_expires_at',
  hasEnd: "p.hold_expires_at is not null and p.order_id is null and p.state = 'OK'",
  groups: [
    ['p.state', 'text'],
    ['p.operation', 'text'],
  ],
};

/** `$1` to `$5` of each statement that cuts a part out of a list: see `valuesOf`. */
const IN_REACH = 'p.payee_id = $1::uuid and p.payment_id >= $2::uuid and p.payment_id < $3::uuid';
const IN_PERIOD = 'p.created_at >= $4::timestamptz and p.created_at < $5::timestamptz';

/** Ways that look at rows one after the other, at so many and no more. */
const isLookedAt = (by: WayName): by is LookedWay => by !== 'order' && by !== 'groups';

/** The rows that such a way looks at: all, or those that have an index. */
const INDEXED: Readonly<Record<Exclude<LookedWay, 'ending'>, string>> = {
  reversed: 'and p.reversed > 0',
  tried: 'and p.failed_tries > 0',
  declined: 'and p.failed_tries > 0 and p.paid_by is null',
  looked: '',
};

/** Those that are asked for first: the newest, or those that end first. */
const inOrder = ({ end }: Table, by: WayName): string =>
  `order by ${by === 'ending' ? `${end}, p.payment_id` : 'p.payment_id desc'}`;

function lookedAt(table: Table, by: LookedWay): string {
  const { name, isThere, end, hasEnd } = table;
  const which =
    by === 'ending'
      ? `p.payee_id = $1::uuid and (${end}, p.payment_id) > ($3::timestamptz, $2::uuid) and ${hasEnd}`
      : `${IN_REACH} and ${isThere} ${INDEXED[by]}`;
  return `from ${name} p where ${which} ${inOrder(table, by)}`;
}

/**
 * The rows of a list, newest first, `$6` of them at most: by groups that an index keeps together, each from its newest
 * row on; or those that match of what is looked at.
 */
function rowsText(table: Table, by: WayName): string {
  const { name, isThere, state, amount, groups } = table;
  const rows = `select p.* from ${name} p where ${IN_REACH} and ${IN_PERIOD} and ${isThere}`;
  const newest = `${inOrder(table, by)} limit $6::integer`;
  switch (by) {
    case 'order':
      return `${rows} ${newest}`;
    case 'groups': {
      const arrays = groups.map(([, type], index) => `$${index + 7}::${type}[]`);
      const names = groups.map((_, index) => `c${index}`);
      const same = groups.map(([column], index) => `${column} = g.c${index}`).join(' and ');
      return `
        select p.* from unnest(${arrays.join(', ')}) as g (${names.join(', ')})
        cross join lateral (${rows} and p.order_id is null and ${same} ${newest}) p ${newest}`;
    }
    default: {
      const matches = `($7::text[] is null or ${state} = any ($7::text[])) and p.operation = any ($8::text[])
          and ($9::bigint is null or ${amount} between $9::bigint and $10::bigint)
          and ($11::text is null or p.currency = $11::text) and ($12::boolean or p.order_id is null)
          and ($13::text is null or ${table.hasProblem})
          and ($14::text is null or ${table.place.shop} = $14::text)
          and ($15::text is null or ${table.place.site} = $15::text)
          and ($16::text is null or ${table.place.terminal} = $16::text)
          ${by === 'ending' ? `and ${table.end} > (select kontor_now())` : ''}`;
      return `
        select p.* from (select p.* ${lookedAt(table, by)} limit ${PORTAL_SEARCH_ROWS}) p
        where ${IN_PERIOD} and ${matches} ${newest}`;
    }
  }
}

/** What a page shows of payments, newest first. */
export function pageStatement(table: Table, by: WayName) {
  return {
    name: `portal-select-${table.name}-by-${by}`,
    text: `select ${table.shown} from (${rowsText(table, by)}) p ${table.more} ${inOrder(table, by)}`,
  };
}

/** How many there are, up to `$6`. */
export function countStatement(table: Table, by: WayName) {
  return {
    name: `portal-count-${table.name}-by-${by}`,
    text: `select count(*) as count from (${rowsText(table, by)}) p`,
  };
}

/**
 * The last id that is looked at; no row where that comes to the end of the list before. It takes the time too: an index
 * of state and id alone would answer without it, and the planner would sort all that a payee has.
 */
export function stopStatement(table: Table, by: LookedWay) {
  return {
    name: `portal-select-${table.name}-stop-by-${by}`,
    text: `select p.payment_id as id, ${by === 'ending' ? table.end : 'p.created_at'} as at ${lookedAt(table, by)} offset ${PORTAL_SEARCH_ROWS - 1} limit 1`,
  };
}

/** Payments of one family, with the place where a search stopped. */
export async function selectPayments(
  read: Read,
  table: Table,
  search: PaymentSearch,
  way: Way<CardGroup | AccountGroup>,
): Promise<Found<ListedPayment>> {
  const rows = await read<ListedPayment>(pageStatement(table, way.by), valuesOf(search, way));
  return { rows: rows.rows, stoppedAt: await stopOf(read, table, search, { way, count: rows.count }) };
}

/** How many payments of one family there are, up to the search's limit; and whether the count stopped before the end. */
export async function countPayments(
  read: Read,
  table: Table,
  search: PaymentSearch,
  way: Way<CardGroup | AccountGroup>,
): Promise<{ readonly count: number; readonly hasStopped: boolean }> {
  const { rows } = await read<{ count: number }>(countStatement(table, way.by), valuesOf(search, way));
  const count = rows[0]?.count ?? 0;
  return { count, hasStopped: (await stopOf(read, table, search, { way, count })) !== undefined };
}

async function stopOf(
  read: Read,
  table: Table,
  search: PaymentSearch,
  { way, count }: { readonly way: Way<unknown>; readonly count: number },
): Promise<string | undefined> {
  if (!isLookedAt(way.by) || count >= search.limit) return undefined;
  const { rows } = await read<{ id: string; at: string }>(
    stopStatement(table, way.by),
    reachValues(search, way.by).slice(0, 3),
  );
  const [stop] = rows;
  return way.by === 'ending' && stop !== undefined ? `${stop.at}_${stop.id}` : stop?.id;
}

function valuesOf(search: PaymentSearch, way: Way<CardGroup | AccountGroup>): unknown[] {
  const common = [...reachValues(search, way.by), search.limit];
  if (way.by === 'order') return common;
  if (way.by !== 'groups') {
    const { states, kinds, amount, problem, place } = way.sieve;
    const range = [amount?.from ?? null, amount?.to ?? null, amount?.currency ?? null];
    const about = [states ?? null, kinds, ...range, search.hasLegs, problem ?? null];
    return [...common, ...about, place?.shop ?? null, place?.site ?? null, place?.terminal ?? null];
  }
  const { groups } = way;
  const unpaid = groups.flatMap((group) => ('isUnpaid' in group ? [group.isUnpaid] : []));
  const operations = groups.map(({ operation }) => operation);
  const states = groups.map(({ state }) => state);
  return [...common, states, ...(unpaid.length > 0 ? [unpaid] : []), operations];
}

function reachValues({ payeeId, reach, after, period }: PaymentSearch, by: WayName): unknown[] {
  const [from, to] = by === 'ending' ? [after.id, after.endsAt] : [reach.from, reach.below];
  return [payeeId, from, to, period.from, period.to];
}

/** Payments of one family that a text names, newest first, so many at most. */
export async function selectNamed(
  read: Read,
  statement: typeof NAMED_CARD_PAYMENTS,
  { payeeId, searched }: TextSearch,
  limit: number,
): Promise<readonly ListedPayment[]> {
  const { text, alsoAsPrefix, ids, number } = searched;
  // In the order of bytes nothing is between a text and the text with the smallest character after it.
  const beyond = `${text}${alsoAsPrefix ? '\u{10ffff}' : '\u0001'}`;
  const values = [payeeId, ids?.from ?? null, ids?.to ?? null, text, beyond, limit];
  const { rows } = await read<ListedPayment>(
    statement,
    statement === NAMED_CARD_PAYMENTS ? [...values, number ?? null] : values,
  );
  return rows;
}

/** References of a card payment are taken as `<operation>:<reference>`. */
const CARD_REFERENCE_KINDS =
  "'{Purchase,Verify,Recur,UnscheduledPurchase,Authorization,Verification,Capture,Cancellation,Reversal}'::text[]";

const BY_ID = (table: Table) => `
  (select p.payment_id from ${table.name} p
   where p.payee_id = $1::uuid and p.payment_id >= $2::uuid and p.payment_id <= $3::uuid and ${table.isThere}
   order by p.payment_id desc limit $6::integer)`;

const shownHits = (table: Table, hits: readonly string[]) => `
  select ${table.shown}
  from (${hits.join(' union ')}) h
  cross join lateral (
    select * from ${table.name} p where p.payee_id = $1::uuid and p.payment_id = h.payment_id limit 1
  ) p
  ${table.more}
  where ${table.isThere}
  order by p.payment_id desc limit $6::integer`;

/** Card payments by id or its beginning, by number, by the payee's reference, by the order's or its beginning. */
export const NAMED_CARD_PAYMENTS = {
  name: 'portal-select-named-card-payments',
  text: shownHits(CARD_TABLE, [
    BY_ID(CARD_TABLE),
    '(select p.payment_id from card_payment p where p.payee_id = $1::uuid and p.number = $7::bigint and p.number > 0 limit 1)',
    `(select r.payment_id from unnest(${CARD_REFERENCE_KINDS}) k
      cross join lateral (
        select payment_id from reference
        where payee_id = $1::uuid and scope = 'card-payment' and reference = k || ':' || $4::text limit 1
      ) r)`,
    `(select p.payment_id from card_payment p
      where p.payee_id = $1::uuid
        and (p.terms #>> '{payeeInfo,orderReference}') collate "C" >= $4::text
        and (p.terms #>> '{payeeInfo,orderReference}') collate "C" < $5::text
      order by (p.terms #>> '{payeeInfo,orderReference}') collate "C" limit $6::integer)`,
  ]),
};

/** Account payments by id or its beginning, by the payee's reference of it or of what followed it, by the order's. */
export const NAMED_ACCOUNT_PAYMENTS = {
  name: 'portal-select-named-account-payments',
  text: shownHits(ACCOUNT_TABLE, [
    BY_ID(ACCOUNT_TABLE),
    `(select r.payment_id from unnest('{payment,pre-deposit}'::text[]) s
      cross join lateral (
        select payment_id from reference
        where payee_id = $1::uuid and scope = s and reference = $4::text and payment_id is not null limit 1
      ) r)`,
    `(select p.payment_id from payment p
      where p.payee_id = $1::uuid and p.payment_order_ref <> '' and ${ACCOUNT_TABLE.isThere}
        and p.payment_order_ref collate "C" >= $4::text and p.payment_order_ref collate "C" < $5::text
      order by p.payment_order_ref collate "C" limit $6::integer)`,
  ]),
};

/** One payment of a family. */
export const oneStatement = (table: Table) => ({
  name: `portal-select-one-${table.name}`,
  text: `
    select ${table.shown}
    from (select * from ${table.name} where payee_id = $1::uuid and payment_id = $2::uuid limit 1) p
    ${table.more}
    where ${table.isThere}`,
});

const someStatement = (table: Table) => ({
  name: `portal-select-some-${table.name}`,
  text: `
    select ${table.shown}
    from (select * from ${table.name} where payee_id = $1::uuid and payment_id = any($2::uuid[])) p
    ${table.more}
    where ${table.isThere}`,
});

/** Payments of either family by their ids. */
export async function selectSomePayments(
  read: Read,
  payeeId: string,
  paymentIds: readonly string[],
): Promise<readonly ListedPayment[]> {
  const found = await Promise.all(
    [CARD_TABLE, ACCOUNT_TABLE].map((table) => read<ListedPayment>(someStatement(table), [payeeId, paymentIds])),
  );
  return found.flatMap(({ rows }) => rows);
}

/** A payment of whichever family; undefined where there is none. */
export async function selectPayment(
  read: Read,
  payeeId: string,
  paymentId: string,
): Promise<ListedPayment | undefined> {
  const found = await Promise.all(
    [CARD_TABLE, ACCOUNT_TABLE].map((table) => read<ListedPayment>(oneStatement(table), [payeeId, paymentId])),
  );
  return found.flatMap(({ rows }) => rows)[0];
}
