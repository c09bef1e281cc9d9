import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { credentialOf } from '../kit/portal-user.ts';
import type { Secret } from '../kit/secret.ts';
import { takeInvitation } from './invitations.store.ts';
import { deleteSecondFactors } from './passwords/second-factors.store.ts';
import { readSecret } from './passwords/secrets.rules.ts';
import { setPassword } from './passwords/set-password.ts';
import type { PortalUsersContext } from './portal-users.types.ts';
import { unknownInvitation } from './read-invitation.ts';
import { endSessionsOf } from './sessions/end-sessions.ts';
import { startSession } from './sessions/start-session.ts';
import { lockNamedUser } from './show-user.ts';

/**
 * Takes an invitation: the user gets the password of this hash and is signed in. What they had before, second factor and
 * sessions, is gone: whoever invited them has decided so. Answers the cookie's value.
 *
 * @throws Refusal `notfound` where the invitation is not known, over, or taken
 */
export async function acceptInvitation(
  transaction: Transaction,
  context: PortalUsersContext,
  command: { invitation: string; passwordHash: string; sessionId: string },
): Promise<Secret> {
  const secret = readSecret('invitation', command.invitation);
  const user = secret && (await takeInvitation(transaction, secret)).rows[0];
  if (user === undefined) throw unknownInvitation();
  const { disabledAt } = await lockNamedUser(transaction, user);
  if (disabledAt !== null) throw unknownInvitation();
  await setPassword(transaction, user, command.passwordHash);
  await deleteSecondFactors(transaction, user, null);
  await endSessionsOf(transaction, user, 'password');
  const actor = { name: credentialOf(user), sessionId: command.sessionId };
  const { payeeId, userId } = user;
  await writeAudit(transaction, [{ payeeId, actor, action: 'accept-invitation', objectId: userId }]);
  return startSession(transaction, context, user);
}
