import type { Transaction } from '../../db/transaction.types.ts';
import { networkOf, ONE_SITE, ONE_SUBSCRIBER } from '../../kit/addresses/network.ts';
import { OPERATOR } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import { checkAllAttempts, countAttempt, noteAttempt } from '../../merchants/attempts/count-attempt.ts';
import type { AttemptLimit, AttemptSubject } from '../../merchants/merchants.types.ts';
import type { PortalUserKey, PortalUsersContext } from '../portal-users.types.ts';
import { digestsOfEmail } from '../show-user.ts';
import { comparableEmail } from '../users.rules.ts';
import { isKnownNetwork, upsertKnownNetwork } from './known-networks.store.ts';
import type { SignInSubjects } from './sign-in.types.ts';

/**
 * Wrong passwords of one user in a window, from one network and from all networks that are not known together, and seconds
 * that the user is locked out there then (PCI DSS 8.3.4).
 */
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
 * What failures are counted for. By user and network; by user, for all networks that the user has not signed in from, so that
 * a stranger neither gets ten attempts from each network nor locks the user out at home; and by network, small and
 * large, so that one password is not tried with all users.
 */
export function subjectsOf(
  context: PortalUsersContext,
  { email, address, isExempt }: { email: string; address: string; isExempt: boolean },
): SignInSubjects {
  const [network, ...larger] = [...new Set([networkOf(address, ONE_SUBSCRIBER), networkOf(address, ONE_SITE)])];
  return {
    userAndNetwork: subject(context, `sign-in ${network} ${comparableEmail(email)}`),
    userElsewhere: subject(context, `sign-in elsewhere ${comparableEmail(email)}`),
    networks: isExempt ? [] : [network, ...larger].map((one) => subject(context, `sign-in ${one}`)),
    known: {
      emails: digestsOfEmail(context, email),
      networks: context.keyRing.digests('networks', OPERATOR, knownNetwork(address)),
    },
  };
}

/** A keyed digest, because addresses of both kinds are personal, and can be tried. */
function subject({ keyRing }: PortalUsersContext, text: string): AttemptSubject {
  return { payeeId: OPERATOR, digest: keyRing.digest(keyRing.current('networks'), OPERATOR, new Secret(text)) };
}

function knownNetwork(address: string): Secret {
  return new Secret(`known network ${networkOf(address, ONE_SUBSCRIBER)}`);
}

/** The counters of wrong passwords that hold where this attempt comes from. */
async function countersOf(transaction: Transaction, subjects: SignInSubjects): Promise<readonly AttemptSubject[]> {
  const { userAndNetwork, userElsewhere, known } = subjects;
  return (await isKnownNetwork(transaction, known)) ? [userAndNetwork] : [userAndNetwork, userElsewhere];
}

/**
 * Refuses a user who is locked out, before anything is compared.
 *
 * @throws Refusal `toomanyrequests`
 */
export async function checkSignIn(transaction: Transaction, subjects: SignInSubjects): Promise<void> {
  const ofUser = await countersOf(transaction, subjects);
  await checkAllAttempts(transaction, [
    ...ofUser.map((one) => ({ subject: one, limit: LOCK })),
    ...subjects.networks.map((one) => ({ subject: one, limit: OF_NETWORK })),
  ]);
}

/**
 * Counts a wrong password; the last one of its kind begins a lock.
 *
 * @throws Refusal `toomanyrequests` where others have failed at the same moment, and it was one too many
 */
export async function countWrongPassword(transaction: Transaction, subjects: SignInSubjects): Promise<void> {
  for (const one of await countersOf(transaction, subjects)) {
    const failures = await countAttempt(transaction, one, FAILURES);
    if (failures === SIGN_IN_FAILURES) await countAttempt(transaction, one, LOCK);
  }
  for (const one of subjects.networks) await countAttempt(transaction, one, OF_NETWORK);
}

/** Counts a wrong code for its networks. It never refuses: that would undo the count for the user. */
export async function noteWrongCodeFrom(transaction: Transaction, { networks }: SignInSubjects): Promise<void> {
  for (const one of networks) await noteAttempt(transaction, one, OF_NETWORK);
}

/** Notes that a user has signed in from here. */
export function noteNetwork(
  transaction: Transaction,
  context: PortalUsersContext,
  { address, ...user }: PortalUserKey & { address: string },
): Promise<void> {
  const { keyRing } = context;
  const digest = keyRing.digest(keyRing.current('networks'), OPERATOR, knownNetwork(address));
  return upsertKnownNetwork(transaction, user, digest);
}
