import type { Cardholder, CardPayment, CardPaymentsContext } from '../payments.types.ts';

/** What is known of the payer: of an order it is kept with that, sealed. Undefined where that is nothing. */
export async function findCardholder(
  { cardholderOf }: Pick<CardPaymentsContext, 'cardholderOf'>,
  { payeeId, orderId, terms }: Pick<CardPayment, 'payeeId' | 'orderId' | 'terms'>,
): Promise<Cardholder | undefined> {
  return orderId === null ? terms.cardholder : cardholderOf({ payeeId, orderId });
}
