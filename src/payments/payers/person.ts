import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { LEAST_UUID, type PayeeId } from '../../kit/ids.ts';
import { PERSON_ROWS } from '../../kit/limits.ts';
import type { Currency } from '../../kit/money.ts';
import { bytesOf } from '../find-payment.ts';
import type { Cardholder, CardOperation } from '../payments.types.ts';
import {
  countPaymentsOf,
  erasePayers,
  type PaymentOfPerson,
  selectPaymentsOf,
  selectPaymentsWithPayer,
} from './payers.store.ts';
import { cardholderIn, holderNameIn } from './sealed-payers.ts';

/** Whose data are looked for, by the payee's reference of a payer or by what it says of an e-mail address. */
export type Whom =
  | { readonly payeeId: PayeeId; readonly payerReference: string }
  | { readonly payeeId: PayeeId; readonly isEmail: (text: string) => boolean };

/** A card payment, of orders too, and what it knows of its payer. */
export interface KnownPayment {
  readonly paymentId: string;
  readonly orderId?: string;
  readonly number: number;
  readonly created: string;
  readonly operation: CardOperation;
  readonly currency: Currency;
  /** Approved; minor units. */
  readonly amount: number;
  readonly payerReference?: string;
  readonly userAgent?: string;
  readonly cardholder?: Cardholder;
  readonly cards: readonly Readonly<Record<string, unknown>>[];
}

/** Whether a payer has more payments than this many: the payments of orders are among them. */
export async function hasMorePayments(
  read: Read,
  payer: { readonly payeeId: PayeeId; readonly payerReference: string },
  most: number,
): Promise<boolean> {
  return (await countPaymentsOf(read, payer, most + 1)) > most;
}

/** What finding a person needs. */
export interface PersonReads {
  readonly read: Read;
  readonly keyRing: KeyRing;
}

/** The card payments of a person. By an e-mail address all are opened: no digest of addresses is kept to find them by. */
export async function findPaymentsOf({ read, keyRing }: PersonReads, whom: Whom): Promise<readonly KnownPayment[]> {
  if ('payerReference' in whom) return (await selectPaymentsOf(read, whom)).map((payment) => known(keyRing, payment));
  const { payeeId, isEmail } = whom;
  const found: KnownPayment[] = [];
  let after: string = LEAST_UUID;
  for (;;) {
    const payments = await selectPaymentsWithPayer(read, { payeeId, after, limit: PERSON_ROWS });
    found.push(
      ...payments
        .map((payment) => known(keyRing, payment))
        .filter(({ cardholder }) => typeof cardholder?.['email'] === 'string' && isEmail(cardholder['email'])),
    );
    const last = payments.at(-1);
    if (last === undefined || payments.length < PERSON_ROWS) return found;
    after = last.paymentId;
  }
}

function known(keyRing: KeyRing, payment: PaymentOfPerson): KnownPayment {
  const { payeeId, paymentId, orderId, number, createdAt, operation, currency, amount, payerReference, terms } =
    payment;
  const cardholder = cardholderIn(keyRing, payment);
  return {
    paymentId,
    ...(orderId !== null && { orderId }),
    number,
    created: createdAt,
    operation,
    currency,
    amount,
    ...(payerReference !== null && { payerReference }),
    ...(terms.userAgent !== undefined && { userAgent: terms.userAgent }),
    ...(cardholder !== undefined && { cardholder }),
    cards: payment.tries.map(({ transactionId, card, holderSealed }) => {
      const { hasHolder: _, ...shown } = card ?? {};
      const cardholderName = holderNameIn(keyRing, {
        payeeId,
        transactionId,
        card,
        holderSealed: bytesOf(holderSealed),
      });
      return { ...shown, ...(cardholderName !== undefined && { cardholderName }) };
    }),
  };
}

/** Erases who paid card payments, and the names on their cards; answers of how many something was known. */
export function erasePayersOf(
  transaction: Transaction,
  payeeId: PayeeId,
  paymentIds: readonly string[],
): Promise<number> {
  return erasePayers(transaction, payeeId, paymentIds);
}
