/** Where payment orders are. */
export const PAYMENT_ORDERS = '/psp/paymentorders';
/** Where what a payer's browser shows of an order is looked up. */
export const PAYMENT_SESSIONS = '/psp/paymentsessions';
/** Where the legs of orders are that gift cards pay. */
export const GIFT_CARD_PAYMENTS = '/psp/giftcard/payments';

/** The relative address that is an order's id. */
export function orderPath({ orderId }: { readonly orderId: string }): string {
  return `${PAYMENT_ORDERS}/${orderId}`;
}

/** The relative address that is the id of a leg that a gift card pays. */
export function giftCardPath({ paymentId }: { readonly paymentId: string }): string {
  return `${GIFT_CARD_PAYMENTS}/${paymentId}`;
}
