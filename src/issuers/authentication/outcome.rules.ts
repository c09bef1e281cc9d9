import type { Secret } from '../../kit/secret.ts';
import type { Acquirer } from '../acquirers/acquirers.types.ts';
import { indicatorsOf } from '../indicators.rules.ts';
import type { AuthenticationResult } from '../questions.types.ts';
import type {
  Authentication,
  AuthenticationEnd,
  Consequence,
  EndState,
  ShownAuthentication,
  TransStatus,
} from './three-ds.types.ts';

// What an authentication comes to: for the state that is stored, for the payment, and for who bears a fraud.

/** What a message said of a payer. */
export interface SaidStatus {
  readonly transStatus: TransStatus;
  readonly reason?: string | undefined;
  readonly eci?: string | undefined;
  readonly authenticationValue?: Secret | undefined;
  /** `01`: the payer gave up. */
  readonly challengeCancel?: string | undefined;
}

/** No answer, or none that can be used. */
export const UNAVAILABLE: AuthenticationEnd = {
  state: 'Unavailable',
  transStatus: null,
  reason: null,
  eci: null,
  authenticationValue: undefined,
};

/** The end that a status is; undefined where the payer is to be challenged. */
export function endOf(said: SaidStatus): AuthenticationEnd | undefined {
  const { transStatus, reason = null, eci = null, authenticationValue } = said;
  if (transStatus === 'C') return undefined;
  const state = stateOf(said);
  const isProven = state === 'Succeeded' || state === 'Attempted';
  return { state, transStatus, reason, eci, authenticationValue: isProven ? authenticationValue : undefined };
}

/** `challengeCancel` of a payer who gave up. */
const GIVEN_UP = '01';

function stateOf({ transStatus, authenticationValue, challengeCancel }: SaidStatus): EndState {
  switch (transStatus) {
    case 'Y':
      return authenticationValue === undefined ? 'Unavailable' : 'Succeeded';
    case 'A':
      return authenticationValue === undefined ? 'Unavailable' : 'Attempted';
    case 'N':
      return challengeCancel === GIVEN_UP ? 'Cancelled' : 'Failed';
    case 'R':
      return 'Rejected';
    default:
      // Also `D`, which we do not ask for, and `I`, which tells and does not prove. Some issuers say `U` of who gives up.
      return challengeCancel === GIVEN_UP ? 'Cancelled' : 'Unavailable';
  }
}

/** An end with what proves it. Where that is erased already the try is over, and nothing may be authorized any more. */
export function endWith<Known extends { readonly state: EndState }>(known: Known, value: Secret | undefined): Known {
  const isProven = known.state === 'Succeeded' || known.state === 'Attempted';
  return isProven && value === undefined ? { ...known, state: 'Failed' } : known;
}

/** What follows an end. */
export function consequenceOf(
  { state, isChallengeWanted }: Pick<Authentication, 'state' | 'isChallengeWanted'>,
  withoutShift: Acquirer['withoutShift'],
): Consequence {
  if (state === 'Succeeded' || state === 'Attempted') return 'Authorize';
  if (state === 'Cancelled') return '3dsecureusercancelled';
  if (state === 'Unavailable' && withoutShift === 'attempt' && !isChallengeWanted) return 'Authorize';
  return '3dsecuredeclined';
}

const SHOWN: Readonly<Record<EndState, ShownAuthentication['authenticationStatus']>> = {
  Succeeded: 'Y',
  Attempted: 'A',
  Failed: 'N',
  Rejected: 'R',
  Unavailable: 'U',
  Cancelled: 'N',
  Expired: 'N',
};

/** What is shown of an end. Nothing is said of liability where nothing was authorized. */
export function shownOf(end: Ended & Pick<Authentication, 'reason' | 'dsTransactionId'>): ShownAuthentication {
  const { reason, dsTransactionId } = end;
  const status = SHOWN[end.state];
  const told = {
    ...(reason !== null && { transStatusReason: reason }),
    ...(dsTransactionId !== null && { dsTransactionId }),
  };
  if (!['Y', 'A', 'U'].includes(status)) return { authenticationStatus: status, ...told };
  const liabilityShift = status === 'U' ? 'Merchant' : 'Issuer';
  return { authenticationStatus: status, eci: eciOf(end), liabilityShift, ...told };
}

type Ended = Pick<Authentication, 'scheme' | 'eci'> & { readonly state: EndState };

/** The message's own indicator where it is one of the scheme's for this end, else the scheme's. */
export function eciOf({ scheme, state, eci }: Ended): string {
  const { full, attempted, none, unshifted } = indicatorsOf(scheme);
  const own = state === 'Succeeded' ? full : state === 'Attempted' ? attempted : none;
  const possible = state === 'Unavailable' ? unshifted : [full, attempted];
  return eci !== null && possible.includes(eci) ? eci : own;
}

/** What a directory server has said where the payer was not authenticated and the acquirer may be asked. */
const WITHOUT_PROOF: readonly (TransStatus | null)[] = ['U', 'I'];

/**
 * What the acquirer is told of an end that lets it be asked. Undefined where the directory server has said nothing that it could be
 * told: the indicator of a payment without authentication says so.
 */
export function resultOf(
  authentication: Authentication & { readonly state: EndState },
  value: Secret | undefined,
): AuthenticationResult | undefined {
  const { version, state, transStatus, dsTransactionId, acsTransactionId } = authentication;
  const isProven = state === 'Succeeded' || state === 'Attempted';
  const isTold = isProven || (state === 'Unavailable' && WITHOUT_PROOF.includes(transStatus));
  if (transStatus === null || !isTold) return undefined;
  return {
    version,
    transStatus,
    eci: eciOf(authentication),
    ...(value === undefined || !isProven ? {} : { authenticationValue: value }),
    ...(dsTransactionId === null ? {} : { dsTransactionId }),
    ...(acsTransactionId === null ? {} : { acsTransactionId }),
    source: 'Own',
  };
}
