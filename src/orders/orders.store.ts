import { PAYMENT } from '../accounts/accounts.tables.ts';
import { overRows } from '../db/rows/over-rows.ts';
import { inJson, some } from '../db/rows/tables.ts';
import { isFreeFor } from '../db/rows-at-work.ts';
import type { Read } from '../db/transaction.types.ts';
import { ACCOUNT } from '../ledger/ledger.tables.ts';
import type { AccountKey } from '../ledger/ledger.types.ts';
import { CARD_PAYMENT, CARD_TRANSACTION, EXCHANGE } from '../payments/payments.tables.ts';
import type { CardPaymentKey } from '../payments/payments.types.ts';
import type { OrderCommand } from './order-commands.types.ts';
import { ORDER_HISTORY, ORDER_LEG, ORDER_PART, ORDER_TRANSACTION, PAYMENT_ORDER } from './orders.tables.ts';
import type { HistoryEntry, OrderKey } from './orders.types.ts';

// The rows of orders as a batch locks and reads them, and as they are looked up. Reads walk an index key by key.

/** Gift cards that one may have become in turn. */
const SUCCESSORS = 20;

// Rows that travel inside of another one are `json` and not `jsonb`: it is only read as a text, and a `jsonb` of as much takes twice as
// long to make. Made of a row it takes less than of names and values.

/** Rows as a list, in the order of the query. */
const listOf = (query: string) => `(select coalesce(json_agg(r), '[]') from (${query}) r)`;

const AMOUNTS = [
  'state',
  'amount',
  'captured',
  'cancelled',
  'reversed',
  'reservedHold',
  'reservedReversal',
  'disputed',
] as const;

/** The amounts of the account payment that a leg stands for; null where it stands for none. */
const HELD = `(
    select to_json(r) from (
      select ${inJson('h', PAYMENT, ...AMOUNTS)}
      from payment h
      where l.kind = 'Account' and h.payee_id = l.payee_id and h.payment_id = l.payment_id
      limit 1
    ) r
  ) as held`;

/** The legs of an order, in their order. */
const legsOf = (payee: string, order: string) =>
  listOf(`
    select ${inJson('l', ORDER_LEG)}, ${HELD}
    from order_leg l
    where l.payee_id = ${payee} and l.order_id = ${order}
    order by l.position`);

/** The parts of a transaction, in no order: to bring them into that of the legs here would take longer than to read them. */
const PARTS = listOf(`
    select ${inJson('p', ORDER_PART, 'legId', 'amount', 'released', 'ownId')}
    from order_part p
    where p.payee_id = t.payee_id and p.transaction_id = t.transaction_id`);

/** The transactions of an order with their parts, oldest first. */
const transactionsOf = (payee: string, order: string) =>
  listOf(`
    select ${inJson('t', ORDER_TRANSACTION)}, ${PARTS} as parts
    from order_transaction t
    where t.payee_id = ${payee} and t.order_id = ${order}
    order by t.number`);

/** A card payment with its transactions, oldest first: see `StoredCardPayment`. */
const WITH_TRIES = `
  select (select to_json(r) from (select ${inJson('p', CARD_PAYMENT)}) r) as payment, ${listOf(`
    select ${inJson('t', CARD_TRANSACTION)}, x.exchange
    from card_transaction t
    left join lateral (
      select ${EXCHANGE}
      from acquirer_exchange e
      where e.payee_id = t.payee_id and e.attempt_id = t.attempt_id and e.kind = 'Ask'
      limit 1
    ) x on true
    where t.payee_id = p.payee_id and t.payment_id = p.payment_id
    order by t.created_at, t.number`)} as transactions
  from card_payment p`;

/** What may have changed of the locked orders of commands: see `LockedOrderRow`. */
export const loadOrders = overRows<OrderCommand>({
  name: 'orders-load',
  columns: PAYMENT_ORDER.key,
  text: ({ places, matches }) => `
    select v.position::integer - 1 as position, o.*
    from ${places}
    cross join lateral (
      select ${some(PAYMENT_ORDER, 'version', 'integration', 'historyCount', 'updatedAt')}
      from payment_order where ${matches} limit 1
    ) o`,
}).ask;

/** Orders by their keys with all that was done to them, of one moment: none where one is unknown or another payee's. */
export const FIND_ORDERS = overRows<OrderKey>({
  name: 'orders-find',
  columns: PAYMENT_ORDER.key,
  text: ({ payee, places, matches }) => `
    select v.position::integer, o.*, ${legsOf(payee, 'v.order_id')} as legs, ${transactionsOf(payee, 'v.order_id')} as transactions,
      to_json(c) as card, kontor_now() as now
    from ${places}
    cross join lateral (select ${PAYMENT_ORDER.columns} from payment_order where ${matches} limit 1) o
    cross join lateral (${WITH_TRIES} where p.payee_id = ${payee} and p.payment_id = o."cardPaymentId" limit 1) c`,
});

/** Card payments by their keys, each with its order as above: with nulls where it pays a part of none. */
export const FIND_AT_PAGES = overRows<CardPaymentKey>({
  name: 'orders-find-at-pages',
  columns: CARD_PAYMENT.key,
  text: ({ payee, places }) => `
    select v.position::integer, o.*, ${legsOf(payee, 'o."orderId"')} as legs, ${transactionsOf(payee, 'o."orderId"')} as transactions,
      to_json(c) as card, kontor_now() as now,
      (select standing = 'Active' from payee where payee_id = ${payee}) as "isOpen"
    from ${places}
    cross join lateral (${WITH_TRIES} where p.payee_id = ${payee} and p.payment_id = v.payment_id limit 1) c
    left join lateral (
      select ${PAYMENT_ORDER.columns} from payment_order
      where payee_id = ${payee} and order_id = (c.payment ->> 'orderId')::uuid limit 1
    ) o on true`,
});

/** What happened to an order, oldest first. */
export async function selectHistory(read: Read, { payeeId, orderId }: OrderKey): Promise<readonly HistoryEntry[]> {
  const { rows } = await read<HistoryEntry>(
    {
      name: 'orders-select-history',
      text: `
        select ${some(ORDER_HISTORY, 'position', 'name', 'initiatedBy', 'instrument', 'number', 'amount', 'isPrefilled', 'createdAt')}
        from order_history
        where payee_id = $1 and order_id = $2
        order by position`,
    },
    [payeeId, orderId],
  );
  return rows;
}

/** Where the money of gift cards is, by their accounts: see `Successor`. Each step of the way is one row by its key. */
export const FIND_SUCCESSORS = overRows<AccountKey>({
  name: 'orders-find-successors',
  columns: ACCOUNT.key,
  text: ({ payee, places }) => `
    select v.position::integer, v.account_id as "accountId", s.target, s."isClosed"
    from ${places}
    cross join lateral (
      with recursive chain (target, step) as (
        select v.account_id, 0
        union all
        select g.next, c.step + 1
        from chain c
        cross join lateral (
          select coalesce(merged_into, replaced_by) as next
          from gift_card
          where payee_id = ${payee} and account_id = c.target
          limit 1
        ) g
        where g.next is not null and c.step < ${SUCCESSORS}
      )
      select c.target, a.closed_at is not null as "isClosed"
      from (select target from chain order by step desc limit 1) c
      cross join lateral (
        select closed_at from account where payee_id = ${payee} and account_id = c.target limit 1
      ) a
    ) s`,
});

/** What orders wait for, by the job that looks after it: those that wait longest are the first of an index. */
const DUE = {
  'end-orders': { since: 'expires_at', which: "status = 'Initialized'" },
  // Not while a try of them is under way.
  'release-gift-cards': {
    since: 'held_until',
    which: `not exists (
      select from card_transaction t
      where t.payee_id = o.payee_id and t.payment_id = o.card_payment_id and t.state = 'AwaitingActivity'
    )`,
  },
  'end-order-authorizations': { since: 'authorized_until', which: 'true' },
} as const;

/** A job that looks after orders. */
export type OrderJob = keyof typeof DUE;

/** All of them. */
export const ORDER_JOBS = Object.keys(DUE) as readonly OrderJob[];

/** An order whose time has come. */
export interface DueOrder extends OrderKey {
  readonly overdueSeconds: number;
}

/** Orders of all payees whose time has come: that were not paid, whose holds go back, or whose authorization is over. */
export async function selectDueOrders(read: Read, job: OrderJob, limit: number): Promise<readonly DueOrder[]> {
  const { since, which } = DUE[job];
  const { rows } = await read<DueOrder>(
    {
      name: `orders-select-due-${job}`,
      text: `
        select payee_id as "payeeId", order_id as "orderId",
          extract(epoch from kontor_now() - ${since})::float8 as "overdueSeconds"
        from payment_order o
        where unsettled = 0 and ${since} <= (select kontor_now()) and ${which}
          and ${isFreeFor(job, 'o.payee_id', 'o.order_id::text')}
        order by ${since}
        limit $1::integer`,
    },
    [limit],
  );
  return rows;
}
