import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { revokePortalCredentials } from '../../merchants/access-tokens/revoke-portal-credentials.ts';
import type { PortalSessionKey, PortalUserKey, SessionEnding } from '../portal-users.types.ts';
import { deleteSession, deleteSessionsOf } from './sessions.store.ts';

/** Signs a user out: in one browser, or with `isEverywhere` in all. What the sessions called the API with ends with them. */
export async function signOut(
  transaction: Transaction,
  command: PortalUserKey & PortalSessionKey & { isEverywhere: boolean; actor: Actor },
): Promise<void> {
  const { payeeId, userId, actor } = command;
  const { rows } = command.isEverywhere
    ? await deleteSessionsOf(transaction, command, 'signed-out')
    : await deleteSession(transaction, command, 'signed-out');
  await revokePortalCredentials(transaction, rows);
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'sign-out',
      objectId: userId,
      details: { sessions: rows.length },
    },
  ]);
}

/** Ends all sessions of a user whose rights or password have changed, and answers how many. */
export async function endSessionsOf(
  transaction: Transaction,
  user: PortalUserKey,
  reason: SessionEnding,
): Promise<number> {
  const { rows } = await deleteSessionsOf(transaction, user, reason);
  await revokePortalCredentials(transaction, rows);
  return rows.length;
}
