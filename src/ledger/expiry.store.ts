import type { Read, Rows } from '../db/transaction.types.ts';
import type { AccountKey } from './ledger.types.ts';

/** Accounts that have a hold whose time is over, those that wait longest first. */
export function selectOverdueAccounts(read: Read, limit: number): Promise<Rows<AccountKey>> {
  return read<AccountKey>(
    {
      name: 'ledger-select-overdue-accounts',
      text: `
        select payee_id as "payeeId", account_id as "accountId"
        from account
        where next_hold_expires_at <= kontor_now()
        order by next_hold_expires_at
        limit $1::integer`,
    },
    [limit],
  );
}
