import type { Invariant, Journaled } from '../journal/invariants.types.ts';
import { eventsAreNumbered, makersAreKnown } from '../journal/journal-invariants.ts';
import { INVARIANTS } from './invariants.store.ts';

const PAYMENTS: Journaled = { table: 'payment', id: 'payment_id', kind: 'payment' };

/** What `kontor ledger verify` checks of account payments, beside what holds of every movement. */
export function accountInvariants(): readonly Invariant[] {
  return [...INVARIANTS, eventsAreNumbered(PAYMENTS), makersAreKnown(PAYMENTS)];
}
