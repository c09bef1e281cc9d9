import type { Read, Statement } from '../../db/transaction.types.ts';
import { STORY_ROWS } from '../../kit/portal-limits.ts';
import { ORDER_COLUMNS, ORDER_INSTRUMENTS } from './orders.store.ts';
import type { HistoryLine, OrderDetails, OrderTransactionLine, ShownLeg } from './orders.types.ts';

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
      p.paid_by is not null as "isPaid", p.unsettled > 0 as "isUnsettled", p.abort_reason as "abortReason",
      p.cancel_reason as "cancelReason", p.expires_at as "expiresAt", p.held_until as "heldUntil",
      p.authorized_until as "authorizedUntil", p.order_items as "orderItems"
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
