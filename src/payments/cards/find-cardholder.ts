import { cardholderIn } from '../payers/sealed-payers.ts';
import type { Cardholder, CardPayment } from '../payments.types.ts';
import type { CardPaymentsContext } from '../payments-context.types.ts';

/** What is known of the payer: of an order it is kept with that, sealed. Undefined where that is nothing. */
export async function findCardholder(
  { cardholderOf, keyRing }: Pick<CardPaymentsContext, 'cardholderOf' | 'keyRing'>,
  payment: Pick<CardPayment, 'payeeId' | 'paymentId' | 'orderId' | 'terms' | 'payerSealed'>,
): Promise<Cardholder | undefined> {
  const { payeeId, orderId } = payment;
  return orderId === null ? cardholderIn(keyRing, payment) : cardholderOf({ payeeId, orderId });
}
