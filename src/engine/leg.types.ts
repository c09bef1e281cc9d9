import type { ForwardedAnswer } from '../issuers/issuers.types.ts';
import type { Approved } from '../issuers/questions.types.ts';
import type { CardProblemCode } from '../kit/cards/card-problems.ts';
import type { AmountMinor } from '../kit/money.ts';
import type { TransactionOperation } from '../ledger/ledger.types.ts';

/**
 * An authorization leg: an amount that one issuer approved, our own ledger or an acquirer, and what became of it. Minor
 * units. An account payment is one; so is the try that paid a card payment.
 */
export interface Leg {
  /** What the issuer approved: 0 before it has, and for a verification. */
  readonly amount: AmountMinor;
  /** What was taken; of a deposit or credit, what was given. */
  readonly captured: AmountMinor;
  /** What was released, or has expired. */
  readonly cancelled: AmountMinor;
  /** What was given back of what was captured. */
  readonly reversed: AmountMinor;
  /** What captures and cancels have asked the issuer for, without an answer yet: neither taken nor left meanwhile. */
  readonly reservedHold: AmountMinor;
  /** The same of reversals. */
  readonly reservedReversal: AmountMinor;
  /** What was asked back through the payer's bank, and is not given back a second time. Absent: nothing. */
  readonly disputed?: AmountMinor;
  /** When what is left of the hold is released; null where nothing is held. Absent where the issuer alone knows. */
  readonly holdExpiresAt?: string | null;
}

/** What can still be captured, cancelled and given back of a leg. */
export interface Remaining {
  readonly capture: AmountMinor;
  readonly cancel: AmountMinor;
  readonly reversal: AmountMinor;
}

/** What a capture, cancel or reversal takes of a leg. */
export interface LegStep {
  readonly operation: TransactionOperation;
  readonly amount: AmountMinor;
  /** What a capture releases of the hold together with what it takes. */
  readonly released: AmountMinor;
}

/** A capture, cancel or reversal as it is asked for. */
export interface WantedStep {
  readonly operation: TransactionOperation;
  /** Undefined: all that is left. */
  readonly amount: AmountMinor | undefined;
  /** Whether a capture releases what it leaves of the hold. */
  readonly releasesRest?: boolean;
}

/**
 * How a request stands: whether it is only told because its reference is known (`Duplicate`), whether an issuer has been
 * asked by an earlier request with the reference (`Calling`), or this one is to ask it now (`Call`).
 */
export type ResultKind = 'Done' | 'Duplicate' | 'Calling' | 'Call';

/** What an issuer answered, or that it did not in time. */
export type Answer = ForwardedAnswer | Refused;

/** What an issuer approved, and its payee does not take: it counts as declined, and is taken back. */
export interface Refused extends Omit<Approved, 'outcome'> {
  readonly outcome: 'Refused';
  readonly problem: CardProblemCode;
}

/**
 * How a question to an issuer ended. `TakingBack`: the outcome is not known, so it counts as not done, and is taken
 * back. `Waiting`: it has not ended, as the issuer is told later.
 */
export type Standing = 'Done' | 'Declined' | 'TakingBack' | 'Waiting';

/** One of a state table's members against another one, a text, a number or null. The first ones are added up. */
export type Condition<Member extends string> = readonly [
  of: readonly Member[],
  is: '=' | '<' | '<=' | '>',
  to: { readonly of: Member } | string | number | null,
];

/**
 * States by what a row has: the first line all of whose conditions hold. A rule reads it (`stateBy`), and where a list is
 * cut down by state, a store makes SQL of it: so the state is derived in one place.
 */
export type StateTable<State extends string, Member extends string> = readonly (readonly [
  State,
  ...Condition<Member>[],
])[];

/** What has become of an approved amount. `Completed`: there is nothing of it to be captured. */
export type LegState =
  | 'Authorized'
  | 'PartlyCaptured'
  | 'Captured'
  | 'PartlyReversed'
  | 'Reversed'
  | 'Cancelled'
  | 'Completed';

type Amount = Exclude<keyof Leg, 'holdExpiresAt' | 'disputed'>;

const IS_OPEN: Condition<Amount> = [['captured', 'cancelled'], '<', { of: 'amount' }];
const IS_UNTOUCHED: Condition<Amount> = [['captured'], '=', 0];

/** The states of a leg. What waits for an issuer's word changes none of them. */
export const LEG_STATES: StateTable<LegState, Amount> = [
  ['Completed', [['amount'], '=', 0]],
  ['Authorized', IS_OPEN, IS_UNTOUCHED],
  ['PartlyCaptured', IS_OPEN],
  ['Cancelled', IS_UNTOUCHED],
  ['Captured', [['reversed'], '=', 0]],
  ['PartlyReversed', [['reversed'], '<', { of: 'captured' }]],
  ['Reversed'],
];
