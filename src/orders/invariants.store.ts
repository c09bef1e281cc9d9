import { along } from '../db/reading/walk.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import { WALKS } from '../journal/walks.types.ts';

const OF_ORDER = 'payee_id = o.payee_id and order_id = o.order_id';
const AMOUNTS = ['amount', 'captured', 'cancelled', 'reversed', 'reserved_hold', 'reserved_reversal'];

/** What must hold of payment orders, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'Each leg and transaction of a payment order has its order, and each part its transaction and leg.',
    // No foreign key holds these: it would look each up twice for every part that is written.
    searches: [
      along(
        WALKS.orderLeg,
        'orders-verify-belonging-legs',
        (rows) => `
        select l.payee_id as "payeeId", 'leg ' || l.leg_id as row
        from ${rows} l
        where not exists (select from payment_order where payee_id = l.payee_id and order_id = l.order_id)`,
      ),
      along(
        WALKS.orderTransaction,
        'orders-verify-belonging-transactions',
        (rows) => `
        select t.payee_id as "payeeId", 'transaction ' || t.transaction_id as row
        from ${rows} t
        where not exists (select from payment_order where payee_id = t.payee_id and order_id = t.order_id)`,
      ),
      along(
        WALKS.orderPart,
        'orders-verify-belonging-parts',
        (rows) => `
        select p.payee_id as "payeeId", 'part of transaction ' || p.transaction_id as row
        from ${rows} p
        where not exists (
            select from order_transaction where payee_id = p.payee_id and transaction_id = p.transaction_id)
          or not exists (select from order_leg where payee_id = p.payee_id and leg_id = p.leg_id)`,
      ),
    ],
  },
  {
    holds: 'The legs of each payment order that is paid are its amount, and what became of them is what it says.',
    searches: [
      along(
        WALKS.paymentOrder,
        'orders-verify-legs',
        (rows) => `
        select o.payee_id as "payeeId", 'payment order ' || o.order_id as row
        from ${rows} o
        cross join lateral (
          select count(*) as legs, ${AMOUNTS.map((amount) => `coalesce(sum(p.${amount}), 0) as ${amount}`).join(', ')}
          from (select * from order_leg where ${OF_ORDER} and state = 'Authorized' offset 0) l
          left join lateral (
            select ${AMOUNTS.join(', ')} from payment
            where l.kind = 'Account' and payee_id = l.payee_id and payment_id = l.payment_id
            union all
            select ${AMOUNTS.join(', ')} from card_payment
            where l.kind = 'Card' and payee_id = l.payee_id and payment_id = l.payment_id
          ) p on true
        ) l
        where (o.paid_by is null and l.legs > 0)
          or (o.paid_by is not null and (${AMOUNTS.map((amount) => `o.${amount} <> l.${amount}`).join(' or ')}))`,
      ),
    ],
  },
  {
    holds: 'The parts of each transaction of a payment order are its amount.',
    searches: [
      along(
        WALKS.orderTransaction,
        'orders-verify-parts',
        (rows) => `
        select t.payee_id as "payeeId", 'transaction ' || t.transaction_id as row
        from ${rows} t
        where t.amount <> coalesce((
          select sum(amount) from order_part where payee_id = t.payee_id and transaction_id = t.transaction_id
        ), 0)`,
      ),
    ],
  },
  {
    holds: 'What was captured and reversed of each payment order is what its transactions say.',
    searches: [
      along(
        WALKS.paymentOrder,
        'orders-verify-transactions',
        (rows) => `
        select o.payee_id as "payeeId", 'payment order ' || o.order_id as row
        from ${rows} o
        cross join lateral (
          select coalesce(sum(amount) filter (where type in ('Sale', 'Capture')), 0) as captured,
            coalesce(sum(amount) filter (where type = 'Reversal'), 0) as reversed
          from order_transaction
          where ${OF_ORDER} and state = 'Completed'
        ) t
        where o.captured <> t.captured or o.reversed <> t.reversed`,
      ),
    ],
  },
  {
    holds: 'Each hold of a payment order is of a leg that holds it, and each leg that holds something has its hold.',
    searches: [
      along(
        WALKS.payment,
        'orders-verify-holds',
        (rows) => `
        select o.payee_id as "payeeId", 'payment ' || o.payment_id as row
        from ${rows} o
        where o.order_id is not null and o.state = 'OK' and o.amount > o.captured + o.cancelled and not exists (
          select from order_leg
          where ${OF_ORDER} and payment_id = o.payment_id and kind = 'Account' and state in ('Held', 'Authorized')
        )`,
      ),
      along(
        WALKS.orderLeg,
        'orders-verify-held-legs',
        (rows) => `
        select l.payee_id as "payeeId", coalesce('payment ' || l.payment_id, 'leg ' || l.leg_id) as row
        from ${rows} l
        where l.kind = 'Account' and l.state = 'Held' and not exists (
          select from payment
          where payee_id = l.payee_id and payment_id = l.payment_id and order_id is not null and state = 'OK'
            and amount > captured + cancelled and amount - captured - cancelled = l.amount
        )`,
      ),
    ],
  },
  {
    holds: 'A payment order that ended unpaid holds nothing.',
    searches: [
      along(
        WALKS.paymentOrder,
        'orders-verify-ended',
        (rows) => `
        select o.payee_id as "payeeId", 'payment order ' || o.order_id as row
        from ${rows} o
        where o.status in ('Failed', 'Aborted')
          and exists (select from order_leg where ${OF_ORDER} and state in ('Held', 'Authorized'))`,
      ),
    ],
  },
  {
    holds: 'A payment order and its card payment name each other, and agree on what is unknown and on their end.',
    searches: [
      along(
        WALKS.paymentOrder,
        'orders-verify-cards',
        (rows) => `
        select o.payee_id as "payeeId", 'payment order ' || o.order_id as row
        from ${rows} o
        where o.card_payment_id is not null and not exists (
          select from card_payment
          where payee_id = o.payee_id and payment_id = o.card_payment_id and order_id = o.order_id
            and unsettled = o.unsettled and failed_tries = o.failed_tries and expires_at = o.expires_at
        )`,
      ),
      along(
        WALKS.cardPayment,
        'orders-verify-orders-of-cards',
        (rows) => `
        select c.payee_id as "payeeId", 'card payment ' || c.payment_id as row
        from ${rows} c
        where c.order_id is not null and not exists (
          select from payment_order
          where payee_id = c.payee_id and order_id = c.order_id and card_payment_id = c.payment_id
        )`,
      ),
    ],
  },
];
