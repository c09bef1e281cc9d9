import type { Invariant } from '../journal/invariants.types.ts';
import { eventsAreNumbered } from '../journal/journal-invariants.ts';
import { INVARIANTS } from './invariants.store.ts';

/** What `kontor ledger verify` checks of gift cards, beside what holds of every account. */
export function giftCardInvariants(): readonly Invariant[] {
  return [...INVARIANTS, eventsAreNumbered({ table: 'gift_card', id: 'account_id', kind: 'gift-card' })];
}
