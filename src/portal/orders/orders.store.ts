import type { Read, Statement } from '../../db/transaction.types.ts';
import { PORTAL_SEARCH_ROWS, STORY_ROWS } from '../../kit/portal-limits.ts';
import type { Found } from '../newest-first.types.ts';
import type { SearchedText } from '../payments/payments.types.ts';
import { ORDER_PLACE } from '../payments/place-columns.types.ts';
import type {
  ListedOrder,
  OrderDetails,
  OrderSearch,
  OrderTransactionLine,
  OrderWay,
  ShownLeg,
} from './orders.types.ts';
import type { HistoryLine } from './orders.wire.ts';

/** Whether the authorization of an order `p` is over; null where it has no end. A declined end is asked for again. */
const IS_OVER = `(p.authorized_until <= (select kontor_now()) or p.authorized_until is not null and (
    select 1 from order_transaction t
    where t.order_id = p.order_id and t.payee_id = p.payee_id and t.initiated_by = 'PaymentGateway' and t.state = 'Failed'
    limit 1
  ) is not null)`;

/** What lists show of an order `p`. */
const ORDER_COLUMNS = `
  p.order_id as "orderId", p.number, p.operation, p.status, p.currency, p.amount, p.vat_amount as "vatAmount",
  p.captured, p.cancelled, p.reversed, p.reserved_hold as "reservedHold", p.reserved_reversal as "reservedReversal",
  p.terms #>> '{payeeInfo,payeeReference}' as "payeeReference",
  p.terms #>> '{payeeInfo,orderReference}' as "orderReference", p.payer_reference as "payerReference",
  p.paid_by is null and p.failed_tries > 0 as "isDeclined",
  coalesce(p.problem, case when p.paid_by is null then f.problem end) as problem,
  ${ORDER_PLACE.shop} as shop, ${ORDER_PLACE.site} as site, ${ORDER_PLACE.terminal} as terminal, p.created_at as "createdAt", p.updated_at as "updatedAt",
  p.authorized_until as "authorizedUntil", p.paid_by is not null as "isPaid", coalesce(${IS_OVER}, false) as "isOver",
  i.instruments`;

/** Why its last attempt with a card failed. */
const LAST_DECLINE = `
  left join lateral (
    select problem from card_transaction
    where payment_id = p.card_payment_id and payee_id = p.payee_id and p.failed_tries > 0 and state = 'Failed'
      and type in ('Authorization', 'Verification')
    order by number desc limit 1
  ) f on true`;

/** What pays it, in its order: a card with the brand of the try that paid, or else of the last one. */
const ORDER_INSTRUMENTS = `${LAST_DECLINE}
  cross join lateral (
    select coalesce(
      jsonb_agg(jsonb_build_object('type', l.instrument_type, 'name', l.name, 'brand', t.brand) order by l.position), '[]'
    ) as instruments
    from order_leg l
    left join lateral (
      select card ->> 'cardBrand' as brand from card_transaction
      where l.kind = 'Card' and payment_id = p.card_payment_id and payee_id = p.payee_id
        and type in ('Authorization', 'Verification')
      order by (transaction_id = p.paid_by) desc, number desc limit 1
    ) t on true
    where l.order_id = p.order_id and l.payee_id = p.payee_id and l.state <> 'Released'
  ) i`;

const IN_REACH = 'p.payee_id = $1::uuid and p.order_id >= $2::uuid and p.order_id < $3::uuid';
const IN_PERIOD = 'p.created_at >= $4::timestamptz and p.created_at < $5::timestamptz';
const inOrder = (by: OrderWay) => `order by ${by === 'ending' ? 'p.authorized_until, p.order_id' : 'p.order_id desc'}`;
const NEWEST = `${inOrder('order')} limit $6::integer`;

/** Ways that look at orders one after the other, at so many and no more. */
type LookedWay = Exclude<OrderWay, 'order' | 'status'>;

const INDEXED: Readonly<Record<LookedWay, string>> = {
  looked: IN_REACH,
  tried: `${IN_REACH} and p.failed_tries > 0 and p.status <> ''`,
  ending: `p.payee_id = $1::uuid and (p.authorized_until, p.order_id) > ($3::timestamptz, $2::uuid)
    and p.authorized_until is not null`,
};

/** Orders that are looked at one after the other: all, or those that an index has together. */
const lookedAt = (by: LookedWay) => `from payment_order p where ${INDEXED[by]} ${inOrder(by)}`;

/** The status of an order, or what lists say of more than one. */
const HAS_STATUS = `case $7::text when 'Succeeded' then p.paid_by is not null
        when 'Declined' then p.paid_by is null and p.failed_tries > 0
        when 'ToCapture' then not ${IS_OVER}
        else $7::text is null or p.status = $7::text end`;

/** With a limit it is looked up row by row, whatever the planner knows of the tables. */
const HAS_PROBLEM = `($13::text is null or (
        select 1 from card_transaction t
        where t.payment_id = p.card_payment_id and t.payee_id = p.payee_id and t.state = 'Failed'
          and t.type in ('Authorization', 'Verification') and t.problem = $13::text
        limit 1
      ) is not null)`;

const sieved = (by: LookedWay) => `
    select p.* from (select p.* ${lookedAt(by)} limit ${PORTAL_SEARCH_ROWS}) p
    cross join lateral (
      select count(*) as legs, bool_or(kind = 'Card') as "hasCard", bool_or(kind = 'Account') as "hasAccount"
      from order_leg where order_id = p.order_id and payee_id = p.payee_id and state <> 'Released'
    ) l
    where ${IN_PERIOD} and ${HAS_STATUS}
      and ($8::text is null or case $8::text when 'CreditCard' then l."hasCard" else l."hasAccount" end)
      and ($9::boolean is null or (l.legs > 1) = $9::boolean)
      and ($10::bigint is null or p.amount between $10::bigint and $11::bigint)
      and ($12::text is null or p.currency = $12::text) and ${HAS_PROBLEM}
      and ($14::text is null or ${ORDER_PLACE.shop} = $14::text)
      and ($15::text is null or ${ORDER_PLACE.site} = $15::text)
      and ($16::text is null or ${ORDER_PLACE.terminal} = $16::text)
    ${inOrder(by)} limit $6::integer`;

const ROWS: Readonly<Record<OrderWay, string>> = {
  order: `select p.* from payment_order p where ${IN_REACH} and ${IN_PERIOD} ${NEWEST}`,
  status: `
    select p.* from payment_order p where ${IN_REACH} and p.status = $7::text and p.status <> '' and ${IN_PERIOD} ${NEWEST}`,
  looked: sieved('looked'),
  tried: sieved('tried'),
  ending: sieved('ending'),
};

/** What a page shows of orders, newest first. */
export const orderPage = (way: OrderWay): Statement => ({
  name: `portal-select-orders-by-${way}`,
  text: `select ${ORDER_COLUMNS} from (${ROWS[way]}) p ${ORDER_INSTRUMENTS} ${inOrder(way)}`,
});

/** The last order that is looked at; no row where that comes to the end of the list before. */
export const orderStop = (by: LookedWay): Statement => ({
  name: `portal-select-orders-stop-by-${by}`,
  text: `select p.order_id as id, ${by === 'ending' ? 'p.authorized_until' : 'p.created_at'} as at ${lookedAt(by)} offset ${PORTAL_SEARCH_ROWS - 1} limit 1`,
});

/** Orders of a payee, with the place where a search stopped. */
export async function selectOrders(read: Read, search: OrderSearch, way: OrderWay): Promise<Found<ListedOrder>> {
  const { payeeId, reach, after, period, limit, match } = search;
  const [from, to] = way === 'ending' ? [after.id, after.endsAt] : [reach.from, reach.below];
  const common = [payeeId, from, to, period.from, period.to, limit];
  const { status = null, instrument = null, isSplit = null, problem = null, amount, place } = match;
  const range = [amount?.from ?? null, amount?.to ?? null, amount?.currency ?? null];
  const where = [place?.shop ?? null, place?.site ?? null, place?.terminal ?? null];
  const sieve = [...common, status, instrument, isSplit, ...range, problem, ...where];
  const values = { order: common, status: [...common, status], looked: sieve, tried: sieve, ending: sieve };
  const { rows } = await read<ListedOrder>(orderPage(way), values[way]);
  if (way === 'order' || way === 'status' || rows.length >= limit) return { rows, stoppedAt: undefined };
  const [stop] = (await read<{ id: string; at: string }>(orderStop(way), common.slice(0, 3))).rows;
  return { rows, stoppedAt: way === 'ending' && stop !== undefined ? `${stop.at}_${stop.id}` : stop?.id };
}

/** Hits of a search: orders by one of the texts that name them. */
const HITS = [
  `(select p.order_id from payment_order p
    where p.payee_id = $1::uuid and p.order_id >= $2::uuid and p.order_id <= $3::uuid
    order by p.order_id desc limit $6::integer)`,
  // The card's leg, and its number is the order's; a gift card's leg.
  `(select p.order_id from card_payment p
    where p.payee_id = $1::uuid and p.payment_id >= $2::uuid and p.payment_id <= $3::uuid and p.order_id is not null
    order by p.payment_id desc limit $6::integer)`,
  `(select p.order_id from payment p
    where p.payee_id = $1::uuid and p.payment_id >= $2::uuid and p.payment_id <= $3::uuid and p.order_id is not null
    order by p.payment_id desc limit $6::integer)`,
  '(select p.order_id from payment_order p where p.payee_id = $1::uuid and p.number = $7::bigint and p.number > 0 limit 1)',
  '(select t.order_id from order_transaction t where t.payee_id = $1::uuid and t.number = $7::bigint and t.number > 0 limit 1)',
  `(select p.order_id from unnest('{order,Capture,Cancellation,Reversal}'::text[]) k
    cross join lateral (
      select payment_id from reference
      where payee_id = $1::uuid and scope = 'payment-order' and reference = k || ':' || $4::text limit 1
    ) r
    cross join lateral (
      select order_id from payment_order where payee_id = $1::uuid and order_id = r.payment_id limit 1
    ) p)`,
  `(select p.order_id from payment_order p
    where p.payee_id = $1::uuid
      and (p.terms #>> '{payeeInfo,orderReference}') collate "C" >= $4::text
      and (p.terms #>> '{payeeInfo,orderReference}') collate "C" < $5::text
    order by (p.terms #>> '{payeeInfo,orderReference}') collate "C" limit $6::integer)`,
  `(select l.order_id from order_leg l
    where l.payee_id = $1::uuid and right(l.name, 4) = $8::text and l.name <> ''
    order by l.order_id desc limit $6::integer)`,
];

/** Orders by id or its beginning, number of it or of a transaction, reference, or the last four digits of a card. */
export const NAMED_ORDERS: Statement = {
  name: 'portal-select-named-orders',
  text: `
    select ${ORDER_COLUMNS}
    from (${HITS.join(' union ')}) h
    cross join lateral (select * from payment_order where payee_id = $1::uuid and order_id = h.order_id limit 1) p
    ${ORDER_INSTRUMENTS}
    order by p.order_id desc limit $6::integer`,
};

/** Orders that a text names, newest first, so many at most. */
export async function selectNamedOrders(
  read: Read,
  { payeeId, searched }: { readonly payeeId: string; readonly searched: SearchedText },
  limit: number,
): Promise<readonly ListedOrder[]> {
  const { text, alsoAsPrefix, ids, number } = searched;
  // In the order of bytes nothing is between a text and the text with the smallest character after it.
  const beyond = `${text}${alsoAsPrefix ? '\u{10ffff}' : '\u0001'}`;
  const lastFour = /^\d{4}$/.test(text) ? text : null;
  const values = [payeeId, ids?.from ?? null, ids?.to ?? null, text, beyond, limit, number ?? null, lastFour];
  return (await read<ListedOrder>(NAMED_ORDERS, values)).rows;
}

/** Names an order. */
export interface StoryOfOrder {
  readonly payeeId: string;
  readonly orderId: string;
}

/** One order with all of its row. */
export const ONE_ORDER: Statement = {
  name: 'portal-select-one-order',
  text: `
    select ${ORDER_COLUMNS}, p.intent, p.terms ->> 'description' as description, p.card_payment_id as "cardPaymentId",
      p.unsettled > 0 as "isUnsettled", p.abort_reason as "abortReason",
      p.cancel_reason as "cancelReason", p.expires_at as "expiresAt", p.held_until as "heldUntil",
      p.order_items as "orderItems"
    from (select * from payment_order where payee_id = $1::uuid and order_id = $2::uuid limit 1) p
    ${ORDER_INSTRUMENTS}`,
};

/** The legs of an order with the amounts of the payments that they stand for. */
export const ORDER_LEGS: Statement = {
  name: 'portal-select-order-legs',
  text: `
    select l.leg_id as "legId", l.position, l.kind, l.state, l.instrument_type as "instrumentType", l.name,
      l.account_id as "accountId", l.payment_id as "paymentId", l.amount, m.captured, m.cancelled, m.reversed,
      m.reserved_hold as "reservedHold", m.reserved_reversal as "reservedReversal", m.disputed, t.brand
    from (
      select * from order_leg
      where order_id = $2::uuid and payee_id = $1::uuid and state <> 'Released' order by position limit ${STORY_ROWS}
    ) l
    left join lateral (
      (select captured, cancelled, reversed, reserved_hold, reserved_reversal, 0::bigint as disputed from payment
       where payee_id = $1::uuid and payment_id = l.payment_id and l.kind = 'Account' limit 1)
      union all
      (select captured, cancelled, reversed, reserved_hold, reserved_reversal, disputed from card_payment
       where payee_id = $1::uuid and payment_id = l.payment_id and l.kind = 'Card' limit 1)
    ) m on true
    left join lateral (
      select card ->> 'cardBrand' as brand from card_transaction
      where l.kind = 'Card' and payment_id = l.payment_id and payee_id = $1::uuid
        and type in ('Authorization', 'Verification')
      order by number desc limit 1
    ) t on true
    order by l.position`,
};

/** The transactions of an order with their parts, oldest first. */
export const ORDER_TRANSACTIONS: Statement = {
  name: 'portal-select-order-transactions',
  text: `
    select t.transaction_id as "transactionId", t.number, t.type, t.state, t.amount, t.vat_amount as "vatAmount",
      t.payee_reference as reference, t.description, t.problem, t.initiated_by as "initiatedBy",
      coalesce(t.order_items, '[]') as "orderItems", t.created_at as "createdAt", t.updated_at as "updatedAt", s.parts
    from (
      select * from order_transaction where order_id = $2::uuid and payee_id = $1::uuid
      order by number limit ${STORY_ROWS}
    ) t
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('legId', r.leg_id, 'amount', r.amount) order by l.position), '[]') as parts
      from order_part r
      cross join lateral (
        select position from order_leg where payee_id = $1::uuid and leg_id = r.leg_id limit 1
      ) l
      where r.payee_id = $1::uuid and r.transaction_id = t.transaction_id
    ) s
    order by t.number`,
};

/** What happened to an order, oldest first. */
export const ORDER_HISTORY: Statement = {
  name: 'portal-select-order-history',
  text: `
    select name, initiated_by as "initiatedBy", instrument, number, amount, created_at as "createdAt"
    from order_history
    where payee_id = $1::uuid and order_id = $2::uuid
    order by position limit ${STORY_ROWS}`,
};

/** One order; undefined where there is none. */
export async function selectOneOrder(
  read: Read,
  { payeeId, orderId }: StoryOfOrder,
): Promise<OrderDetails | undefined> {
  return (await read<OrderDetails>(ONE_ORDER, [payeeId, orderId])).rows[0];
}

const SOME_ORDERS: Statement = {
  name: 'portal-select-some-orders',
  text: `
    select ${ORDER_COLUMNS}
    from (select * from payment_order where payee_id = $1::uuid and order_id = any($2::uuid[])) p
    ${ORDER_INSTRUMENTS}`,
};

/** Orders by their ids. */
export async function selectSomeOrders(
  read: Read,
  payeeId: string,
  orderIds: readonly string[],
): Promise<readonly ListedOrder[]> {
  return (await read<ListedOrder>(SOME_ORDERS, [payeeId, orderIds])).rows;
}

/** What an order is made of. */
export async function selectOrderParts(read: Read, { payeeId, orderId }: StoryOfOrder) {
  const key = [payeeId, orderId];
  const [legs, transactions, history] = await Promise.all([
    read<ShownLeg>(ORDER_LEGS, key),
    read<OrderTransactionLine>(ORDER_TRANSACTIONS, key),
    read<HistoryLine>(ORDER_HISTORY, key),
  ]);
  return { legs: legs.rows, transactions: transactions.rows, history: history.rows };
}
