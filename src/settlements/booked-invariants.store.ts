import { along } from '../db/reading/walk.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import { WALKS } from '../journal/walks.types.ts';
import { SAID_AMOUNT, SAID_CURRENCY } from './files/said-of-sale.types.ts';
import { OF_SETTLEMENT } from './settlements.types.ts';

/** Kinds of movements with what a payment owes an acquirer or is owed. */
const OF_PAYMENTS = `('Capture', 'Purchase', 'Reversal', 'Credit')`;
/** What the ledger has booked at an issuer in a movement; null where there is none. */
const bookedIn = (payee: string, movement: string) => `(
  select sum(amount) from entry where payee_id = ${payee} and movement_id = ${movement} and side = 'Issuer')`;

/** What all movements of a kind have booked at issuers: few, which have an index of their own. */
function bookedAs(kind: 'Dispute' | 'Settlement'): string {
  return `
    select m.payee_id, m.currency, ${bookedIn('m.payee_id', 'm.movement_id')} as amount
    from movement m where m.kind = '${kind}' and m.kind in ${OF_SETTLEMENT}`;
}

/** What must hold of settlement between its own tables and the ledger. */
export const BOOKED_INVARIANTS: readonly Invariant[] = [
  {
    holds: 'What the ledger says that each agreement still has to pay is what its open sales and refunds come to.',
    searches: [
      // Item by item: what was booked is still open, was paid by lines, or was ended by a person.
      along(
        WALKS.settlementItem,
        'settlements-verify-owed',
        (rows) => `
        select i.payee_id as "payeeId", 'agreement ' || i.agreement || ' in ' || i.currency as row
        from ${rows} i
        where i.type in ('Sale', 'Refund') and
          coalesce((
            select sum(-e.amount)
            from (
              select payee_id, movement_id from movement
              where payee_id = i.payee_id and payment_id = i.payment_id
                and transaction_id is not distinct from i.transaction_id and kind in ${OF_PAYMENTS} offset 0
            ) m
            cross join lateral (
              select amount from entry
              where payee_id = m.payee_id and movement_id = m.movement_id and side = 'Issuer'
            ) e
          ), 0) <> case when coalesce(i.batch_id, i.ended_by::text) is null then i.amount else 0 end
          + coalesce((
            select sum(${SAID_AMOUNT}) from settlement_line l
            where payee_id = i.payee_id and attempt_id = i.attempt_id and booked_by is not null and dispute_id is null
          ), 0)
          + coalesce((
            select sum(${bookedIn('f.payee_id', 'f.movement_id')}) from settlement_difference f
            where f.payee_id = i.payee_id and f.attempt_id = i.attempt_id
          ), 0)`,
      ),
      along(
        WALKS.settlementLine,
        'settlements-verify-owed-lines',
        (rows) => `
        select l.payee_id as "payeeId", 'agreement of none in ' || ${SAID_CURRENCY} as row
        from ${rows} l
        where l.booked_by is not null and l.dispute_id is null and l.gross <> 0 and not exists (
          select from settlement_item
          where payee_id = l.payee_id and attempt_id = l.attempt_id and type in ('Sale', 'Refund') and currency = ${SAID_CURRENCY}
        )`,
      ),
    ],
  },
  {
    holds: 'Each batch has booked the gross amounts of the lines that were matched with it, and nothing else.',
    searches: [
      along(
        WALKS.settlementBatch,
        'settlements-verify-movements',
        (rows) => `
        select b.payee_id as "payeeId", 'batch ' || b.name || ' of ' || b.acquirer as row
        from ${rows} b
        where coalesce((
            select sum(gross) from settlement_line
            where payee_id = b.payee_id and acquirer = b.acquirer and booked_by collate "C" = b.batch_id
          ), 0) <> coalesce(${bookedIn('b.payee_id', 'b.movement_id')}, 0)
          or (b.movement_id is not null and not exists (
            select from movement where payee_id = b.payee_id and movement_id = b.movement_id and kind = 'Settlement'
            offset 0
          ))`,
      ),
    ],
  },
  {
    holds: 'The ledger has booked for disputes what their lines have charged back and given back.',
    searches: [
      {
        name: 'settlements-verify-dispute-movements',
        text: `
          select payee_id as "payeeId", 'disputes in ' || currency as row
          from (
            ${bookedAs('Dispute')}
            union all
            select payee_id, ${SAID_CURRENCY}, ${SAID_AMOUNT} from settlement_line l
            where dispute_id is not null and booked_by is not null
          ) part
          group by payee_id, currency
          having sum(amount) <> 0
          order by currency`,
      },
    ],
  },
  {
    holds:
      'The ledger has booked as settled what lines have settled and what people have ended, and nothing of withdrawn batches.',
    searches: [
      {
        name: 'settlements-verify-settled-movements',
        text: `
          select payee_id as "payeeId", 'settlements in ' || currency as row
          from (
            ${bookedAs('Settlement')}
            union all
            select payee_id, currency, -gross from settlement_line where booked_by is not null
            union all
            select payee_id, currency, -${bookedIn('f.payee_id', 'f.movement_id')}
            from settlement_difference f where movement_id is not null
          ) part
          group by payee_id, currency
          having sum(amount) <> 0
          order by currency`,
      },
    ],
  },
  {
    holds: 'The parts that agreements have in a settlement or dispute sum to what it books.',
    searches: [
      along(
        WALKS.settlementShare,
        'settlements-verify-shares',
        (rows) => `
        select s.payee_id as "payeeId", 'movement ' || s.movement_id as row
        from ${rows} s
        where (select sum(amount) from settlement_share where payee_id = s.payee_id and movement_id = s.movement_id)
          is distinct from ${bookedIn('s.payee_id', 's.movement_id')}`,
      ),
    ],
  },
  {
    holds: 'What the ledger has booked for each agreement is what its open sales and refunds come to.',
    searches: [
      {
        // But for payees with movements of an earlier version, which wrote down no parts.
        name: 'settlements-verify-owed-by-parts',
        text: `
          select payee_id as "payeeId", 'agreement ' || agreement || ' in ' || currency as row
          from (
            select payee_id, agreement, currency, amount from settlement_item
            where type in ('Sale', 'Refund') and num_nonnulls(batch_id, ended_by) > 0
            union all
            select s.payee_id, s.agreement,
              (select currency from movement m where m.payee_id = s.payee_id and m.movement_id = s.movement_id), -s.amount
            from settlement_share s
          ) part
          where payee_id not in (
            select m.payee_id from movement m
            where m.kind in ${OF_SETTLEMENT} and coalesce((
              select min(agreement) from settlement_share where payee_id = m.payee_id and movement_id = m.movement_id
            ), '') = ''
          )
          group by payee_id, agreement, currency
          having sum(amount) <> 0
          order by agreement, currency`,
      },
    ],
  },
  {
    holds: 'Each withdrawn batch is kept whole, and what it had booked is booked the other way.',
    searches: [
      along(
        WALKS.settlementWithdrawal,
        'settlements-verify-withdrawn',
        (rows) => `
        select w.payee_id as "payeeId", 'withdrawn batch ' || w.name || ' of ' || w.acquirer as row
        from (
          select w.*, ${bookedIn('w.payee_id', 'w.movement_id')} as booked,
            ${bookedIn('w.payee_id', 'w.opposite_id')} as opposite, (
              select count(*) from settlement_withdrawn_line
              where payee_id = w.payee_id and withdrawal_id = w.withdrawal_id
            ) as kept
          from ${rows} w
        ) w
        where coalesce(w.booked, 0) + coalesce(w.opposite, 0) <> 0 or w.lines <> w.kept
          or (w.movement_id is not null and (w.booked is null or w.opposite is null))`,
      ),
    ],
  },
  {
    holds: 'Each sale and refund that a person has ended is ended once, and booked as its difference says.',
    searches: [
      along(
        WALKS.settlementItem,
        'settlements-verify-ended',
        (rows) => `
        select i.payee_id as "payeeId", 'settlement item ' || i.attempt_id as row
        from ${rows} i
        left join lateral (
          select payee_id, movement_id, outcome from settlement_difference
          where payee_id = i.payee_id and difference_id = i.ended_by and attempt_id = i.attempt_id
            and state = 'Resolved'
          limit 1
        ) f on true
        where i.ended_by is not null and (
          i.batch_id is not null or f.outcome is null or f.outcome = 'AcquirersMistake'
          or coalesce(${bookedIn('f.payee_id', 'f.movement_id')}, 0) <> i.amount
        )`,
      ),
    ],
  },
];
