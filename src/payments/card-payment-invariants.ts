import type { Invariant } from '../ledger/ledger-reads.types.ts';
import { INVARIANTS } from './invariants.store.ts';

/** What `kontor ledger verify` checks of card payments, beside what holds of every movement. */
export function cardPaymentInvariants(): readonly Invariant[] {
  return INVARIANTS;
}
