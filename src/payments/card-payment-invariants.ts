import type { Invariant, Journaled } from '../journal/invariants.types.ts';
import { eventsAreNumbered, makersAreKnown } from '../journal/journal-invariants.ts';
import { INVARIANTS } from './invariants.store.ts';

const CARD_PAYMENTS: Journaled = { table: 'card_payment', id: 'payment_id', kind: 'card-payment' };

/** What `kontor ledger verify` checks of card payments, beside what holds of every movement. */
export function cardPaymentInvariants(): readonly Invariant[] {
  return [...INVARIANTS, eventsAreNumbered(CARD_PAYMENTS), makersAreKnown(CARD_PAYMENTS)];
}
