import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { AccountKey } from '../ledger.types.ts';
import type { StatementLine } from './ledger-reads.types.ts';

/** The latest entries of an account, in their order; none where the account is unknown or was never moved. */
export function selectStatement(
  transaction: Transaction,
  key: AccountKey,
  limit: number,
): Promise<Rows<StatementLine>> {
  return transaction.run<StatementLine>(
    {
      name: 'ledger-select-statement',
      text: `
        select *
        from (
          select e.sequence, m.happened_at as "happenedAt", m.kind, m.payment_id as "paymentId", e.side, e.amount,
            e.balance, e.currency
          from entry e join movement m on m.payee_id = e.payee_id and m.movement_id = e.movement_id
          where e.payee_id = $1::uuid and e.account_id = $2::uuid
          order by e.sequence desc
          limit $3::integer
        ) latest
        order by sequence`,
    },
    [key.payeeId, key.accountId, limit],
  );
}
