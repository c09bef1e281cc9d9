import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { inputError } from '../../kit/errors.ts';
import type { SignedInUser } from '../../kit/portal-user.ts';
import type { Secret } from '../../kit/secret.ts';
import { selectInvitation } from '../invitations.store.ts';
import type { PortalUserKey, PortalUsersContext } from '../portal-users.types.ts';
import { endSessionsOf, startSession } from '../sessions/sessions.ts';
import { deleteWrongCodes } from '../sessions/wrong-codes.store.ts';
import { lockNamedUser } from '../show-user.ts';
import { selectPasswords, updatePassword } from '../users.store.ts';
import { checkPassword } from './passwords.rules.ts';
import { readSecret } from './secrets.rules.ts';

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

/**
 * Gives a user the password of this hash. The wrong codes that came with the one before are forgiven: who knew that one has to
 * begin anew. Its caller ends the sessions and writes the audit trail.
 */
export async function setPassword(transaction: Transaction, user: PortalUserKey, passwordHash: string): Promise<void> {
  const updated = await updatePassword(transaction, user, passwordHash);
  assert(updated === 1, 'the user of a password is there');
  await deleteWrongCodes(transaction, user);
}

/** A password that a user chooses, and who they are. */
interface NewPassword {
  readonly password: Secret;
  readonly email: string;
  readonly name: string;
  /** Hashes of passwords that it must not be. */
  readonly former: readonly string[];
  /** The member that it came in. */
  readonly member: string;
}

/**
 * The hash of a password that a user has chosen. It takes long on purpose, so it is made outside of any transaction.
 *
 * @throws Refusal `inputerror` for one that breaks the rules; `toomanyrequests` where too many wait
 */
export async function hashNewPassword(
  { passwords }: PortalUsersContext,
  { password, email, name, former, member }: NewPassword,
): Promise<string> {
  checkPassword(password.reveal(), { email, name }, member);
  for (const hash of former) {
    if (await passwords.isRight(password, hash)) throw inputError(member, 'must not be one of your last four');
  }
  return passwords.hash(password);
}

/** The hashes of a user's last four passwords, the one of now among them. */
export async function formerPasswords(transaction: Transaction, user: PortalUserKey): Promise<readonly string[]> {
  return (await selectPasswords(transaction, user)).rows[0]?.hashes ?? [];
}

/** The same of whom an invitation is for; none where it is not known. */
export async function formerPasswordsOfInvited(
  transaction: Transaction,
  invitation: string,
): Promise<readonly string[]> {
  const secret = readSecret('invitation', invitation);
  const user = secret && (await selectInvitation(transaction, secret)).rows[0];
  return user === undefined ? [] : formerPasswords(transaction, user);
}
