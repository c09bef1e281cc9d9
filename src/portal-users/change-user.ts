import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { forbidden } from '../kit/errors.ts';
import type { Role } from '../kit/portal-user.ts';
import { checkName } from '../merchants/access-tokens/credentials.rules.ts';
import { NO_EMAIL } from './end-addresses.ts';
import { upsertEnabled } from './idle-users.store.ts';
import { deleteInvitation } from './invitations.store.ts';
import type { PortalUser, PortalUserKey, PortalUsersContext } from './portal-users.types.ts';
import { endSessionsOf } from './sessions/sessions.ts';
import { lockNamedUser, showChangedUser, showUser } from './show-user.ts';
import { checkRole } from './users.rules.ts';
import { updateDisabled, updateUser } from './users.store.ts';

/** A user is changed by another one, or by a command. */
interface Change extends PortalUserKey {
  readonly actor: Actor;
}

/**
 * Gives a user another name or role. With another role their sessions end: what they do next they do with it.
 *
 * @throws Refusal `notfound`, `inputerror`; `forbidden` for one's own role
 */
export async function changeUser(
  transaction: Transaction,
  context: PortalUsersContext,
  command: Change & { name?: string | undefined; role?: Role | undefined },
): Promise<PortalUser> {
  const { payeeId, userId, actor } = command;
  const before = await lockNamedUser(transaction, command);
  const role = command.role ?? before.role;
  const name = command.name === undefined ? before.name : checkName(command.name, context.cardPrefixes());
  checkRole(role, payeeId);
  if (role !== before.role) refuseOwn(command, 'change-role');
  const updated = await updateUser(transaction, { payeeId, userId, name, role });
  assert(updated === 1, 'a locked user is there');
  if (role !== before.role) await endSessionsOf(transaction, command, 'role');
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'change-portal-user',
      objectId: userId,
      details: { role, roleBefore: before.role, isRenamed: name !== before.name },
    },
  ]);
  return showChangedUser(transaction, context, command);
}

/**
 * Keeps a user from signing in, and ends their sessions and their invitation; or lets them sign in again.
 *
 * @throws Refusal `notfound`; `forbidden` for oneself, and to enable who has no address any more
 */
export async function switchUser(
  transaction: Transaction,
  context: PortalUsersContext,
  command: Change & { isDisabled: boolean },
): Promise<PortalUser> {
  const { payeeId, userId, actor, isDisabled } = command;
  const before = await showUser(context, await lockNamedUser(transaction, command));
  refuseOwn(command, 'disable-portal-user');
  if (!isDisabled && before.email === NO_EMAIL) {
    throw forbidden(
      'enable-portal-user',
      'The address of this user has ended. Invite the person again, as a new user.',
    );
  }
  await updateDisabled(transaction, command, isDisabled);
  if (isDisabled) {
    await endSessionsOf(transaction, command, 'disabled');
    await deleteInvitation(transaction, command);
  } else {
    await upsertEnabled(transaction, command);
  }
  const action = isDisabled ? 'disable-portal-user' : 'enable-portal-user';
  await writeAudit(transaction, [{ payeeId, actor, action, objectId: userId }]);
  return showChangedUser(transaction, context, command);
}

/** A user cannot take rights from themselves: so there is always one left who can give them. */
function refuseOwn(command: Change, operation: string): void {
  if (command.actor.kind !== 'portal-user' || command.actor.id !== command.userId) return;
  throw forbidden(operation, 'You cannot do this to yourself; ask another administrator.');
}
