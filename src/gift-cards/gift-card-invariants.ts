import type { Invariant } from '../ledger/ledger-reads.types.ts';
import { INVARIANTS } from './invariants.store.ts';

/** What `kontor ledger verify` checks of gift cards, beside what holds of every account. */
export function giftCardInvariants(): readonly Invariant[] {
  return INVARIANTS;
}
