import { overRows } from '../db/rows/over-rows.ts';
import type { Transaction } from '../db/transaction.types.ts';
import type { KeyChange, KeyId } from '../keys/keys.types.ts';
import type { PortalUserKey } from './portal-users.types.ts';

/** How many users sign in with an address whose digest is under a key. */
export async function countLoginsUnder(transaction: Transaction, keyId: KeyId): Promise<number> {
  const { rows } = await transaction.run<{ readonly logins: number }>(
    {
      name: 'portal-users-count-logins',
      text: 'select count(*)::integer as logins from portal_login where email_key_id = $1::text',
    },
    [keyId],
  );
  return rows[0]?.logins ?? 0;
}

/** Locks some of them, each with the sealed address; those that another transaction has locked are left out. */
export async function lockLoginsUnder(
  transaction: Transaction,
  keyId: KeyId,
  limit: number,
): Promise<readonly (PortalUserKey & { readonly emailSealed: Buffer })[]> {
  const { rows } = await transaction.run<PortalUserKey & { readonly emailSealed: Buffer }>(
    {
      name: 'portal-users-lock-logins',
      text: `
        select login.payee_id as "payeeId", login.user_id as "userId", u.email_sealed as "emailSealed"
        from portal_login login
        join portal_user u using (payee_id, user_id)
        where login.email_key_id = $1::text
        order by login.payee_id, login.user_id
        limit $2::integer
        for update of login skip locked`,
    },
    [keyId, limit],
  );
  return rows;
}

const UPDATE_LOGINS = overRows<PortalUserKey & { readonly digest: Buffer }, [from: KeyId, to: KeyId]>({
  name: 'portal-users-update-logins',
  beside: 2,
  columns: { user_id: ['uuid', 'userId'], email_digest: ['bytea', 'digest'] },
  text: ({ payee, rows }) => `
    update portal_login login
    set email_digest = v.email_digest, email_key_id = $2::text
    from ${rows}
    where login.payee_id = ${payee} and login.user_id = v.user_id and login.email_key_id = $1::text`,
});

/** Gives logins the digests of another key. */
export async function updateLogins(
  transaction: Transaction,
  logins: readonly (PortalUserKey & { readonly digest: Buffer })[],
  { from, to }: KeyChange,
): Promise<number> {
  const { count } = await transaction.run(UPDATE_LOGINS, UPDATE_LOGINS.values(logins, from, to));
  return count;
}
