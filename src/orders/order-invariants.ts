import type { Invariant, Journaled } from '../journal/invariants.types.ts';
import { eventsAreNumbered, makersAreKnown } from '../journal/journal-invariants.ts';
import { INVARIANTS } from './invariants.store.ts';

const ORDERS: Journaled = { table: 'payment_order', id: 'order_id', kind: 'payment-order' };

/** What `kontor ledger verify` checks of payment orders, beside what holds of their legs. */
export function orderInvariants(): readonly Invariant[] {
  return [...INVARIANTS, eventsAreNumbered(ORDERS), makersAreKnown(ORDERS)];
}
