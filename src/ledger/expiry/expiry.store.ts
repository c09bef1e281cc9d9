import { isFreeFor } from '../../db/rows-at-work.ts';
import type { Read, Rows } from '../../db/transaction.types.ts';
import type { AccountKey } from '../ledger.types.ts';
import type { LedgerAges } from '../verification/health.types.ts';

/** Accounts that have a hold whose time is over, those that wait longest first. */
export function selectOverdueAccounts(read: Read, limit: number): Promise<Rows<AccountKey>> {
  return read<AccountKey>(
    {
      name: 'ledger-select-overdue-accounts',
      text: `
        select payee_id as "payeeId", account_id as "accountId"
        from account
        where next_hold_expires_at <= (select kontor_now())
          and ${isFreeFor('release-holds', 'account.payee_id', 'account.account_id::text')}
        order by next_hold_expires_at
        limit $1::integer`,
    },
    [limit],
  );
}

/** How long the first hold past its time has waited: the first row of an index. */
export function selectAges(read: Read): Promise<Rows<LedgerAges>> {
  return read<LedgerAges>(
    {
      name: 'ledger-select-ages',
      text: `
        select
          greatest(0, extract(epoch from kontor_now() - (
            select min(next_hold_expires_at) from account where next_hold_expires_at is not null
          )))::float8 as "overdueHoldSeconds"`,
    },
    [],
  );
}
