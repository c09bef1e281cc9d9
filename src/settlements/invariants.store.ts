import type { Invariant } from '../journal/invariants.types.ts';

/** What must hold of settlement, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'Each closed day comes to what its sales, refunds and take-backs say.',
    statement: {
      name: 'settlements-verify-days',
      text: `
        select d.payee_id as "payeeId", 'settlement ' || d.settlement_id as row
        from settlement_day d
        left join (
          select payee_id, agreement, currency, day, count(*) filter (where type like 'Sale%') as sales,
            count(*) filter (where type like 'Refund%') as refunds,
            sum(amount) filter (where type in ('Sale', 'Refund')) as net
          from settlement_item
          group by payee_id, agreement, currency, day
        ) i on i.payee_id = d.payee_id and i.agreement = d.agreement and i.currency = d.currency and i.day = d.day
        where d.sales_number <> coalesce(i.sales, 0) or d.refunds_number <> coalesce(i.refunds, 0)
          or d.net <> coalesce(i.net, 0)
        order by d.settlement_id`,
    },
  },
  {
    holds: 'The lines of each batch sum to what it pays, and to its gross amount and fees.',
    statement: {
      name: 'settlements-verify-batches',
      text: `
        select b.payee_id as "payeeId", 'batch ' || b.batch_id || ' of ' || b.acquirer as row
        from settlement_batch b
        left join (
          select payee_id, acquirer, batch_id, count(*) as lines, sum(net) filter (where type = 'Payout') as paid,
            coalesce(sum(gross) filter (where type <> 'Payout'), 0) as gross,
            coalesce(sum(fee) filter (where type <> 'Payout'), 0) as fee
          from settlement_line
          group by payee_id, acquirer, batch_id
        ) l on l.payee_id = b.payee_id and l.acquirer = b.acquirer and l.batch_id = b.batch_id
        where b.lines <> coalesce(l.lines, 0) or b.net is distinct from l.paid or b.gross is distinct from l.gross
          or b.fee is distinct from l.fee
        order by b.acquirer, b.batch_id`,
    },
  },
  {
    holds: 'Each batch has booked the gross amounts of the lines that were matched with it, and nothing else.',
    statement: {
      name: 'settlements-verify-movements',
      text: `
        select b.payee_id as "payeeId", 'batch ' || b.batch_id || ' of ' || b.acquirer as row
        from settlement_batch b
        left join (
          select payee_id, acquirer, booked_by, sum(gross) as gross
          from settlement_line
          where booked_by is not null
          group by payee_id, acquirer, booked_by
        ) l on l.payee_id = b.payee_id and l.acquirer = b.acquirer and l.booked_by = b.batch_id
        left join movement m on m.payee_id = b.payee_id and m.movement_id = b.movement_id
        left join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Issuer'
        where coalesce(l.gross, 0) <> coalesce(e.amount, 0) or (b.movement_id is not null and m.kind is distinct from 'Settlement')
        order by b.acquirer, b.batch_id`,
    },
  },
  {
    holds:
      'Each sale and refund is settled by one line, which says the same of it and is booked, but for a cured difference.',
    statement: {
      name: 'settlements-verify-items',
      text: `
        select i.payee_id as "payeeId", 'settlement item ' || i.attempt_id as row
        from settlement_item i
        left join settlement_line l on l.payee_id = i.payee_id and l.acquirer = i.acquirer and l.batch_id = i.batch_id
          and l.line_id = i.line_id
        left join settlement_difference f on f.payee_id = l.payee_id and f.acquirer = l.acquirer
          and f.batch_id = l.batch_id and f.line_id = l.line_id and f.state = 'Cured'
        where i.batch_id is not null and (
          l.booked_by is null or l.attempt_id is distinct from i.attempt_id
          or (f.difference_id is null and (l.gross <> i.amount or l.currency <> i.currency or l.type <> i.type))
        )
        order by i.attempt_id`,
    },
  },
  {
    holds: 'What of each payment cannot be given back is what its disputes say.',
    statement: {
      name: 'settlements-verify-disputed',
      text: `
        select p.payee_id as "payeeId", p.kind || p.payment_id as row
        from (
          select payee_id, payment_id, disputed, 'card payment ' as kind from card_payment
          union all
          select payee_id, payment_id, disputed, 'payment ' from payment
        ) p
        left join (
          select payee_id, payment_id, sum(amount) as amount
          from dispute
          where state in ('Open', 'Accepted', 'Lost')
          group by payee_id, payment_id
        ) d on d.payee_id = p.payee_id and d.payment_id = p.payment_id
        where p.disputed <> coalesce(d.amount, 0)
        order by p.payment_id`,
    },
  },
  {
    holds: 'A settled day has no sale and no refund that was not paid.',
    statement: {
      name: 'settlements-verify-settled',
      text: `
        select d.payee_id as "payeeId", 'settlement ' || d.settlement_id as row
        from settlement_day d
        where d.state = 'Settled' and exists (
          select from settlement_item i
          where i.acquirer = d.acquirer and i.day = d.day and i.payee_id = d.payee_id and i.agreement = d.agreement
            and i.currency = d.currency and i.type in ('Sale', 'Refund') and i.batch_id is null
        )
        order by d.settlement_id`,
    },
  },
];
