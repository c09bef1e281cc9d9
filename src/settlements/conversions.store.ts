import type { Invariant } from '../journal/invariants.types.ts';

/** What the lines of a batch convert: in the currency of the sale what was owed, in that of the payout what is owed for it. */
const OF_LINES = `
  select l.payee_id, l.acquirer, l.booked_by as batch_id, c.currency, c.amount
  from settlement_line l
  cross join lateral (
    values (l.transaction_currency, l.transaction_amount), (l.currency, -l.gross)
  ) as c (currency, amount)
  where l.booked_by is not null and l.transaction_currency is not null`;

/** What must hold where lines pay in another currency than the sale's. */
export const CONVERSION_INVARIANTS: readonly Invariant[] = [
  {
    holds:
      'Each batch has converted what its matched lines of another currency say, in both currencies, and nothing else.',
    statement: {
      name: 'settlements-verify-conversions-of-batches',
      text: `
        select p.payee_id as "payeeId", 'batch ' || b.name || ' of ' || p.acquirer || ' in ' || p.currency as row
        from (
          ${OF_LINES}
          union all
          select b.payee_id, b.acquirer, b.batch_id, e.currency, -e.amount
          from settlement_batch b
          join movement m on m.payee_id = b.payee_id and m.movement_id = any(b.conversion_ids) and m.kind = 'Conversion'
          join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.side = 'Issuer'
        ) p
        join settlement_batch b on b.payee_id = p.payee_id and b.acquirer = p.acquirer and b.batch_id = p.batch_id
        group by p.payee_id, p.acquirer, p.batch_id, p.currency, b.name
        having sum(p.amount) <> 0
        order by p.acquirer, b.name, p.currency`,
    },
  },
  {
    holds: 'The side Conversion has what lines of another currency have converted, and nothing of withdrawn batches.',
    statement: {
      name: 'settlements-verify-conversions',
      text: `
        select payee_id as "payeeId", 'conversions in ' || currency as row
        from (
          select payee_id, currency, amount from (${OF_LINES}) l
          union all
          select payee_id, currency, amount from entry where side = 'Conversion'
        ) part
        group by payee_id, currency
        having sum(amount) <> 0
        order by currency`,
    },
  },
  {
    holds: 'A line says its amount in another currency than its own, with the same sign, or says none.',
    statement: {
      name: 'settlements-verify-said-amounts',
      text: `
        select payee_id as "payeeId", 'line ' || line_id || ' of ' || acquirer as row
        from settlement_line
        where (transaction_currency is null) <> (transaction_amount is null) or transaction_currency = currency
          or gross <> 0 and sign(transaction_amount) <> sign(gross)
        order by acquirer, line_id`,
    },
  },
];
