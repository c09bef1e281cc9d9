import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { LEAST_UUID, type PayeeId } from '../../kit/ids.ts';
import { PERSON_ROWS } from '../../kit/limits.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';
import { associatedDataOf } from './associated-data.rules.ts';
import { type CardWithContact, eraseContacts, selectWithEmail } from './contacts.store.ts';

/** A gift card, and whose it is. */
export interface CardOfPerson {
  readonly paymentAccountId: AccountId;
  readonly productId: string;
  readonly issued: string;
  readonly email: string;
  readonly msisdn?: string;
}

/** The gift cards of a payee that were sent to an e-mail address. All are opened: no digest of an address is kept to find it by. */
export async function findCardsOf(
  { read, keyRing }: { readonly read: Read; readonly keyRing: KeyRing },
  { payeeId, isEmail }: { readonly payeeId: PayeeId; readonly isEmail: (text: string) => boolean },
): Promise<readonly CardOfPerson[]> {
  const found: CardOfPerson[] = [];
  let after: string = LEAST_UUID;
  for (;;) {
    const cards = await selectWithEmail(read, { payeeId, after, limit: PERSON_ROWS });
    found.push(...cards.map((card) => opened(keyRing, card)).filter(({ email }) => isEmail(email)));
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
    email: keyRing.open(associatedDataOf(card, 'email'), emailSealed).reveal(),
    ...(msisdnSealed !== null && { msisdn: keyRing.open(associatedDataOf(card, 'msisdn'), msisdnSealed).reveal() }),
  };
}

/** Erases whose gift cards are; answers of how many. They can be spent as before. */
export function eraseContactsOf(
  transaction: Transaction,
  payeeId: PayeeId,
  cards: readonly CardOfPerson[],
): Promise<number> {
  return eraseContacts(
    transaction,
    payeeId,
    cards.map(({ paymentAccountId }) => paymentAccountId),
  );
}
