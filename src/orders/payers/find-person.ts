import { findSumsOf } from '../../accounts/turnover/person.ts';
import type { SumsOfPayer } from '../../accounts/turnover/turnover.types.ts';
import { type CardOfPerson, findCardsOf } from '../../gift-cards/cards/contacts.ts';
import { LEAST_UUID } from '../../kit/ids.ts';
import { PERSON_ROWS } from '../../kit/limits.ts';
import { findPaymentsOf, type KnownPayment, type PersonReads, type Whom } from '../../payments/payers/person.ts';
import { openPayerData } from '../../payments/payers/sealed-payers.ts';
import { findTokensOf } from '../../tokens/stored/person.ts';
import type { KnownToken } from '../../tokens/tokens.types.ts';
import type { OrderPayer } from '../requests/new-order.types.ts';
import { associatedDataOf } from './payer-data.rules.ts';
import { type OrderOfPerson, selectOrdersOf, selectOrdersWithPayer } from './payers.store.ts';

/** An order, and what it knows of its payer. */
export interface KnownOrder
  extends Omit<OrderOfPerson, 'payeeId' | 'sealed' | 'payerReference' | 'userAgent' | 'cardPaymentId'> {
  readonly payerReference?: string;
  readonly userAgent?: string;
  readonly payer?: OrderPayer;
}

/** What a payee has stored of a person. */
export interface Person {
  readonly orders: readonly KnownOrder[];
  /** Those of orders too. */
  readonly cardPayments: readonly KnownPayment[];
  /** By the payee's reference alone: a token knows no e-mail address. */
  readonly tokens: readonly KnownToken[];
  /** Those that a payer has bought, or that were sent to an e-mail address. */
  readonly giftCards: readonly CardOfPerson[];
  /** What counts against the limits of gift cards. By the payee's reference alone. */
  readonly giftCardSums: readonly SumsOfPayer[];
}

/** Everything that a payee has stored of a person. */
export async function findPerson(reads: PersonReads, whom: Whom): Promise<Person> {
  const orders = await findOrdersOf(reads, whom);
  const cardPayments = await findPaymentsOf(reads, whom);
  const giftCards = await findCardsOf(reads, whom);
  if ('isEmail' in whom) return { orders, cardPayments, tokens: [], giftCards, giftCardSums: [] };
  const tokens = await findTokensOf(reads.read, whom);
  return { orders, cardPayments, tokens, giftCards, giftCardSums: await findSumsOf(reads.read, whom) };
}

/** Whether nothing is stored of a person. */
export function isEmpty(person: Person): boolean {
  return Object.values(person).every((found) => found.length === 0);
}

async function findOrdersOf({ read, keyRing }: PersonReads, whom: Whom): Promise<readonly KnownOrder[]> {
  const open = ({
    payeeId,
    sealed,
    payerReference,
    userAgent,
    cardPaymentId: _,
    ...order
  }: OrderOfPerson): KnownOrder => ({
    ...order,
    ...(payerReference !== null && { payerReference }),
    ...(userAgent !== null && { userAgent }),
    ...(sealed !== null && {
      payer: openPayerData(keyRing, associatedDataOf({ payeeId, orderId: order.orderId }), sealed) as OrderPayer,
    }),
  });
  if ('payerReference' in whom) return (await selectOrdersOf(read, whom)).map(open);
  const { payeeId, isEmail } = whom;
  const found: KnownOrder[] = [];
  let after: string = LEAST_UUID;
  for (;;) {
    const orders = await selectOrdersWithPayer(read, { payeeId, after, limit: PERSON_ROWS });
    found.push(...orders.map(open).filter(({ payer }) => payer?.email !== undefined && isEmail(payer.email)));
    const last = orders.at(-1);
    if (last === undefined || orders.length < PERSON_ROWS) return found;
    after = last.orderId;
  }
}
