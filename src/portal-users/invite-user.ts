import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { forbidden } from '../kit/errors.ts';
import { INVITATION_HOURS } from '../kit/limits.ts';
import { Secret, sha256 } from '../kit/secret.ts';
import { createUser, type NewUser } from './create-user.ts';
import { upsertInvitation } from './invitations.store.ts';
import { composeSecret } from './passwords/secrets.rules.ts';
import type { PortalUser, PortalUserKey, PortalUsersContext } from './portal-users.types.ts';
import { lockNamedUser, showChangedUser } from './show-user.ts';

/** A user who may choose a password now, and what they show for it: once, to whoever invites. */
export interface InvitedUser {
  readonly user: PortalUser;
  readonly invitation: Secret;
  readonly expiresAt: string;
}

/**
 * Creates a user and an invitation for them.
 *
 * @throws Refusal `inputerror` where `createUser` does
 */
export async function inviteUser(
  transaction: Transaction,
  context: PortalUsersContext,
  command: NewUser,
): Promise<InvitedUser> {
  const key = await createUser(transaction, context, command);
  return invite(transaction, context, { ...key, actor: command.actor });
}

/**
 * Makes a new invitation for a user who has lost theirs, or their password or second factor; the one before it is over.
 * What they have goes on working until they take it.
 *
 * @throws Refusal `notfound` where the payee has no such user; `forbidden` where they are disabled
 */
export async function renewInvitation(
  transaction: Transaction,
  context: PortalUsersContext,
  command: PortalUserKey & { actor: Actor },
): Promise<InvitedUser> {
  const { disabledAt } = await lockNamedUser(transaction, command);
  if (disabledAt !== null) throw forbidden('renew-invitation', 'The user is disabled; enable them first.');
  return invite(transaction, context, command);
}

async function invite(
  transaction: Transaction,
  context: PortalUsersContext,
  { payeeId, userId, actor }: PortalUserKey & { actor: Actor },
): Promise<InvitedUser> {
  const invitation = composeSecret('invitation', payeeId, context.newSecret());
  const row = { payeeId, userId, hash: sha256(invitation), createdBy: actor.name, hours: INVITATION_HOURS };
  const { rows } = await upsertInvitation(transaction, row);
  const [made] = rows;
  assert(made, 'a new invitation is one row');
  await writeAudit(transaction, [{ payeeId, actor, action: 'invite-portal-user', objectId: userId, details: made }]);
  const user = await showChangedUser(transaction, context, { payeeId, userId });
  return { user, invitation: new Secret(invitation), expiresAt: made.expiresAt };
}
