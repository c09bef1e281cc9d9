import type { Rows, Transaction } from '../db/transaction.types.ts';
import type { PortalSecret, PortalUserKey } from './portal-users.types.ts';

/** Adds an invitation of a user, in place of the one before. */
export function upsertInvitation(
  transaction: Transaction,
  invitation: PortalUserKey & { hash: Buffer; createdBy: string; hours: number },
): Promise<Rows<{ expiresAt: string }>> {
  return transaction.run(
    {
      name: 'portal-users-upsert-invitation',
      text: `
        insert into portal_invitation (payee_id, user_id, secret_hash, created_at, created_by, expires_at)
        select $1::uuid, $2::uuid, $3::bytea, clock.now, $4::text, clock.now + make_interval(hours => $5::integer)
        from (select kontor_now() as now) clock
        on conflict (payee_id, user_id) do update
        set secret_hash = excluded.secret_hash, created_at = excluded.created_at, created_by = excluded.created_by,
          expires_at = excluded.expires_at
        returning expires_at as "expiresAt"`,
    },
    [invitation.payeeId, invitation.userId, invitation.hash, invitation.createdBy, invitation.hours],
  );
}

/** The user that an invitation is for, and when it ends; no row where it is not known, or over. */
export function selectInvitation(
  transaction: Transaction,
  secret: PortalSecret,
): Promise<Rows<PortalUserKey & { expiresAt: string }>> {
  return transaction.run(
    {
      name: 'portal-users-select-invitation',
      text: `
        select payee_id as "payeeId", user_id as "userId", expires_at as "expiresAt"
        from portal_invitation
        where payee_id = $1::uuid and secret_hash = $2::bytea and expires_at > kontor_now()`,
    },
    [secret.payeeId, secret.hash],
  );
}

/** Takes an invitation, so that it cannot be taken again; no row where it is not known, over, or taken before. */
export function takeInvitation(transaction: Transaction, secret: PortalSecret): Promise<Rows<PortalUserKey>> {
  return transaction.run(
    {
      name: 'portal-users-take-invitation',
      text: `
        delete from portal_invitation
        where payee_id = $1::uuid and secret_hash = $2::bytea and expires_at > kontor_now()
        returning payee_id as "payeeId", user_id as "userId"`,
    },
    [secret.payeeId, secret.hash],
  );
}

/** Takes back the invitation of a user, where there is one. */
export async function deleteInvitation(transaction: Transaction, key: PortalUserKey): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-delete-invitation',
      text: 'delete from portal_invitation where payee_id = $1::uuid and user_id = $2::uuid',
    },
    [key.payeeId, key.userId],
  );
  return count;
}
