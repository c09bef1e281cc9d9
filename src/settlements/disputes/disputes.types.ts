import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';

/** In their order. */
export const DISPUTE_STAGES = ['Retrieval', 'Chargeback', 'PreArbitration', 'Arbitration'] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

/**
 * `Accepted`: the payee lets the money go. `Represented`: the payee has answered why it is theirs. `Won`: it came back.
 * `Lost`: it will not. `Withdrawn`: the file that has opened it was wrong.
 */
export const DISPUTE_STATES = ['Open', 'Accepted', 'Represented', 'Won', 'Lost', 'Withdrawn'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

export type DisputeCategory = 'Fraud' | 'Authorization' | 'Processing' | 'Consumer';

/** What lines of files say of a dispute, and people change. */
export type Standing = Pick<
  Dispute,
  'stage' | 'state' | 'amount' | 'currency' | 'taken' | 'reasonCode' | 'category' | 'respondBy'
>;

/** A dispute before a line of a file, which is stored with the line; the standing is null where the line has opened it. */
export interface DisputeBefore {
  readonly disputeId: string;
  readonly eventSequence: number;
  readonly standing: Standing | null;
}

/** What a dispute shows of its payment. */
export interface OfPayment {
  /** The account of the account payment that it is about; null where that is a card payment. */
  readonly accountId: string | null;
  readonly paymentCurrency: Currency;
  /** The order that the payment belongs to; null where it has none. */
  readonly orderId: string | null;
  /** As the shop names it; null where it did not. */
  readonly orderReference: string | null;
  /** What of the payment was refunded: the holder of the card has that already. Minor units of the payment's currency. */
  readonly refunded: number;
}

/** What the holder of a card has asked back through the bank. */
export interface Dispute extends OfPayment {
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
  readonly stage: DisputeStage;
  readonly state: DisputeState;
  /** As it came. */
  readonly reasonCode: string | null;
  readonly category: DisputeCategory | null;
  /** What the holder of the card asks back, as the acquirer says. Minor units. */
  readonly amount: number;
  readonly currency: Currency;
  /** What the acquirer has taken for it and not given back. Minor units of the payment's currency. */
  readonly taken: number;
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
  /** Opened on these days of the payee's, both with; undefined: from the beginning, or to the end. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The last one of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** What a person can do with one. `win` and `lose` close it where no line of a file says how it ended. */
export const DISPUTE_STEPS = ['accept', 'represent', 'win', 'lose'] as const;
export type DisputeStep = (typeof DISPUTE_STEPS)[number];

/** A payment of which another amount may be blocked now. */
export interface DisputedPayment {
  readonly payeeId: PayeeId;
  readonly paymentId: string;
}

/** The sale or refund that a line about a dispute was found to be about. */
export interface DisputedItem {
  readonly type: 'Sale' | 'Refund';
  readonly attemptId: string;
  readonly agreement: string;
  readonly merchantId: string;
  readonly currency: string;
  /** Minor units with their sign. */
  readonly amount: number;
  readonly day: string;
  readonly paymentId: string;
  readonly transactionId: string | null;
}

/** What tells one line of a case from another. */
export interface DisputeLineName {
  readonly type: 'Chargeback' | 'ChargebackReversal';
  readonly gross: number;
  readonly reasonCode: string | null;
  readonly transactionDate: string | null;
}
