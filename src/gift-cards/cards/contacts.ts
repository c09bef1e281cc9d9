import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { LEAST_UUID, type PayeeId } from '../../kit/ids.ts';
import { PERSON_ROWS } from '../../kit/limits.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';
import { associatedDataOf } from './associated-data.rules.ts';
import { type CardWithContact, countOfPayer, eraseContacts, selectOfPayer, selectWithEmail } from './contacts.store.ts';

/** Whose cards are looked for, by the payee's reference of a payer or by what it says of an e-mail address. */
type Whom =
  | { readonly payeeId: PayeeId; readonly payerReference: string }
  | { readonly payeeId: PayeeId; readonly isEmail: (text: string) => boolean };

/** A gift card, and whose it is, as far as that is known. */
export interface CardOfPerson {
  readonly paymentAccountId: AccountId;
  readonly productId: string;
  readonly issued: string;
  readonly email?: string;
  readonly msisdn?: string;
}

/**
 * The gift cards of a person: those that a payer has bought, or that were sent to an e-mail address. By an address all are opened: no
 * digest of one is kept to find it by.
 */
export async function findCardsOf(
  { read, keyRing }: { readonly read: Read; readonly keyRing: KeyRing },
  whom: Whom,
): Promise<readonly CardOfPerson[]> {
  if ('payerReference' in whom) return (await selectOfPayer(read, whom)).map((card) => opened(keyRing, card));
  const { payeeId, isEmail } = whom;
  const found: CardOfPerson[] = [];
  let after: string = LEAST_UUID;
  for (;;) {
    const cards = await selectWithEmail(read, { payeeId, after, limit: PERSON_ROWS });
    found.push(
      ...cards.map((card) => opened(keyRing, card)).filter(({ email }) => email !== undefined && isEmail(email)),
    );
    const last = cards.at(-1);
    if (last === undefined || cards.length < PERSON_ROWS) return found;
    after = last.accountId;
  }
}

function opened(keyRing: KeyRing, card: CardWithContact): CardOfPerson {
  const { accountId, productId, issuedAt, emailSealed, msisdnSealed } = card;
  return {
    paymentAccountId: accountId,
    productId,
    issued: issuedAt,
    ...(emailSealed !== null && { email: keyRing.open(associatedDataOf(card, 'email'), emailSealed).reveal() }),
    ...(msisdnSealed !== null && { msisdn: keyRing.open(associatedDataOf(card, 'msisdn'), msisdnSealed).reveal() }),
  };
}

/** Whether a payer has bought more gift cards than this many. */
export async function hasMoreCards(
  read: Read,
  payer: { readonly payeeId: PayeeId; readonly payerReference: string },
  most: number,
): Promise<boolean> {
  return (await countOfPayer(read, payer, most + 1)) > most;
}

/** Erases whose gift cards are; answers of how many. They can be spent as before, and count together as one payer's, by the pseudonym. */
export function eraseContactsOf(
  transaction: Transaction,
  payeeId: PayeeId,
  { cards, pseudonym }: { readonly cards: readonly CardOfPerson[]; readonly pseudonym: string },
): Promise<number> {
  const accountIds = cards.map(({ paymentAccountId }) => paymentAccountId);
  return eraseContacts(transaction, payeeId, { accountIds, pseudonym });
}
