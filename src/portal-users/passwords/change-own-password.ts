import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import type { SignedInUser } from '../../kit/portal-user.ts';
import type { Secret } from '../../kit/secret.ts';
import type { PortalUsersContext } from '../portal-users.types.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import { startSession } from '../sessions/start-session.ts';
import { lockNamedUser } from '../show-user.ts';
import { setPassword } from './set-password.ts';

/**
 * Gives a user the password of this hash in place of the one that they gave a moment ago. All their sessions end, and a
 * new one begins here. Answers the cookie's value.
 */
export async function changeOwnPassword(
  transaction: Transaction,
  context: PortalUsersContext,
  command: { user: SignedInUser; passwordHash: string; actor: Actor },
): Promise<Secret> {
  const { user, actor } = command;
  const { payeeId, userId } = user;
  await lockNamedUser(transaction, user);
  await setPassword(transaction, user, command.passwordHash);
  await endSessionsOf(transaction, user, 'password');
  await writeAudit(transaction, [{ payeeId, actor, action: 'change-password', objectId: userId }]);
  return startSession(transaction, context, user);
}
