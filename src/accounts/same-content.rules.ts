import type { Payment, PaymentTransaction } from './account-payments.types.ts';
import type { FollowUpCommand, NewPaymentCommand, PaymentEcho, TransactionEcho, Words } from './accounts.types.ts';

// Field by field, against what is stored: no digest of a request is kept, which could be guessed from.
// cvc, securityCode, the rest of track 2, encryptedPin, stan and repeat are no content.

/** Whether a request says what the stored payment under its reference says. */
export function samePayment(command: NewPaymentCommand, payment: Payment): boolean {
  const stored = payment.echo as PaymentEcho;
  const sent = command.echo;
  return (
    command.operation === payment.operation &&
    command.accountId === payment.accountId &&
    command.amount === payment.amount &&
    command.currency === payment.currency &&
    command.paymentOrderRef === payment.paymentOrderRef &&
    sent.accountIdentifier.accountId === stored.accountIdentifier.accountId &&
    sent.card.matches === stored.card.matches &&
    sent.card.numberMasked === stored.card.numberMasked &&
    sent.card.expiryMonth === stored.card.expiryMonth &&
    sameWords(sent.words, stored.words)
  );
}

/** Whether a capture, cancel or reversal says what the stored one under its reference says. */
export function sameTransaction(command: FollowUpCommand, transaction: PaymentTransaction): boolean {
  const stored = transaction.echo as TransactionEcho;
  return (
    command.operation === transaction.operation &&
    command.paymentId === transaction.paymentId &&
    (command.amount === undefined || command.amount === transaction.amount) &&
    command.paymentOrderRef === transaction.paymentOrderRef &&
    command.cancelRemainingAuth === stored.cancelRemainingAuth &&
    command.block === (stored.block ?? false) &&
    sameWords(command.words, stored.words)
  );
}

function sameWords(sent: Words, stored: Words): boolean {
  return (
    sent.description === stored.description &&
    sent.additionalData === stored.additionalData &&
    sent.merchant?.merchantName === stored.merchant?.merchantName &&
    sent.merchant?.terminalId === stored.merchant?.terminalId &&
    sameProducts(sent.products ?? [], stored.products ?? [])
  );
}

type Products = NonNullable<Words['products']>;

function sameProducts(sent: Products, stored: Products): boolean {
  return (
    sent.length === stored.length &&
    sent.every((product, index) => {
      const other = stored[index];
      return other !== undefined && PRODUCT_MEMBERS.every((member) => product[member] === other[member]);
    })
  );
}

const PRODUCT_MEMBERS = [
  'productId',
  'amount',
  'quantity',
  'unitOfMeasure',
  'vatAmount',
  'vatRate',
  'description',
] as const satisfies (keyof Products[number])[];
