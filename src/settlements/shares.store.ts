import { insertRows } from '../db/over-rows.ts';
import type { Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { BatchKey, BatchOwner } from './files/files.types.ts';
import type { Share } from './shares.types.ts';

/** Writes down whose part of a movement is whose. */
export const insertShares = insertRows<Share & { readonly payeeId: PayeeId; readonly movementId: string }>(
  'settlements-insert-shares',
  'settlement_share',
  {
    payee_id: ['uuid', 'payeeId'],
    movement_id: ['uuid', 'movementId'],
    agreement: ['text', 'agreement'],
    amount: ['bigint', 'amount'],
  },
);

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
