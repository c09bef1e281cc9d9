import type { Transaction } from '../../db/transaction.types.ts';
import { OPERATOR } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import { checkAttempts, countAttempt } from '../../merchants/attempts/count-attempt.ts';
import type { AttemptLimit, AttemptSubject } from '../../merchants/merchants.types.ts';
import type { PortalUsersContext } from '../portal-users.types.ts';
import { comparableEmail } from '../users.rules.ts';
import type { SignInSubjects } from './sign-in.types.ts';

/** Failed sign-ins of one user from one network in a window, and seconds that the two are locked out then (PCI DSS 8.3.4). */
const SIGN_IN_FAILURES = 10;
const SIGN_IN_LOCK_SECONDS = 30 * 60;
/** Failed sign-ins from one network in such a window, for all users together. */
const NETWORK_SIGN_IN_FAILURES = 100;

const LOCKED = 'Too many attempts to sign in have failed; wait before the next one.';
const FAILURES: AttemptLimit = {
  kind: 'portal-sign-in',
  attempts: SIGN_IN_FAILURES,
  windowSeconds: SIGN_IN_LOCK_SECONDS,
  refusal: LOCKED,
};
/** The last failure that is allowed begins it, so that it lasts its whole time. */
const LOCK: AttemptLimit = { ...FAILURES, kind: 'portal-sign-in-lock', attempts: 1 };
const OF_NETWORK: AttemptLimit = { ...FAILURES, kind: 'portal-sign-in-network', attempts: NETWORK_SIGN_IN_FAILURES };

/**
 * What failures are counted for: by user and network, so that a stranger cannot lock a user out from afar, and by
 * network, so that they cannot try one password with all users.
 */
export function subjectsOf(
  context: PortalUsersContext,
  { email, network, isExempt }: { email: string; network: string; isExempt: boolean },
): SignInSubjects {
  return {
    userAndNetwork: subject(context, `sign-in ${network} ${comparableEmail(email)}`),
    network: isExempt ? undefined : subject(context, `sign-in ${network}`),
  };
}

/** A keyed digest, because addresses of both kinds are personal, and can be tried. */
function subject({ keyRing }: PortalUsersContext, text: string): AttemptSubject {
  return { payeeId: OPERATOR, digest: keyRing.digest(keyRing.current('identity'), OPERATOR, new Secret(text)) };
}

/**
 * Refuses a user who is locked out, before anything is compared.
 *
 * @throws Refusal `toomanyrequests`
 */
export async function checkSignIn(
  transaction: Transaction,
  { userAndNetwork, network }: SignInSubjects,
): Promise<void> {
  await checkAttempts(transaction, userAndNetwork, LOCK);
  if (network !== undefined) await checkAttempts(transaction, network, OF_NETWORK);
}

/**
 * Counts a failure; the last one of its kind begins a lock.
 *
 * @throws Refusal `toomanyrequests` where others have failed at the same moment, and it was one too many
 */
export async function countFailure(
  transaction: Transaction,
  { userAndNetwork, network }: SignInSubjects,
): Promise<void> {
  const failures = await countAttempt(transaction, userAndNetwork, FAILURES);
  if (failures === SIGN_IN_FAILURES) await countAttempt(transaction, userAndNetwork, LOCK);
  if (network !== undefined) await countAttempt(transaction, network, OF_NETWORK);
}
