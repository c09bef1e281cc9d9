import type { Payment } from '../ledger/ledger.types.ts';
import { type Remaining, remainingOf } from '../ledger/payments.rules.ts';

/** What can still be captured, cancelled and given back of a payment, in minor units: what its operations follow from. */
export function whatRemains(payment: Payment): Remaining {
  return remainingOf(payment);
}
