import type { MessageKind } from '../../iso8583/dialects/dialect.types.ts';
import type { AmountMinor, Currency } from '../../kit/money.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Exemption } from '../acquirers/acquirers.types.ts';
import type { AuthenticationResult, StoredCredential, TakeBackReason } from '../questions.types.ts';

/** Steps that open a payment, or look at a card. */
export const OPENING = ['Authorize', 'Purchase', 'Verify', 'Credit'] as const satisfies readonly MessageKind[];
/** Steps about a payment that an earlier step of the case opened. `Renew` is one by the merchant, with its card. */
export const FOLLOWING = ['Renew', 'Capture', 'Cancel', 'Reversal', 'TakeBack'] as const;
/** Steps about the line, and the totals of the day. */
export const NETWORK = ['SignOn', 'Echo', 'CutOver', 'Reconcile'] as const;

/** What is to come of a step. Which outcomes a step can have depends on what it does. */
export const OUTCOMES = [
  'Approved',
  'PartiallyApproved',
  'Declined',
  'AuthenticationRequired',
  'NotUsable',
  'Silence',
  'NotSent',
  'Forwarded',
  'TakenBack',
  'OriginalUnknown',
  'Answered',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What is expected of a step; what it does not say is not looked at. */
export interface Expectation {
  readonly outcome: Outcome;
  /** Field 39, in the acquirer's own codes. */
  readonly actionCode?: string;
  /** Whether field 38 is there. */
  readonly approvalCode?: boolean;
  /** What became of taking it back, where that follows: after silence, a part, or an answer that cannot be used. */
  readonly takenBack?: 'TakenBack' | 'OriginalUnknown' | 'Silence';
}

/** A test card of the acquirer's. */
export interface PlanCard {
  readonly number: Secret;
  /** `MM/YY`. */
  readonly expiry: string;
  readonly cvc?: Secret;
}

/** A step with all that it needs. */
export type PlanStep = OpeningStep | FollowingStep | NetworkStep;

interface Step {
  /** What later steps of the case call it. */
  readonly name?: string;
  readonly expect: Expectation;
}

/** A step that opens a payment. */
export interface OpeningStep extends Step {
  readonly does: (typeof OPENING)[number];
  readonly card: PlanCard;
  readonly amount: AmountMinor;
  readonly currency: Currency;
  readonly channel: 'ECommerce' | 'Mail' | 'Phone' | 'Terminal';
  /** For what the payment stores its card. */
  readonly stores?: StoredCredential['use'];
  /** What 3-D Secure is to have come to, as test values. */
  readonly authentication?: AuthenticationResult;
  readonly exemption?: Exemption;
}

/** A step about an earlier one. */
export interface FollowingStep extends Step {
  readonly does: (typeof FOLLOWING)[number];
  readonly of: string;
  /** Without it that of the earlier step. */
  readonly amount?: AmountMinor;
  /** Of `TakeBack`. */
  readonly reason: TakeBackReason;
}

/** A step about the line. */
export interface NetworkStep extends Step {
  readonly does: (typeof NETWORK)[number];
  /** How long a cut-over is waited for. */
  readonly withinSeconds: number;
}

/** A test case of the acquirer's. */
export interface PlanCase {
  readonly name: string;
  readonly steps: readonly PlanStep[];
}

/** What an acquirer wants to see. */
export interface CertificationPlan {
  readonly name: string;
  /** `id` in the file of acquirers. */
  readonly agreement: string;
  /** A terminal that no agreement has: its numbers are never those of payments. */
  readonly terminalId: string;
  /** Of steps that say no other, and of totals. */
  readonly currency: Currency;
  readonly cases: readonly PlanCase[];
}
