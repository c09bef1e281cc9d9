import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';

/** In their order. */
export const DISPUTE_STAGES = ['Retrieval', 'Chargeback', 'PreArbitration', 'Arbitration'] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

/**
 * `Accepted`: the payee lets the money go. `Represented`: the payee has answered why it is theirs. `Won`: it came back.
 * `Lost`: it will not.
 */
export const DISPUTE_STATES = ['Open', 'Accepted', 'Represented', 'Won', 'Lost'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

export type DisputeCategory = 'Fraud' | 'Authorization' | 'Processing' | 'Consumer';

/** What the holder of a card has asked back through the bank. */
export interface Dispute {
  readonly payeeId: PayeeId;
  /** UUID version 7. */
  readonly disputeId: string;
  readonly acquirer: string;
  readonly agreement: string;
  /** As the acquirer names it. */
  readonly caseId: string;
  readonly attemptId: string;
  readonly paymentId: string;
  readonly transactionId: string | null;
  /** Of the account payment that it is about; null where that is a card payment. */
  readonly accountId: string | null;
  readonly stage: DisputeStage;
  readonly state: DisputeState;
  /** As it came. */
  readonly reasonCode: string | null;
  readonly category: DisputeCategory | null;
  /** Minor units. */
  readonly amount: number;
  readonly currency: Currency;
  /** The last day for an answer, `YYYY-MM-DD`. */
  readonly respondBy: string | null;
  readonly openedAt: string;
  readonly updatedAt: string;
  readonly eventSequence: number;
}

/** Disputes that are asked for: the latest first. */
export interface DisputesAsked {
  readonly payeeId: PayeeId;
  readonly state: DisputeState | undefined;
  /** The last one of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** What a person can do with one. `win` and `lose` close it where no line of a file says how it ended. */
export const DISPUTE_STEPS = ['accept', 'represent', 'win', 'lose'] as const;
export type DisputeStep = (typeof DISPUTE_STEPS)[number];

/** What a change of a dispute frees or blocks of its payment. */
export interface DisputedChange {
  readonly payeeId: PayeeId;
  readonly paymentId: string;
  /** Minor units; below 0 where it frees. */
  readonly more: number;
}
