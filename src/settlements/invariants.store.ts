import { along } from '../db/reading/walk.ts';
import type { Walk } from '../db/reading/walk.types.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import { WALKS } from '../journal/walks.types.ts';
import { SAID_AMOUNT, SAID_CURRENCY } from './files/said-of-sale.types.ts';

/** The items of a closed day. */
const OF_DAY = `acquirer = d.acquirer and day = d.day and payee_id = d.payee_id and agreement = d.agreement
  and currency = d.currency`;
/** Kinds of movements with what a payment owes an acquirer or is owed. */
const OF_PAYMENTS = `('Capture', 'Purchase', 'Reversal', 'Credit')`;
/** The business day of an exchange. */
const businessDayOf = (exchange: string) =>
  `coalesce(${exchange}.business_day, (${exchange}.answered_at at time zone 'UTC')::date)`;
/** An exchange that is a payment of its own. */
const isApproval = (exchange: string) => `${exchange}.kind = 'Ask' and ${exchange}.original_attempt_id is null
  and ${exchange}.approval_code is not null`;

/** Finds payments of which another amount cannot be given back than their lines and differences say. */
function disputedOf({ walk, noun }: { readonly walk: Walk; readonly noun: string }) {
  return along(
    walk,
    `settlements-verify-disputed-${noun.replace(' ', '-')}`,
    (rows) => `
    select p.payee_id as "payeeId", '${noun} ' || p.payment_id as row
    from ${rows} p
    where p.disputed <> coalesce((
      select sum(case when o.differs then i.amount else o.taken end)
      from (
        select * from settlement_item
        where payee_id = p.payee_id and payment_id = p.payment_id and type = 'Sale' offset 0
      ) i
      cross join lateral (
        select -coalesce(sum(${SAID_AMOUNT}) filter (where l.booked_by is not null), 0) as taken, count(*) as lines,
          bool_or(l.type = 'Chargeback' and exists (
            select from settlement_difference f
            where f.payee_id = l.payee_id and f.acquirer = l.acquirer and f.batch_id = l.batch_id
              and f.line_id = l.line_id and f.withdrawal_id is null and f.state = 'Open'
          )) as differs
        from settlement_line l
        where l.payee_id = i.payee_id and l.attempt_id = i.attempt_id and l.dispute_id is not null
      ) o
      where o.lines > 0
    ), 0)`,
  );
}

/** What must hold of settlement, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'Each closed day comes to what its sales, refunds and take-backs say.',
    searches: [
      along(
        WALKS.settlementDay,
        'settlements-verify-days',
        (rows) => `
        select d.payee_id as "payeeId", 'settlement ' || d.settlement_id as row
        from ${rows} d
        cross join lateral (
          select count(*) filter (where type like 'Sale%') as sales, count(*) filter (where type like 'Refund%') as refunds,
            coalesce(sum(amount) filter (where type in ('Sale', 'Refund')), 0) as net
          from settlement_item where ${OF_DAY}
        ) i
        where d.sales_number <> i.sales or d.refunds_number <> i.refunds or d.net <> i.net`,
      ),
    ],
  },
  {
    holds:
      'Each sale and refund that the ledger has booked at an acquirer belongs to a business day, if a day was closed there since.',
    searches: [
      // What is answered while a day is closed is collected for the next one.
      along(
        WALKS.movement,
        'settlements-verify-collected',
        (rows) => `
        with closed as materialized (
          select acquirer, max(closed_at) - interval '1 hour' as until from settlement_day group by acquirer
        )
        select m.payee_id as "payeeId", 'movement ' || m.movement_id || ' of payment ' || m.payment_id as row
        from ${rows} m
        where m.kind in ${OF_PAYMENTS} and m.happened_at < (select max(until) from closed)
          and exists (
            select from entry where payee_id = m.payee_id and movement_id = m.movement_id and side = 'Issuer' offset 0
          )
          and not exists (
            select from settlement_item i
            where i.payee_id = m.payee_id and i.payment_id = m.payment_id
              and i.transaction_id is not distinct from m.transaction_id and i.type in ('Sale', 'Refund')
          )
          and exists (
            -- Of the attempts of a payment the last has made it: those before went to another acquirer, or were declined.
            select from (
              (
                select attempt_id from issuer_attempt
                where payee_id = m.payee_id and payment_id = m.payment_id and transaction_id is null
                order by created_at desc, attempt_id desc limit 1
              )
              union all
              select attempt_id from card_transaction
              where payee_id = m.payee_id and payment_id = m.payment_id and state = 'Completed'
            ) a
            cross join lateral (
              select acquirer from acquirer_exchange
              where payee_id = m.payee_id and attempt_id = a.attempt_id and kind = 'Ask' limit 1
            ) x
            where m.happened_at < (select until from closed where acquirer = x.acquirer) offset 0
          )`,
      ),
    ],
  },
  {
    holds: 'Each sale and refund is of a business day that is open or closed.',
    searches: [
      along(
        WALKS.settlementItem,
        'settlements-verify-days-of-items',
        (rows) => `
        select i.payee_id as "payeeId", 'settlement item ' || i.attempt_id as row
        from ${rows} i
        where ${['settlement_day', 'settlement_open_day']
          .map(
            (table) => `not exists (
          select from ${table}
          where payee_id = i.payee_id and agreement = i.agreement and currency = i.currency and day = i.day
            and acquirer = i.acquirer
        )`,
          )
          .join(' and ')}`,
      ),
    ],
  },
  {
    holds: 'No two payments have acquirer, business day, approval code and retrieval reference in common.',
    searches: [
      // A host that takes the second one for a repeat of the first answers it so, and charges nothing.
      along(
        WALKS.acquirerExchange,
        'settlements-verify-approvals',
        (rows) => `
        select x.payee_id as "payeeId", 'attempt ' || x.attempt_id as row
        from ${rows} x
        where ${isApproval('x')} and exists (
          select from acquirer_exchange o
          where o.acquirer = x.acquirer and o.retrieval_reference collate "C" = x.retrieval_reference
            and o.approval_code = x.approval_code and ${businessDayOf('o')} = ${businessDayOf('x')}
            and (o.payee_id, o.attempt_id) <> (x.payee_id, x.attempt_id) and ${isApproval('o')}
          offset 0
        )`,
      ),
    ],
  },
  {
    holds: 'The lines of each batch sum to what it pays, and to its gross amount and fees.',
    searches: [
      along(
        WALKS.settlementBatch,
        'settlements-verify-batches',
        (rows) => `
        select b.payee_id as "payeeId", 'batch ' || b.name || ' of ' || b.acquirer as row
        from ${rows} b
        cross join lateral (
          select count(*) as lines, sum(net) filter (where type = 'Payout') as paid,
            coalesce(sum(gross) filter (where type <> 'Payout'), 0) as gross,
            coalesce(sum(fee) filter (where type <> 'Payout'), 0) as fee
          from settlement_line
          where payee_id = b.payee_id and acquirer = b.acquirer and batch_id = b.batch_id
        ) l
        where b.lines <> l.lines or b.net is distinct from l.paid or b.gross <> l.gross or b.fee <> l.fee`,
      ),
    ],
  },
  {
    holds:
      'Each sale and refund is settled by one line, which says the same of it and is booked, but for a cured difference.',
    searches: [
      along(
        WALKS.settlementItem,
        'settlements-verify-items',
        (rows) => `
        select i.payee_id as "payeeId", 'settlement item ' || i.attempt_id as row
        from ${rows} i
        left join lateral (
          select * from settlement_line
          where payee_id = i.payee_id and acquirer = i.acquirer and batch_id = i.batch_id and line_id = i.line_id
          limit 1
        ) l on true
        where i.batch_id is not null and (
          l.booked_by is null or l.attempt_id is distinct from i.attempt_id
          or ((${SAID_AMOUNT} <> i.amount or ${SAID_CURRENCY} <> i.currency or l.type <> i.type) and not exists (
            select from settlement_difference f
            where f.payee_id = l.payee_id and f.acquirer = l.acquirer and f.batch_id = l.batch_id
              and f.line_id = l.line_id and f.withdrawal_id is null and f.state = 'Cured'
            offset 0
          ))
        )`,
      ),
    ],
  },
  {
    holds:
      'What of each payment cannot be given back is what lines have charged back, and each sale of which one differs.',
    searches: [
      disputedOf({ walk: WALKS.cardPayment, noun: 'card payment' }),
      disputedOf({ walk: WALKS.payment, noun: 'payment' }),
    ],
  },
  {
    holds:
      'Each dispute has taken what its lines say, never less than nothing, and those of a sale no more than the sale.',
    searches: [
      along(
        WALKS.dispute,
        'settlements-verify-taken',
        (rows) => `
        select d.payee_id as "payeeId", 'dispute ' || d.dispute_id as row
        from ${rows} d
        where d.taken < 0 or d.taken <> coalesce((
          select -sum(${SAID_AMOUNT}) from settlement_line l
          where payee_id = d.payee_id and dispute_id = d.dispute_id and booked_by is not null
        ), 0)`,
      ),
      // A line without an attempt counts among those of its dispute.
      along(
        WALKS.settlementLine,
        'settlements-verify-taken-of-sales',
        (rows) => `
        select s.payee_id as "payeeId", 'settlement item ' || coalesce(s.attempt_id::text, '') as row
        from ${rows} s
        where s.dispute_id is not null and s.booked_by is not null and coalesce(
          (select -sum(${SAID_AMOUNT}) from settlement_line l
            where payee_id = s.payee_id and attempt_id = s.attempt_id and dispute_id is not null and booked_by is not null),
          (select -sum(${SAID_AMOUNT}) from settlement_line l
            where payee_id = s.payee_id and dispute_id = s.dispute_id and attempt_id is null and booked_by is not null)
        ) not between 0 and coalesce((
          select amount from settlement_item
          where payee_id = s.payee_id and attempt_id = s.attempt_id and type = 'Sale'
        ), 0)`,
      ),
    ],
  },
  {
    holds: 'A settled day has no sale and no refund that was not paid.',
    searches: [
      along(
        WALKS.settlementDay,
        'settlements-verify-settled',
        (rows) => `
        select d.payee_id as "payeeId", 'settlement ' || d.settlement_id as row
        from ${rows} d
        where d.state = 'Settled' and exists (
          select from settlement_item
          where ${OF_DAY} and type in ('Sale', 'Refund') and batch_id is null and ended_by is null offset 0
        )`,
      ),
    ],
  },
];
