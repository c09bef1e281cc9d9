import { insertRows } from '../db/rows/tables.ts';
import type { Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { BatchKey, BatchOwner } from './files/files.types.ts';
import { SETTLEMENT_SHARE } from './settlements.tables.ts';
import type { ConvertedShare, Share } from './shares.types.ts';

/** Writes down whose part of a movement is whose. */
export const insertShares = insertRows('settlements-insert-shares', SETTLEMENT_SHARE);

/** The gross amounts of a batch's own lines that it books, agreement by agreement. A line without a sale of ours is of the batch's own. */
export async function selectBookedShares(
  transaction: Transaction,
  { payeeId, acquirer, batchId, agreement }: BatchKey & BatchOwner,
): Promise<readonly Share[]> {
  const { rows } = await transaction.run<Share>(
    {
      name: 'settlements-select-booked-shares',
      text: `
        select coalesce(i.agreement, $4::text) as agreement, sum(l.gross)::bigint as amount
        from settlement_line l
        left join lateral (
          select i.agreement from settlement_item i
          where i.payee_id = l.payee_id and i.attempt_id = l.attempt_id and i.type in ('Sale', 'Refund')
          limit 1
        ) i on true
        where l.payee_id = $1::uuid and l.acquirer = $2::text and l.batch_id = $3::text and l.booked_by = $3::text
        group by 1
        order by 1`,
    },
    [payeeId, acquirer, batchId, agreement],
  );
  return rows;
}

/**
 * What the lines that a batch books convert, agreement by agreement: in the currency of the sale what is not owed any more, in that of the
 * payout, below 0, what is owed for it. A line without a sale of ours is of its difference's agreement, or of the batch's own.
 */
export async function selectConverted(
  transaction: Transaction,
  { payeeId, acquirer, batchId, agreement }: BatchKey & BatchOwner,
): Promise<readonly ConvertedShare[]> {
  const { rows } = await transaction.run<ConvertedShare>(
    {
      name: 'settlements-select-converted',
      text: `
        select coalesce(i.agreement, f.agreement, $4::text) as agreement, c.currency, sum(c.amount)::bigint as amount
        from settlement_line l
        cross join lateral (
          values (l.transaction_currency, l.transaction_amount), (l.currency, -l.gross)
        ) as c (currency, amount)
        left join lateral (
          select i.agreement from settlement_item i
          where i.payee_id = l.payee_id and i.attempt_id = l.attempt_id and i.type in ('Sale', 'Refund')
          limit 1
        ) i on true
        left join settlement_difference f on f.payee_id = l.payee_id and f.acquirer = l.acquirer and f.batch_id = l.batch_id
          and f.line_id = l.line_id and f.withdrawal_id is null
        where l.payee_id = $1::uuid and l.acquirer = $2::text and l.booked_by = $3::text and l.transaction_currency is not null
        group by 1, 2
        having sum(c.amount) <> 0
        order by 1, 2`,
    },
    [payeeId, acquirer, batchId, agreement],
  );
  return rows;
}

/** What movements that convert have booked. */
export async function selectConversions(
  transaction: Transaction,
  payeeId: PayeeId,
  movementIds: readonly string[],
): Promise<readonly ConvertedShare[]> {
  const { rows } = await transaction.run<ConvertedShare>(
    {
      name: 'settlements-select-conversions',
      text: `
        select s.agreement, m.currency, s.amount
        from settlement_share s join movement m on m.payee_id = s.payee_id and m.movement_id = s.movement_id
        where s.payee_id = $1::uuid and s.movement_id = any($2::uuid[])
        order by s.agreement, m.currency`,
    },
    [payeeId, movementIds],
  );
  return rows;
}

/** Whose part of a movement is whose. */
export async function selectShares(
  transaction: Transaction,
  payeeId: PayeeId,
  movementId: string,
): Promise<readonly Share[]> {
  const { rows } = await transaction.run<Share>(
    {
      name: 'settlements-select-shares',
      text: `
        select agreement, amount from settlement_share
        where payee_id = $1::uuid and movement_id = $2::uuid
        order by agreement`,
    },
    [payeeId, movementId],
  );
  return rows;
}
