import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { loadWriteKeys } from '../keys/ring/load-write-keys.ts';
import { assert } from '../kit/assert.ts';
import { type Actor, nameOfActor } from '../kit/caller.ts';
import { inputError } from '../kit/errors.ts';
import { OPERATOR, type PayeeId } from '../kit/ids.ts';
import type { Role } from '../kit/portal-user.ts';
import { Secret } from '../kit/secret.ts';
import { checkName } from '../merchants/access-tokens/credentials.rules.ts';
import type { PortalUserKey, PortalUsersContext } from './portal-users.types.ts';
import { emailText, findUserByEmail } from './show-user.ts';
import { associatedDataOfEmail, checkEmail, checkRole } from './users.rules.ts';
import { insertLogin, insertUser } from './users.store.ts';

/** A person who is to sign in. */
export interface NewUser {
  readonly payeeId: PayeeId;
  readonly email: string;
  /** 1 to 100 characters, for people. */
  readonly name: string;
  readonly role: Role;
  readonly actor: Actor;
}

/**
 * Creates a user, who has no password yet. An e-mail address belongs to one user of the installation.
 *
 * @throws Refusal `inputerror` for a name or an address that breaks its rules, a role that the payee's users cannot have, or an address
 *   that a user signs in with already
 */
export async function createUser(
  transaction: Transaction,
  context: PortalUsersContext,
  command: NewUser,
): Promise<PortalUserKey> {
  const { payeeId, role, actor } = command;
  const name = checkName(command.name, context.cardPrefixes());
  checkRole(role, payeeId);
  const user = { payeeId, userId: context.newId() };
  const email = new Secret(checkEmail(command.email));
  const { secrets: sealedWith, 'portal-users': keyId } = (await loadWriteKeys(transaction, context.keyRing)).current;
  const emailSealed = context.keyRing.seal(sealedWith, associatedDataOfEmail(user), email);
  const row = { ...user, name, role, emailSealed, sealedWith, createdBy: nameOfActor(actor) };
  assert((await insertUser(transaction, row)) === 1, 'a new portal user is one row');
  const isTaken = (await findUserByEmail(transaction, context, email.reveal())) !== undefined;
  const digest = context.keyRing.digest(keyId, OPERATOR, emailText(email.reveal()));
  const added = isTaken ? 0 : await insertLogin(transaction, user, { digest, keyId });
  if (added === 0) throw inputError('email', 'must be an address that no user signs in with yet');
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'create-portal-user',
      objectId: user.userId,
      details: { role },
    },
  ]);
  return user;
}
