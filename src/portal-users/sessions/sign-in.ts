import type { Transaction } from '../../db/transaction.types.ts';
import type { AuditAction } from '../../journal/journal.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { credentialOf } from '../../kit/portal-user.ts';
import { takeCode } from '../passwords/set-up-second-factor.ts';
import type { PortalSessionKey, PortalUserKey, PortalUsersContext } from '../portal-users.types.ts';
import { findUserByEmail } from '../show-user.ts';
import { lockUser, selectUser, type UserRow } from '../users.store.ts';
import { checkSignIn, countWrongPassword, noteNetwork, noteWrongCodeFrom, subjectsOf } from './count-sign-in.ts';
import { noteWrongCode } from './count-wrong-code.ts';
import { renewSession, startSession } from './sessions.ts';
import type { SignInAttempt, SignInOutcome } from './sign-in.types.ts';

/**
 * The first half of signing in: finds what the password is to be compared with. The comparison takes a quarter of a
 * second, so it is made outside of any transaction, and for an unknown address too.
 *
 * @throws Refusal `toomanyrequests` where too many attempts have failed before
 */
export async function beginSignIn(
  transaction: Transaction,
  context: PortalUsersContext,
  request: { email: string; address: string; isExempt: boolean },
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

/** The password was compared; what is left is the second factor. */
export interface ComparedSignIn extends SignInAttempt {
  readonly isRight: boolean;
  readonly code: string | undefined;
  /** The session of a user who is signed in already, and gives the password again. */
  readonly renewed: PortalSessionKey | undefined;
  /** Of the request. */
  readonly sessionId: string;
  /** Where it came from: IPv4 or IPv6. */
  readonly address: string;
}

/**
 * The second half of signing in. A person who fails is told only that: not whether there is such a user, nor which of
 * the two was wrong. Once too many wrong codes came with the right password, who knows it is told so, and no code is looked at.
 *
 * @throws Refusal `toomanyrequests` where others have failed at the same moment, and it was one too many
 */
export async function finishSignIn(
  transaction: Transaction,
  context: PortalUsersContext,
  attempt: ComparedSignIn,
): Promise<SignInOutcome> {
  const { user, isRight, code, subjects, address, sessionId } = attempt;
  const found = user && (await findUnchanged(transaction, user, attempt.passwordHash));
  const proof =
    found !== undefined && isRight ? await proveWithCode(transaction, context, found, code) : 'wrong-password';
  if (proof === 'missing') return { state: 'second-factor' };
  if (user !== undefined && proof !== 'right') await writeAudit(transaction, [refusal(attempt, user, proof)]);
  if (user === undefined || proof === 'wrong-password') {
    await countWrongPassword(transaction, subjects);
    return { state: 'wrong-password' };
  }
  if (proof !== 'right') await noteWrongCodeFrom(transaction, subjects);
  if (proof === 'closed') return { state: 'closed' };
  if (proof === 'wrong-code') {
    return { state: 'wrong-code', hasClosed: await noteWrongCode(transaction, user, { sessionId, address }) };
  }
  await writeAudit(transaction, [entry(attempt, user, actionOf(attempt))]);
  const { renewed } = attempt;
  await noteNetwork(transaction, context, { ...user, address });
  const cookie =
    renewed === undefined
      ? await startSession(transaction, context, user)
      : await renewSession(transaction, context, renewed);
  return { state: 'done', cookie };
}

const REFUSED = { 'sign-in': 'refuse-sign-in', reauthenticate: 'refuse-reauthenticate' } as const;

function actionOf({ renewed }: ComparedSignIn): keyof typeof REFUSED {
  return renewed === undefined ? 'sign-in' : 'reauthenticate';
}

/** The user, if they may still sign in with the password that was compared. */
async function findUnchanged(
  transaction: Transaction,
  key: PortalUserKey,
  passwordHash: string | undefined,
): Promise<UserRow | undefined> {
  await lockUser(transaction, key);
  const { rows } = await selectUser(transaction, key);
  const [user] = rows;
  return user?.disabledAt === null && user.passwordHash === passwordHash ? user : undefined;
}

async function proveWithCode(
  transaction: Transaction,
  context: PortalUsersContext,
  user: UserRow,
  code: string | undefined,
): Promise<'right' | 'missing' | 'closed' | 'wrong-code'> {
  if (user.closedAt !== null) return 'closed';
  if (!user.hasSecondFactor) return 'right';
  if (code === undefined) return 'missing';
  return (await takeCode(transaction, context, { user, code })) ? 'right' : 'wrong-code';
}

function refusal(attempt: ComparedSignIn, user: PortalUserKey, reason: 'wrong-password' | 'wrong-code' | 'closed') {
  const refused = entry(attempt, user, REFUSED[actionOf(attempt)]);
  return { ...refused, details: { ...refused.details, reason } };
}

function entry({ sessionId, address }: ComparedSignIn, user: PortalUserKey, action: AuditAction) {
  const actor: Actor = { ...credentialOf(user), sessionId };
  return { payeeId: user.payeeId, actor, action, objectId: user.userId, details: { address } };
}
