import type { AssociatedData } from '../../keys/keys.types.ts';
import type { CardPayment, CardTransaction } from '../payments.types.ts';

/** Where what is known of the payer of a card payment belongs: this row of this payee. */
export function placeOfPayer({ payeeId, paymentId }: Pick<CardPayment, 'payeeId' | 'paymentId'>): AssociatedData {
  return { purpose: 'card-data', payeeId, rowId: paymentId, field: 'card_payment.payer_sealed' };
}

/** Where the name on the card of a try belongs. */
export function placeOfHolder({
  payeeId,
  transactionId,
}: Pick<CardTransaction, 'payeeId' | 'transactionId'>): AssociatedData {
  return { purpose: 'card-data', payeeId, rowId: transactionId, field: 'card_transaction.holder_sealed' };
}
