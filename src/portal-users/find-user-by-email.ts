import type { Transaction } from '../db/transaction.types.ts';
import { OPERATOR } from '../kit/ids.ts';
import { Secret } from '../kit/secret.ts';
import type { PortalUsersContext } from './portal-users.types.ts';
import { comparableEmail } from './users.rules.ts';
import { selectUserByEmail, type UserRow } from './users.store.ts';

/** The user of an e-mail address, whatever their state; undefined where nobody has it. */
export async function findUserByEmail(
  transaction: Transaction,
  context: PortalUsersContext,
  email: string,
): Promise<UserRow | undefined> {
  const { rows } = await selectUserByEmail(transaction, digestOfEmail(context, email));
  return rows[0];
}

/** A keyed digest: whoever reads the table must not find people by trying addresses. */
export function digestOfEmail({ keyRing }: Pick<PortalUsersContext, 'keyRing'>, email: string): Buffer {
  return keyRing.digest(keyRing.current('identity'), OPERATOR, new Secret(`portal ${comparableEmail(email)}`));
}
