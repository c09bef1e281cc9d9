import type { Invariant } from '../journal/invariants.types.ts';

/** Legs with the amounts of the payments that they stand for. */
const LEGS = `
  select l.payee_id, l.order_id, l.kind, l.state, coalesce(p.amount, c.amount) as amount,
    coalesce(p.captured, c.captured) as captured, coalesce(p.cancelled, c.cancelled) as cancelled,
    coalesce(p.reversed, c.reversed) as reversed, coalesce(p.reserved_hold, c.reserved_hold) as reserved_hold,
    coalesce(p.reserved_reversal, c.reserved_reversal) as reserved_reversal
  from order_leg l
  left join payment p on l.kind = 'Account' and p.payee_id = l.payee_id and p.payment_id = l.payment_id
  left join card_payment c on l.kind = 'Card' and c.payee_id = l.payee_id and c.payment_id = l.payment_id`;

/** What must hold of payment orders, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'Each leg and transaction of a payment order has its order, and each part its transaction and leg.',
    statement: {
      name: 'orders-verify-belonging',
      // No foreign key holds these: it would look each up twice for every part that is written.
      text: `
        select payee_id as "payeeId", 'leg ' || leg_id as row
        from order_leg l
        where not exists (select from payment_order o where o.payee_id = l.payee_id and o.order_id = l.order_id)
        union all
        select payee_id, 'transaction ' || transaction_id
        from order_transaction t
        where not exists (select from payment_order o where o.payee_id = t.payee_id and o.order_id = t.order_id)
        union all
        select payee_id, 'part of transaction ' || transaction_id
        from order_part p
        where not exists (
            select from order_transaction t where t.payee_id = p.payee_id and t.transaction_id = p.transaction_id)
          or not exists (select from order_leg l where l.payee_id = p.payee_id and l.leg_id = p.leg_id)`,
    },
  },
  {
    holds: 'The legs of each payment order that is paid are its amount, and what became of them is what it says.',
    statement: {
      name: 'orders-verify-legs',
      text: `
        select o.payee_id as "payeeId", 'payment order ' || o.order_id as row
        from payment_order o
        left join (
          select payee_id, order_id, sum(amount) as amount, sum(captured) as captured, sum(cancelled) as cancelled,
            sum(reversed) as reversed, sum(reserved_hold) as reserved_hold, sum(reserved_reversal) as reserved_reversal
          from (${LEGS}) l
          where state = 'Authorized'
          group by payee_id, order_id
        ) l on l.payee_id = o.payee_id and l.order_id = o.order_id
        where (o.paid_by is null and l.order_id is not null)
          or (o.paid_by is not null and (
            o.amount <> coalesce(l.amount, 0) or o.captured <> coalesce(l.captured, 0)
            or o.cancelled <> coalesce(l.cancelled, 0) or o.reversed <> coalesce(l.reversed, 0)
            or o.reserved_hold <> coalesce(l.reserved_hold, 0)
            or o.reserved_reversal <> coalesce(l.reserved_reversal, 0)))
        order by o.order_id`,
    },
  },
  {
    holds: 'The parts of each transaction of a payment order are its amount.',
    statement: {
      name: 'orders-verify-parts',
      text: `
        select t.payee_id as "payeeId", 'transaction ' || t.transaction_id as row
        from order_transaction t
        left join (
          select payee_id, transaction_id, sum(amount) as amount from order_part group by payee_id, transaction_id
        ) p on p.payee_id = t.payee_id and p.transaction_id = t.transaction_id
        where t.amount <> coalesce(p.amount, 0)
        order by t.transaction_id`,
    },
  },
  {
    holds: 'What was captured and reversed of each payment order is what its transactions say.',
    statement: {
      name: 'orders-verify-transactions',
      text: `
        select o.payee_id as "payeeId", 'payment order ' || o.order_id as row
        from payment_order o
        left join (
          select payee_id, order_id, sum(amount) filter (where type in ('Sale', 'Capture')) as captured,
            sum(amount) filter (where type = 'Reversal') as reversed
          from order_transaction
          where state = 'Completed'
          group by payee_id, order_id
        ) t on t.payee_id = o.payee_id and t.order_id = o.order_id
        where o.captured <> coalesce(t.captured, 0) or o.reversed <> coalesce(t.reversed, 0)
        order by o.order_id`,
    },
  },
  {
    holds: 'Each hold of a payment order is of a leg that holds it, and each leg that holds something has its hold.',
    statement: {
      name: 'orders-verify-holds',
      text: `
        select coalesce(h.payee_id, l.payee_id) as "payeeId", coalesce('payment ' || h.payment_id, 'leg ' || l.leg_id) as row
        from (
          select payee_id, payment_id, amount - captured - cancelled as open
          from payment
          where order_id is not null and state = 'OK' and amount > captured + cancelled
        ) h
        full join (select * from order_leg where kind = 'Account' and state in ('Held', 'Authorized')) l
          on l.payee_id = h.payee_id and l.payment_id = h.payment_id
        where l.leg_id is null or (l.state = 'Held' and h.open is distinct from l.amount)`,
    },
  },
  {
    holds: 'A payment order that ended unpaid holds nothing.',
    statement: {
      name: 'orders-verify-ended',
      text: `
        select o.payee_id as "payeeId", 'payment order ' || o.order_id as row
        from payment_order o
        where o.status in ('Failed', 'Aborted') and exists (
          select from order_leg l
          where l.payee_id = o.payee_id and l.order_id = o.order_id and l.state in ('Held', 'Authorized')
        )
        order by o.order_id`,
    },
  },
  {
    holds: 'A payment order and its card payment name each other, and agree on what is unknown and on their end.',
    statement: {
      name: 'orders-verify-cards',
      text: `
        select coalesce(o.payee_id, c.payee_id) as "payeeId",
          coalesce('payment order ' || o.order_id, 'card payment ' || c.payment_id) as row
        from payment_order o
        full join (select * from card_payment where order_id is not null) c
          on c.payee_id = o.payee_id and c.order_id = o.order_id
        where c.payment_id is distinct from o.card_payment_id or c.unsettled <> o.unsettled
          or c.failed_tries <> o.failed_tries or c.expires_at <> o.expires_at`,
    },
  },
];
