import type { Rows, Transaction } from '../db/transaction.types.ts';
import type { PortalUserKey } from './portal-users.types.ts';

/**
 * Locks users who may sign in and were not there for so many days, at most `limit`: who have neither signed in nor been
 * enabled again, and are not invited anew. Those that another transaction changes are left out.
 */
export function lockIdleUsers(
  transaction: Transaction,
  { days, limit }: { days: number; limit: number },
): Promise<Rows<PortalUserKey>> {
  return transaction.run(
    {
      name: 'portal-users-lock-idle-users',
      text: `
        select u.payee_id as "payeeId", u.user_id as "userId"
        from portal_user u
        where u.disabled_at is null and u.password_hash is not null
          and greatest(u.created_at, u.last_sign_in_at, (
            select w.enabled_at from portal_user_watch w where w.payee_id = u.payee_id and w.user_id = u.user_id
          )) < (select kontor_now()) - make_interval(days => $1::integer)
          and not exists (
            select from portal_invitation i
            where i.payee_id = u.payee_id and i.user_id = u.user_id and i.expires_at > (select kontor_now())
          )
        order by u.payee_id, u.user_id
        limit $2::integer
        for no key update of u skip locked`,
    },
    [days, limit],
  );
}

/** Notes that a user was enabled now. */
export async function upsertEnabled(transaction: Transaction, key: PortalUserKey): Promise<void> {
  await transaction.run(
    {
      name: 'portal-users-upsert-enabled',
      text: `
        insert into portal_user_watch (payee_id, user_id, enabled_at)
        values ($1::uuid, $2::uuid, kontor_now())
        on conflict (payee_id, user_id) do update set enabled_at = excluded.enabled_at`,
    },
    [key.payeeId, key.userId],
  );
}
