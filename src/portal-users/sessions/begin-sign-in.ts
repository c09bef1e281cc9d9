import type { Transaction } from '../../db/transaction.types.ts';
import { findUserByEmail } from '../find-user-by-email.ts';
import type { PortalUsersContext } from '../portal-users.types.ts';
import { checkSignIn, subjectsOf } from './count-sign-in.ts';
import type { SignInAttempt } from './sign-in.types.ts';

/**
 * The first half of signing in: finds what the password is to be compared with. The comparison takes a quarter of a
 * second, so it is made outside of any transaction, and for an address that nobody has too.
 *
 * @throws Refusal `toomanyrequests` where too many attempts have failed before
 */
export async function beginSignIn(
  transaction: Transaction,
  context: PortalUsersContext,
  request: { email: string; network: string; isExempt: boolean },
): Promise<SignInAttempt> {
  const subjects = subjectsOf(context, request);
  await checkSignIn(transaction, subjects);
  const user = await findUserByEmail(transaction, context, request.email);
  if (user === undefined) return { user: undefined, passwordHash: undefined, subjects };
  const { payeeId, userId, passwordHash, disabledAt } = user;
  return {
    user: { payeeId, userId },
    passwordHash: disabledAt === null ? (passwordHash ?? undefined) : undefined,
    subjects,
  };
}
