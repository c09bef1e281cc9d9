import type { AssociatedData, KeyRing, KeyUse } from '../../keys/keys.types.ts';
import { resealing } from '../../keys/resealing.ts';
import { Secret } from '../../kit/secret.ts';
import type { Cardholder, CardPayment, CardTransaction } from '../payments.types.ts';
import { placeOfHolder, placeOfPayer } from './payer-data.rules.ts';
import { type SealedColumn, type SealedRow, sealedColumnStatements } from './sealed-columns.store.ts';
import type { SealedData } from './sealed-payers.types.ts';

/** Seals what is known of a payer: of an order, a card payment or a try. */
export function sealPayerData(keyRing: KeyRing, place: AssociatedData, known: unknown): SealedData {
  const sealedWith = keyRing.current('card-data');
  return { sealed: keyRing.seal(sealedWith, place, new Secret(JSON.stringify(known))), sealedWith };
}

/** Opens what `sealPayerData` has sealed. */
export function openPayerData(keyRing: KeyRing, place: AssociatedData, sealed: Buffer): unknown {
  return JSON.parse(keyRing.open(place, sealed).reveal());
}

/** What a card payment knows of its payer; undefined where nothing was said, or it has ended. */
export function cardholderIn(
  keyRing: KeyRing,
  payment: Pick<CardPayment, 'payeeId' | 'paymentId' | 'terms' | 'payerSealed'>,
): Cardholder | undefined {
  if (payment.payerSealed === null) return payment.terms.cardholder;
  return openPayerData(keyRing, placeOfPayer(payment), payment.payerSealed) as Cardholder;
}

/** The name on the card of a try; undefined where none was given, or it has ended. */
export function holderNameIn(
  keyRing: KeyRing,
  transaction: Pick<CardTransaction, 'payeeId' | 'transactionId' | 'card' | 'holderSealed'>,
): string | undefined {
  if (transaction.holderSealed === null) return transaction.card?.cardholderName;
  return openPayerData(keyRing, placeOfHolder(transaction), transaction.holderSealed) as string;
}

/** Sealed values as users of the card-data key: a rotation wraps their data keys anew and decrypts nothing. */
export function payerKeyUse(column: SealedColumn, placeOf: (row: SealedRow) => AssociatedData): KeyUse {
  return resealing({ purpose: 'card-data', ...sealedColumnStatements(column), associatedDataOf: placeOf });
}

/** The two of card payments. */
export const CARD_PAYER_KEY_USES: readonly KeyUse[] = [
  payerKeyUse(
    {
      name: 'payments-payers',
      table: 'card_payment',
      id: 'payment_id',
      sealed: 'payer_sealed',
      sealedWith: 'payer_sealed_with',
    },
    ({ payeeId, rowId }) => placeOfPayer({ payeeId, paymentId: rowId as CardPayment['paymentId'] }),
  ),
  payerKeyUse(
    {
      name: 'payments-holders',
      table: 'card_transaction',
      id: 'transaction_id',
      sealed: 'holder_sealed',
      sealedWith: 'holder_sealed_with',
    },
    ({ payeeId, rowId }) => placeOfHolder({ payeeId, transactionId: rowId as CardTransaction['transactionId'] }),
  ),
];
