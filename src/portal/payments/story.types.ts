import type { Currency } from '../../kit/money.ts';
import type { MovementKind } from '../../ledger/ledger.types.ts';
import type { ListedPayment } from './payments.types.ts';
import type { ListedEntry, ListedTransaction, Moment } from './payments.wire.ts';

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
