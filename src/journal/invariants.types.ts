import type { Walk } from '../db/reading/walk.types.ts';
import type { Statement } from '../db/transaction.types.ts';

/** Something that must hold of every row. */
export interface Invariant {
  /** As a sentence. */
  readonly holds: string;
  /** Each finds a kind of rows that break it. */
  readonly searches: readonly Search[];
}

/** Finds rows that break an invariant, in order: `payeeId`, and `row`, which names one by its ids. */
export interface Search extends Statement {
  /**
   * What it walks, some rows at a time, each time as of another instant: so whatever is compared with a row stands beside it, and is committed
   * with it. Without it whole tables are compared as of one instant: small ones.
   */
  readonly along?: Walk;
}

/** A table whose rows leave events and audit rows behind. */
export interface Journaled {
  readonly table: 'payment' | 'gift_card' | 'card_payment' | 'payment_order';
  /** The column that names a row, beside its payee. */
  readonly id: 'payment_id' | 'account_id' | 'order_id';
  /** What its events and its audit rows call it. */
  readonly kind: 'payment' | 'gift-card' | 'card-payment' | 'payment-order';
}
