import { along } from '../db/reading/walk.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import { WALKS } from '../journal/walks.types.ts';
import { OF_SETTLEMENT } from './settlements.types.ts';

/** What lines convert: in the currency of the sale what was owed, in that of the payout what is owed for it. */
const CONVERTED = `(values (l.transaction_currency, l.transaction_amount), (l.currency, -l.gross)) as c (currency, amount)`;
const IS_CONVERTED = 'l.booked_by is not null and l.transaction_currency is not null';

/** What must hold where lines pay in another currency than the sale's. */
export const CONVERSION_INVARIANTS: readonly Invariant[] = [
  {
    holds:
      'Each batch has converted what its matched lines of another currency say, in both currencies, and nothing else.',
    searches: [
      along(
        WALKS.settlementBatch,
        'settlements-verify-conversions-of-batches',
        (rows) => `
        select b.payee_id as "payeeId", 'batch ' || b.name || ' of ' || b.acquirer || ' in ' || p.currency as row
        from ${rows} b
        cross join lateral (
          select currency
          from (
            select c.currency, c.amount
            from settlement_line l cross join lateral ${CONVERTED}
            where l.payee_id = b.payee_id and l.acquirer = b.acquirer and l.booked_by collate "C" = b.batch_id and ${IS_CONVERTED}
            union all
            select e.currency, -e.amount
            from entry e
            where e.payee_id = b.payee_id and e.movement_id = any(b.conversion_ids) and e.side = 'Issuer'
          ) part
          group by currency
          having sum(amount) <> 0
        ) p`,
      ),
    ],
  },
  {
    holds: 'The side Conversion has what lines of another currency have converted, and nothing of withdrawn batches.',
    searches: [
      {
        name: 'settlements-verify-conversions',
        text: `
          select payee_id as "payeeId", 'conversions in ' || currency as row
          from (
            select l.payee_id, c.currency, c.amount
            from settlement_line l cross join lateral ${CONVERTED}
            where ${IS_CONVERTED}
            union all
            select m.payee_id, m.currency, (
              select sum(amount) from entry where payee_id = m.payee_id and movement_id = m.movement_id and side = 'Conversion'
            )
            from movement m where m.kind = 'Conversion' and m.kind in ${OF_SETTLEMENT}
          ) part
          group by payee_id, currency
          having sum(amount) <> 0
          order by currency`,
      },
    ],
  },
  {
    holds: 'A line says its amount in another currency than its own, with the same sign, or says none.',
    searches: [
      along(
        WALKS.settlementLine,
        'settlements-verify-said-amounts',
        (rows) => `
        select payee_id as "payeeId", 'line ' || line_id || ' of ' || acquirer as row
        from ${rows} l
        where (transaction_currency is null) <> (transaction_amount is null) or transaction_currency = currency
          or gross <> 0 and sign(transaction_amount) <> sign(gross)`,
      ),
    ],
  },
];
