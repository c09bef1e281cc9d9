import type { Currency } from '../../kit/money.ts';
import type { MovementKind } from '../../ledger/ledger.types.ts';
import type { ListedPayment } from './payments.types.ts';

/** An authorization, verification, capture, cancellation or reversal of either family. */
export interface ListedTransaction {
  readonly transactionId: string;
  /** Null for one of an account payment. */
  readonly number: number | null;
  readonly type: 'Authorization' | 'Verification' | 'Capture' | 'Cancellation' | 'Reversal';
  readonly state: string;
  readonly amount: number;
  readonly reference: string | null;
  readonly description: string | null;
  readonly problem: string | null;
  /** What was found out about card and payer; null of what has no card. */
  readonly checks: CardChecks | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What acquirers and directory servers say of a card and its payer, as the payment shows it; null where they say nothing. */
export interface CardChecks {
  readonly cvcResult: string | null;
  readonly addressResult: string | null;
  readonly authenticationStatus: string | null;
  readonly transStatusReason: string | null;
  readonly dsTransactionId: string | null;
  readonly eci: string | null;
  readonly liabilityShift: string | null;
  readonly schemeReference: string | null;
}

/** One side of a movement. `balance` is what the account's bucket holds after it; null on the payee's own sides. */
export interface ListedEntry {
  readonly side: string;
  readonly accountId: string | null;
  readonly amount: number;
  readonly balance: number | null;
}

/** Money that moved, with its entries, which sum to zero. */
export interface ListedMovement {
  readonly movementId: string;
  readonly happenedAt: string;
  readonly kind: MovementKind;
  readonly currency: Currency;
  readonly paymentId: string | null;
  readonly transactionId: string | null;
  readonly entries: readonly ListedEntry[];
}

/** An event of a payment on its way to a webhook. */
export interface StoryDelivery {
  readonly webhookId: string;
  readonly position: number;
  readonly type: string;
  readonly state: string;
  readonly happenedAt: string;
  /** Of the latest answer; null where none came. */
  readonly status: number | null;
}

/** What the audit trail has of a payment. */
export interface StoryAct {
  readonly auditId: string;
  readonly happenedAt: string;
  readonly actor: string;
  /** Of a person who used the portal. */
  readonly actorName: string | null;
  readonly action: string;
  readonly sessionId: string | null;
  readonly state: string | null;
}

/** One thing that happened to a payment, of whatever kind: what a timeline shows in one line. */
export interface Moment {
  readonly at: string;
  readonly kind: 'call' | 'transaction' | 'movement' | 'delivery' | 'act';
  /** What it is called in its own list: a type, a kind of movement, a type of event, a verb. */
  readonly title: string;
  /** Names it in that list. */
  readonly id: string;
  readonly state: string | null;
  readonly sessionId: string | null;
  readonly actor: string | null;
  readonly actorName: string | null;
  readonly amount: number | null;
  readonly currency: Currency | null;
  readonly problem: string | null;
  readonly entries: readonly ListedEntry[];
  readonly webhookId: string | null;
  readonly status: number | null;
}

/** A payment and all that happened to it. */
export interface PaymentStory {
  readonly payment: ListedPayment;
  /** Oldest first, as the timeline. */
  readonly transactions: readonly ListedTransaction[];
  readonly timeline: readonly Moment[];
}

/** Names a payment and its family. */
export interface StoryKey {
  readonly payeeId: string;
  readonly paymentId: string;
}
