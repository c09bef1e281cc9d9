import { overRows } from '../db/rows/over-rows.ts';
import type { Transaction } from '../db/transaction.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { PortalUserKey } from './portal-users.types.ts';

/** Takes from some users who were disabled so many days ago the address that they signed in with; answers whose. */
export async function deleteEndedLogins(
  transaction: Transaction,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<readonly PortalUserKey[]> {
  const { rows } = await transaction.run<PortalUserKey>(
    {
      name: 'portal-users-delete-ended-logins',
      text: `
        delete from portal_login login
        using (
          select u.payee_id, u.user_id
          from portal_user u
          join portal_login using (payee_id, user_id)
          where u.disabled_at < (select kontor_now()) - make_interval(days => $1::integer)
          order by u.payee_id, u.user_id
          limit $2::integer
          for no key update of u skip locked
        ) ended
        where login.payee_id = ended.payee_id and login.user_id = ended.user_id
        returning login.payee_id as "payeeId", login.user_id as "userId"`,
    },
    [days, limit],
  );
  return rows;
}

const UPDATE_EMAILS = overRows<PortalUserKey & { readonly sealed: Buffer }, [sealedWith: KeyId]>({
  name: 'portal-users-update-emails',
  beside: 1,
  columns: { user_id: ['uuid', 'userId'], email_sealed: ['bytea', 'sealed'] },
  text: ({ payee, rows }) => `
    update portal_user u
    set email_sealed = v.email_sealed, sealed_with = $1::text
    from ${rows}
    where u.payee_id = ${payee} and u.user_id = v.user_id`,
});

/** Gives users other addresses. */
export async function updateEmails(
  transaction: Transaction,
  emails: readonly (PortalUserKey & { readonly sealed: Buffer })[],
  sealedWith: KeyId,
): Promise<number> {
  const { count } = await transaction.run(UPDATE_EMAILS, UPDATE_EMAILS.values(emails, sealedWith));
  return count;
}
