/** Where card payments are. */
export const CARD_PAYMENTS = '/psp/creditcard/payments';

/** Where a transaction of this type is listed. */
const PLACES = {
  Authorization: 'authorizations',
  Verification: 'verifications',
  Capture: 'captures',
  Cancellation: 'cancellations',
  Reversal: 'reversals',
} as const;

/**
 * The relative address that is a card payment's id.
 *
 * @param root where payments of this kind are
 */
export function paymentPath({ paymentId }: { readonly paymentId: string }, root: string = CARD_PAYMENTS): string {
  return `${root}/${paymentId}`;
}

/** The relative address of a transaction in the list of its kind, which is its id there and in callbacks. */
export function transactionPath({ paymentId, type, transactionId }: TransactionName, root?: string): string {
  return `${paymentPath({ paymentId }, root)}/${PLACES[type]}/${transactionId}`;
}

interface TransactionName {
  readonly paymentId: string;
  readonly type: keyof typeof PLACES;
  readonly transactionId: string;
}
