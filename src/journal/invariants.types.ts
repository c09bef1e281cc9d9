import type { Statement } from '../db/transaction.types.ts';

/** Something that must hold of every row. */
export interface Invariant {
  /** As a sentence. */
  readonly holds: string;
  /** Finds the rows that break it, in order: `payeeId`, and `row`, which names one by its ids. */
  readonly statement: Statement;
}

/** A table whose rows leave events and audit rows behind. */
export interface Journaled {
  readonly table: 'payment' | 'gift_card' | 'card_payment' | 'payment_order';
  /** The column that names a row, beside its payee. */
  readonly id: 'payment_id' | 'account_id' | 'order_id';
  /** What its events and its audit rows call it. */
  readonly kind: 'payment' | 'gift-card' | 'card-payment' | 'payment-order';
}
