import { assert } from '../kit/assert.ts';
import type { PaymentId, TakenReference } from './ledger.types.ts';

/** The payment that a reference stands for: that of an account payment or of a card payment. */
export function paymentIn(taken: TakenReference): PaymentId {
  assert(
    taken.scope !== 'payment-order' && taken.scope !== 'payment-order-key',
    'a payment has no reference of orders',
  );
  assert(taken.objectId !== null, 'the reference of a payment stands for one');
  return taken.objectId;
}
