import type { Transact } from '../../db/transaction.types.ts';
import { hasMoreCards } from '../../gift-cards/cards/contacts.ts';
import type { Actor } from '../../kit/caller.ts';
import { forbidden } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { PERSON_ROWS } from '../../kit/limits.ts';
import { hasMorePayments, type PersonReads } from '../../payments/payers/person.ts';
import type { TokenContext } from '../../tokens/tokens.types.ts';
import { type Erasure, erasePerson } from './erase-person.ts';
import { findPerson, isEmpty, type Person } from './find-person.ts';
import { comparableEmail, sameEmailAs } from './same-email.rules.ts';

/** What the flows about a payer need. */
export interface PayerFlows {
  readonly transact: Transact;
  readonly person: TokenContext & PersonReads;
}

/** A payer, by the payee's reference. */
interface NamedPayer {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
}

/**
 * All that a payee has stored of a payer.
 *
 * @throws Refusal `forbidden` where it is too much for one answer
 */
export async function readPayer({ person }: PayerFlows, payer: NamedPayer): Promise<Person> {
  const hasMore =
    (await hasMorePayments(person.read, payer, PERSON_ROWS)) || (await hasMoreCards(person.read, payer, PERSON_ROWS));
  if (hasMore) {
    throw forbidden(
      'payerReference',
      `must have ${PERSON_ROWS} payments and gift cards at most here; the operator has a command for more`,
    );
  }
  return findPerson(person, payer);
}

/** Addresses that one request compares: each is opened, at some 20 microseconds. */
const MOST_ADDRESSES = 20_000;

/**
 * All that a payee has stored of a person, by an e-mail address.
 *
 * @throws Refusal `forbidden` where the payee knows more addresses than one request compares
 */
export async function readPersonByEmail(
  { person }: PayerFlows,
  { payeeId, email }: { readonly payeeId: PayeeId; readonly email: string },
): Promise<Person> {
  const isSame = sameEmailAs(email);
  let compared = 0;
  const isEmail = (text: string) => {
    if (++compared > MOST_ADDRESSES) {
      throw forbidden(
        'email',
        `must be of a payee with ${MOST_ADDRESSES} addresses at most here; the operator has a command for more`,
      );
    }
    return isSame(text);
  };
  return findPerson(person, { payeeId, isEmail });
}

const NOTHING: Erasure = {
  erased: { orders: 0, cardPayments: 0, tokens: 0, tombstones: 0, giftCards: 0 },
  at: null,
};

/** Erases it. A payer of whom nothing is stored is answered like one who was erased before, and nothing is written. */
export async function erasePayer(
  flows: PayerFlows,
  { actor, ...payer }: NamedPayer & { readonly actor: Actor },
): Promise<Erasure> {
  const found = await readPayer(flows, payer);
  if (isEmpty(found)) return NOTHING;
  const command = { ...payer, name: payer.payerReference, person: found, actor };
  return flows.transact((transaction) => erasePerson(transaction, flows.person, command));
}

/** The same by an e-mail address. Tokens stay: they know none. */
export async function erasePersonByEmail(
  flows: PayerFlows,
  command: { readonly payeeId: PayeeId; readonly email: string; readonly actor: Actor },
): Promise<Erasure> {
  const { payeeId, actor } = command;
  const person = await readPersonByEmail(flows, command);
  if (isEmpty(person)) return NOTHING;
  const erasing = { payeeId, payerReference: undefined, name: comparableEmail(command.email), person, actor };
  return flows.transact((transaction) => erasePerson(transaction, flows.person, erasing));
}
