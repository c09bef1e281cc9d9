import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { assert } from '../kit/assert.ts';
import { type Actor, nameOfActor } from '../kit/caller.ts';
import { forbidden, Refusal } from '../kit/errors.ts';
import { credentialOf } from '../kit/portal-user.ts';
import { Secret, sha256 } from '../kit/secret.ts';
import { namePayee } from '../merchants/payees/which-payee.ts';
import { createUser, type NewUser } from './create-user.ts';
import { selectInvitation, takeInvitation, upsertInvitation } from './invitations.store.ts';
import { deleteSecondFactors } from './passwords/second-factors.store.ts';
import { composeSecret, readSecret } from './passwords/secrets.rules.ts';
import { setPassword } from './passwords/set-password.ts';
import type { PortalUser, PortalUserKey, PortalUsersContext } from './portal-users.types.ts';
import { endSessionsOf, startSession } from './sessions/sessions.ts';
import { lockNamedUser, showChangedUser, showUser } from './show-user.ts';
import { selectUser } from './users.store.ts';

/** Hours that an invitation to the portal is good for. */
const INVITATION_HOURS = 72;

/** A user who may choose a password now, and what they show for it: shown once, to the administrator who invites. */
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
  const row = { payeeId, userId, hash: sha256(invitation), createdBy: nameOfActor(actor), hours: INVITATION_HOURS };
  const { rows } = await upsertInvitation(transaction, row);
  const [made] = rows;
  assert(made, 'a new invitation is one row');
  await writeAudit(transaction, [{ payeeId, actor, action: 'invite-portal-user', objectId: userId, details: made }]);
  const user = await showChangedUser(transaction, context, { payeeId, userId });
  return { user, invitation: new Secret(invitation), expiresAt: made.expiresAt };
}

/** An invitation as its holder sees it. */
export interface InvitationView extends Pick<PortalUser, 'email' | 'name' | 'role'> {
  readonly payeeName: string;
  readonly expiresAt: string;
}

/**
 * Shows what an invitation is for.
 *
 * @throws Refusal `notfound` where it is not known, over, or taken
 */
export async function readInvitation(
  transaction: Transaction,
  context: PortalUsersContext,
  text: string,
): Promise<InvitationView> {
  const secret = readSecret('invitation', text);
  const found = secret && (await selectInvitation(transaction, secret)).rows[0];
  const row = found && (await selectUser(transaction, found)).rows[0];
  if (found === undefined || row === undefined || row.disabledAt !== null) throw unknownInvitation();
  const { email, name, role } = await showUser(context, row);
  return { email, name, role, payeeName: await namePayee(transaction, found.payeeId), expiresAt: found.expiresAt };
}

/** One answer for an invitation that is unknown, over, or taken: its sender does not learn which. */
function unknownInvitation(): Refusal {
  return new Refusal('notfound', 'The invitation is not known, or it is over: ask for another one.');
}

/**
 * Takes an invitation: the user gets the password of this hash and is signed in. What they had before, second factor and
 * sessions, is gone: the administrator who invited them has decided so. Answers the cookie's value.
 *
 * @throws Refusal `notfound` where the invitation is not known, over, or taken
 */
export async function acceptInvitation(
  transaction: Transaction,
  context: PortalUsersContext,
  command: { invitation: string; passwordHash: string; sessionId: string; address: string },
): Promise<Secret> {
  const secret = readSecret('invitation', command.invitation);
  const user = secret && (await takeInvitation(transaction, secret)).rows[0];
  if (user === undefined) throw unknownInvitation();
  const { disabledAt } = await lockNamedUser(transaction, user);
  if (disabledAt !== null) throw unknownInvitation();
  await setPassword(transaction, user, command.passwordHash);
  await deleteSecondFactors(transaction, user, null);
  await endSessionsOf(transaction, user, 'password');
  const { sessionId, address } = command;
  const actor = { ...credentialOf(user), sessionId, address };
  const { payeeId, userId } = user;
  await writeAudit(transaction, [{ payeeId, actor, action: 'accept-invitation', objectId: userId }]);
  return startSession(transaction, context, user);
}
