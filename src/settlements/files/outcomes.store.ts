import type { Transaction } from '../../db/transaction.types.ts';
import type { BatchKey, LinesOutcome } from './files.types.ts';
import { SAID_AMOUNT, SAID_CURRENCY } from './said-of-sale.types.ts';

/**
 * What became of the lines of batches, but for their payouts. A line of a sale says its amount in the sale's currency, a
 * difference both that it is about; of any other line it is what it pays.
 */
export async function selectOutcomes(
  transaction: Transaction,
  batches: readonly BatchKey[],
): Promise<readonly LinesOutcome[]> {
  const { rows } = await transaction.run<LinesOutcome>(
    {
      name: 'settlements-select-outcomes',
      text: `
        with line as (
          select f.kind, f.ours, case when f.ours is not null then f.currency end as our_currency,
            case
              when f.kind is not null then f.kind
              when l.type in ('Sale', 'Refund') then 'matched'
              when l.type in ('Chargeback', 'ChargebackReversal') then 'disputed'
              else 'others'
            end as outcome,
            case
              when f.kind is not null then coalesce(f.their_currency, f.currency)
              when l.type in ('Sale', 'Refund', 'Chargeback', 'ChargebackReversal') then ${SAID_CURRENCY}
              else l.currency
            end as currency,
            case
              when f.kind is not null then coalesce(f.theirs, 0)
              when l.type in ('Sale', 'Refund', 'Chargeback', 'ChargebackReversal') then ${SAID_AMOUNT}
              else l.net
            end as amount
          from unnest($1::uuid[], $2::text[], $3::text[]) b(payee_id, acquirer, batch_id)
          join settlement_line l using (payee_id, acquirer, batch_id)
          left join settlement_difference f on f.payee_id = l.payee_id and f.acquirer = l.acquirer and f.batch_id = l.batch_id
            and f.line_id = l.line_id and f.state = 'Open'
          where l.type <> 'Payout'
        )
        select outcome, currency, our_currency as "ourCurrency", count(*) as lines, sum(amount)::bigint as amount,
          sum(ours)::bigint as ours
        from line
        group by outcome, currency, our_currency
        order by array_position(array['matched', 'disputed', 'others'], outcome) nulls last, outcome, currency, our_currency`,
    },
    [
      batches.map(({ payeeId }) => payeeId),
      batches.map(({ acquirer }) => acquirer),
      batches.map(({ batchId }) => batchId),
    ],
  );
  return rows;
}
