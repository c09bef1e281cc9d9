import type { Transaction } from '../../db/transaction.types.ts';
import { selectInvitation } from '../invitations.store.ts';
import type { PortalUserKey } from '../portal-users.types.ts';
import { selectPasswords } from '../users.store.ts';
import { readSecret } from './secrets.rules.ts';

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
