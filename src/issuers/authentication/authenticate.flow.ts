import { assert } from '../../kit/assert.ts';
import type { Secret } from '../../kit/secret.ts';
import {
  beginAuthentication,
  findAuthentication,
  forgetValue,
  noteChallengeShown,
  noteEnd,
  openValue,
} from './authentications.ts';
import { findEnrolment } from './enrolled-ranges.ts';
import { termsOf } from './look-at-card.ts';
import { MESSAGE_VERSION } from './message-form.rules.ts';
import { consequenceOf, endWith, resultOf, shownOf, UNAVAILABLE } from './outcome.rules.ts';
import type {
  AskedTerms,
  Authentication,
  AuthenticationOutcome,
  EndState,
  OpenState,
  ThreeDS,
} from './three-ds.types.ts';

/** The transaction whose payer is to authenticate, and the card. */
export interface ToAuthenticate extends Pick<Authentication, 'payeeId' | 'paymentId' | 'transactionId'> {
  readonly brand: string;
  readonly number: Secret;
  readonly isChallengeWanted: boolean;
  /** The agreement under which a new one is asked for. */
  readonly agreementId: string;
  /** All that are of the acquirer which is to charge the card: one under another agreement counts for nothing. */
  readonly agreementIds: readonly string[];
}

/** The authentication of a transaction: the one that is under way, or else a new one. */
export async function authenticationFor(threeDS: ThreeDS, asked: ToAuthenticate): Promise<Authentication> {
  const { payeeId, paymentId, transactionId, brand, number, isChallengeWanted, agreementId } = asked;
  const known = await findAuthentication(threeDS.read, asked);
  // A soft decline wants another one, with a challenge; another acquirer one of its own.
  if (known !== undefined && known.isChallengeWanted === isChallengeWanted && isUnder(known, asked)) return known;
  const enrolment = await findEnrolment(threeDS.read, brand, number);
  const methodUrl = (enrolment.is === 'Enrolled' ? enrolment.methodUrl : undefined) ?? null;
  return threeDS.transact((transaction) =>
    beginAuthentication(transaction, {
      payeeId,
      paymentId,
      transactionId,
      serverTransactionId: threeDS.newServerTransactionId(),
      scheme: brand,
      version: MESSAGE_VERSION,
      methodUrl,
      isChallengeWanted,
      agreementId,
    }),
  );
}

function isUnder({ agreementId }: Authentication, { agreementIds }: ToAuthenticate): boolean {
  return agreementId === null || agreementIds.includes(agreementId);
}

/** The authentication as it is now. */
export async function authenticationNow(
  threeDS: Pick<ThreeDS, 'read'>,
  authentication: Pick<Authentication, 'payeeId' | 'transactionId'>,
): Promise<Authentication> {
  const found = await findAuthentication(threeDS.read, authentication);
  assert(found !== undefined, 'an authentication is never deleted');
  return found;
}

/** Milliseconds after the browser has come back in which the result has to be there, and between two looks. */
const RESULT_MS = 3_000;
const LOOK_MS = 100;

/**
 * Waits for what the directory server sends: a browser that comes back says nothing of the result. Without one the payer was
 * not authenticated.
 */
export async function awaitResult(threeDS: ThreeDS, authentication: Authentication): Promise<Authentication> {
  let now = authentication;
  for (let waitedMs = 0; now.state === 'Challenge' && waitedMs < RESULT_MS; waitedMs += LOOK_MS) {
    await threeDS.pause(LOOK_MS);
    now = await authenticationNow(threeDS, authentication);
  }
  if (now.state !== 'Challenge') return now;
  return endAuthentication(threeDS, now, 'Failed');
}

/** What changing what is stored needs: it is there without 3-D Secure too. */
type Stored = Pick<ThreeDS, 'transact' | 'keyRing' | 'read'>;

/** Names an authentication, and what it is of. */
type Named = Pick<Authentication, 'payeeId' | 'transactionId' | 'serverTransactionId'>;

/**
 * Ends an authentication that has not ended, without a result.
 *
 * @returns the last one of its transaction, as it is then
 */
export async function endAuthentication(
  threeDS: Stored,
  authentication: Named,
  state: Extract<EndState, 'Failed' | 'Cancelled' | 'Expired'>,
): Promise<Authentication> {
  const end = { ...UNAVAILABLE, state };
  await threeDS.transact((transaction) =>
    noteEnd(transaction, threeDS.keyRing, { key: authentication, end, from: OPEN }),
  );
  return authenticationNow(threeDS, authentication);
}

/** Notes that a browser is led to the challenge. */
export function showChallenge(threeDS: ThreeDS, authentication: Authentication): Promise<void> {
  return threeDS.transact((transaction) => noteChallengeShown(transaction, authentication));
}

const OPEN: readonly OpenState[] = ['Created', 'Method', 'Requested', 'Challenge'];

/** Whether an authentication has ended. */
export function hasEnded(
  authentication: Authentication,
): authentication is Authentication & { readonly state: EndState } {
  return !OPEN.some((state) => state === authentication.state);
}

/** What the end of an authentication means for its payment. */
export async function outcomeOf(
  threeDS: ThreeDS,
  authentication: Authentication & { readonly state: EndState },
  asked: AskedTerms,
): Promise<AuthenticationOutcome> {
  const { cardholderInfo } = authentication;
  const withoutShift = termsOf(threeDS, asked)?.withoutShift ?? 'decline';
  const value = await openValue(threeDS.keyRing, authentication);
  const end = endWith(authentication, value);
  return {
    consequence: consequenceOf(end, withoutShift),
    shown: { ...shownOf(end), ...(cardholderInfo !== null && { cardholderInfo }) },
    result: resultOf(end, value),
  };
}

/** Erases what proves it: the acquirer has answered, or will not be asked. */
export function forgetProof(threeDS: Pick<ThreeDS, 'transact'>, authentication: Named): Promise<void> {
  return threeDS.transact((transaction) => forgetValue(transaction, authentication));
}
