import type { Invariant } from '../journal/invariants.types.ts';
import { SAID_AMOUNT, SAID_CURRENCY } from './files/said-of-sale.types.ts';

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
    holds:
      'Each sale and refund that the ledger has booked at an acquirer belongs to a business day, if a day was closed there since.',
    statement: {
      name: 'settlements-verify-collected',
      text: `
        select m.payee_id as "payeeId", 'movement ' || m.movement_id || ' of payment ' || m.payment_id as row
        from movement m
        join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Issuer'
        left join settlement_item i on i.payee_id = m.payee_id and i.payment_id = m.payment_id
          and i.transaction_id is not distinct from m.transaction_id and i.type in ('Sale', 'Refund')
        where m.kind in ('Capture', 'Purchase', 'Reversal', 'Credit') and i.attempt_id is null and exists (
          select from issuer_attempt a
          join acquirer_exchange x on x.payee_id = a.payee_id and x.attempt_id = a.attempt_id and x.kind = 'Ask'
          join (select acquirer, max(closed_at) as closed_at from settlement_day group by acquirer) d
            on d.acquirer = x.acquirer
          where a.payee_id = m.payee_id and a.payment_id = m.payment_id
            -- What is answered while a day is closed is collected for the next one.
            and m.happened_at < d.closed_at - interval '1 hour'
        )
        order by m.movement_id`,
    },
  },
  {
    holds: 'Each sale and refund is of a business day that is open or closed.',
    statement: {
      name: 'settlements-verify-days-of-items',
      text: `
        select i.payee_id as "payeeId", 'settlement item ' || i.attempt_id as row
        from settlement_item i
        left join settlement_day d on d.payee_id = i.payee_id and d.agreement = i.agreement and d.currency = i.currency
          and d.day = i.day
        left join settlement_open_day o on o.payee_id = i.payee_id and o.agreement = i.agreement and o.currency = i.currency
          and o.day = i.day
        where d.settlement_id is null and o.acquirer is null
        order by i.attempt_id`,
    },
  },
  {
    holds: 'No two payments have acquirer, business day, approval code and retrieval reference in common.',
    statement: {
      // A host that takes the second one for a repeat of the first answers it so, and charges nothing.
      name: 'settlements-verify-approvals',
      text: `
        select payee_id as "payeeId", 'attempt ' || attempt_id as row
        from (
          select payee_id, attempt_id, count(*) over (
            partition by acquirer, coalesce(business_day, (answered_at at time zone 'UTC')::date), approval_code,
              retrieval_reference
          ) as payments
          from acquirer_exchange
          where kind = 'Ask' and original_attempt_id is null and approval_code is not null
        ) approved
        where payments > 1
        order by attempt_id`,
    },
  },
  {
    holds: 'What the ledger says that each agreement still has to pay is what its open sales and refunds come to.',
    statement: {
      name: 'settlements-verify-owed',
      text: `
        with booked as (
          select m.payee_id, m.payment_id, m.transaction_id, sum(-e.amount) as amount
          from movement m
          join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Issuer'
          where m.kind in ('Capture', 'Purchase', 'Reversal', 'Credit')
          group by m.payee_id, m.payment_id, m.transaction_id
        ), part as (
          select i.payee_id, i.agreement, i.currency,
            coalesce(b.amount, 0) - case when coalesce(i.batch_id, i.ended_by::text) is null then i.amount else 0 end as amount
          from settlement_item i
          left join booked b on b.payee_id = i.payee_id and b.payment_id = i.payment_id
            and b.transaction_id is not distinct from i.transaction_id
          where i.type in ('Sale', 'Refund')
          union all
          select l.payee_id, coalesce(i.agreement, 'of none'), ${SAID_CURRENCY}, -${SAID_AMOUNT}
          from settlement_line l
          left join settlement_item i on i.payee_id = l.payee_id and i.attempt_id = l.attempt_id
            and i.type in ('Sale', 'Refund')
          where l.booked_by is not null and l.dispute_id is null
          union all
          select f.payee_id, f.agreement, f.currency, -e.amount
          from settlement_difference f
          join entry e on e.payee_id = f.payee_id and e.movement_id = f.movement_id and e.side = 'Issuer'
        )
        select payee_id as "payeeId", 'agreement ' || agreement || ' in ' || currency as row
        from part
        group by payee_id, agreement, currency
        having sum(amount) <> 0
        order by agreement, currency`,
    },
  },
  {
    holds: 'The lines of each batch sum to what it pays, and to its gross amount and fees.',
    statement: {
      name: 'settlements-verify-batches',
      text: `
        select b.payee_id as "payeeId", 'batch ' || b.name || ' of ' || b.acquirer as row
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
        select b.payee_id as "payeeId", 'batch ' || b.name || ' of ' || b.acquirer as row
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
          or (f.difference_id is null and (${SAID_AMOUNT} <> i.amount or ${SAID_CURRENCY} <> i.currency or l.type <> i.type))
        )
        order by i.attempt_id`,
    },
  },
  {
    holds:
      'What of each payment cannot be given back is what lines have charged back, and each sale of which one differs.',
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
          select i.payee_id, i.payment_id, sum(case when o.differs then i.amount else o.taken end) as amount
          from (
            select l.payee_id, l.attempt_id, -coalesce(sum(${SAID_AMOUNT}) filter (where l.booked_by is not null), 0) as taken,
              bool_or(l.type = 'Chargeback' and f.difference_id is not null) as differs
            from settlement_line l
            left join settlement_difference f on f.payee_id = l.payee_id and f.acquirer = l.acquirer
              and f.batch_id = l.batch_id and f.line_id = l.line_id and f.state = 'Open'
            where l.dispute_id is not null
            group by l.payee_id, l.attempt_id
          ) o
          join settlement_item i on i.payee_id = o.payee_id and i.attempt_id = o.attempt_id and i.type = 'Sale'
          group by i.payee_id, i.payment_id
        ) d on d.payee_id = p.payee_id and d.payment_id = p.payment_id
        where p.disputed <> coalesce(d.amount, 0)
        order by p.payment_id`,
    },
  },
  {
    holds:
      'Each dispute has taken what its lines say, never less than nothing, and those of a sale no more than the sale.',
    statement: {
      name: 'settlements-verify-taken',
      text: `
        select d.payee_id as "payeeId", 'dispute ' || d.dispute_id as row
        from dispute d
        left join (
          select payee_id, dispute_id, -sum(${SAID_AMOUNT}) as taken
          from settlement_line l
          where dispute_id is not null and booked_by is not null
          group by payee_id, dispute_id
        ) l on l.payee_id = d.payee_id and l.dispute_id = d.dispute_id
        where d.taken <> coalesce(l.taken, 0) or d.taken < 0
        union all
        select l.payee_id, 'settlement item ' || l.attempt_id
        from (
          select payee_id, attempt_id, -sum(${SAID_AMOUNT}) as taken
          from settlement_line l
          where dispute_id is not null and booked_by is not null
          group by payee_id, attempt_id
        ) l
        left join settlement_item i on i.payee_id = l.payee_id and i.attempt_id = l.attempt_id and i.type = 'Sale'
        where l.taken not between 0 and coalesce(i.amount, 0)
        order by row`,
    },
  },
  {
    holds: 'The ledger has booked for disputes what their lines have charged back and given back.',
    statement: {
      name: 'settlements-verify-dispute-movements',
      text: `
        select payee_id as "payeeId", 'disputes in ' || currency as row
        from (
          select e.payee_id, e.currency, e.amount
          from movement m
          join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Issuer'
          where m.kind = 'Dispute'
          union all
          select payee_id, ${SAID_CURRENCY}, ${SAID_AMOUNT} from settlement_line l
          where dispute_id is not null and booked_by is not null
        ) part
        group by payee_id, currency
        having sum(amount) <> 0
        order by currency`,
    },
  },
  {
    holds:
      'The ledger has booked as settled what lines have settled and what people have ended, and nothing of withdrawn batches.',
    statement: {
      name: 'settlements-verify-settled-movements',
      text: `
        select payee_id as "payeeId", 'settlements in ' || currency as row
        from (
          select e.payee_id, e.currency, -e.amount as amount
          from movement m
          join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Issuer'
          where m.kind = 'Settlement'
          union all
          select payee_id, currency, gross from settlement_line where booked_by is not null
          union all
          select f.payee_id, f.currency, e.amount
          from settlement_difference f
          join entry e on e.payee_id = f.payee_id and e.movement_id = f.movement_id and e.side = 'Issuer'
        ) part
        group by payee_id, currency
        having sum(amount) <> 0
        order by currency`,
    },
  },
  {
    holds: 'The parts that agreements have in a settlement or dispute sum to what it books.',
    statement: {
      name: 'settlements-verify-shares',
      text: `
        select s.payee_id as "payeeId", 'movement ' || s.movement_id as row
        from (
          select payee_id, movement_id, sum(amount) as amount from settlement_share group by payee_id, movement_id
        ) s
        left join entry e on e.payee_id = s.payee_id and e.movement_id = s.movement_id and e.side = 'Issuer'
        where s.amount is distinct from e.amount
        order by s.movement_id`,
    },
  },
  {
    holds: 'What the ledger has booked for each agreement is what its open sales and refunds come to.',
    statement: {
      // But for payees with movements of an earlier version, which wrote down no parts.
      name: 'settlements-verify-owed-by-parts',
      text: `
        with part as (
          select i.payee_id, i.agreement, i.currency,
            coalesce(b.amount, 0) - case when coalesce(i.batch_id, i.ended_by::text) is null then i.amount else 0 end as amount
          from settlement_item i
          left join (
            select m.payee_id, m.payment_id, m.transaction_id, sum(-e.amount) as amount
            from movement m
            join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Issuer'
            where m.kind in ('Capture', 'Purchase', 'Reversal', 'Credit')
            group by m.payee_id, m.payment_id, m.transaction_id
          ) b on b.payee_id = i.payee_id and b.payment_id = i.payment_id
            and b.transaction_id is not distinct from i.transaction_id
          where i.type in ('Sale', 'Refund')
          union all
          select s.payee_id, s.agreement, m.currency, -s.amount
          from settlement_share s join movement m on m.payee_id = s.payee_id and m.movement_id = s.movement_id
        )
        select payee_id as "payeeId", 'agreement ' || agreement || ' in ' || currency as row
        from part
        where payee_id not in (
          select m.payee_id from movement m
          left join settlement_share s on s.payee_id = m.payee_id and s.movement_id = m.movement_id
          where m.kind in ('Settlement', 'Dispute', 'Conversion') and coalesce(s.agreement, '') = ''
        )
        group by payee_id, agreement, currency
        having sum(amount) <> 0
        order by agreement, currency`,
    },
  },
  {
    holds: 'Each withdrawn batch is kept whole, and what it had booked is booked the other way.',
    statement: {
      name: 'settlements-verify-withdrawn',
      text: `
        select w.payee_id as "payeeId", 'withdrawn batch ' || w.name || ' of ' || w.acquirer as row
        from settlement_withdrawal w
        left join entry e on e.payee_id = w.payee_id and e.movement_id = w.movement_id and e.side = 'Issuer'
        left join entry o on o.payee_id = w.payee_id and o.movement_id = w.opposite_id and o.side = 'Issuer'
        left join (
          select payee_id, withdrawal_id, count(*) as lines from settlement_withdrawn_line group by payee_id, withdrawal_id
        ) l on l.payee_id = w.payee_id and l.withdrawal_id = w.withdrawal_id
        where coalesce(e.amount, 0) + coalesce(o.amount, 0) <> 0 or w.lines <> coalesce(l.lines, 0)
          or (w.movement_id is not null and (e.amount is null or o.amount is null))
        order by w.acquirer, w.batch_id, w.number`,
    },
  },
  {
    holds: 'Each sale and refund that a person has ended is ended once, and booked as its difference says.',
    statement: {
      name: 'settlements-verify-ended',
      text: `
        select i.payee_id as "payeeId", 'settlement item ' || i.attempt_id as row
        from settlement_item i
        left join settlement_difference f on f.payee_id = i.payee_id and f.difference_id = i.ended_by
          and f.attempt_id = i.attempt_id and f.state = 'Resolved'
        left join entry e on e.payee_id = f.payee_id and e.movement_id = f.movement_id and e.side = 'Issuer'
        where i.ended_by is not null and (
          i.batch_id is not null or f.outcome is null or f.outcome = 'AcquirersMistake'
          or coalesce(e.amount, 0) <> i.amount
        )
        order by i.attempt_id`,
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
            and i.ended_by is null
        )
        order by d.settlement_id`,
    },
  },
];
