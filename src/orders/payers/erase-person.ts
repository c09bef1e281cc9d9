import { eraseSumsOf } from '../../accounts/turnover/person.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { eraseContactsOf } from '../../gift-cards/cards/contacts.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import { erasePayersOf } from '../../payments/payers/person.ts';
import { erasePayerTokens } from '../../tokens/stored/person.ts';
import type { TokenContext } from '../../tokens/tokens.types.ts';
import type { Person } from './find-person.ts';
import { erasePayers, selectCardPaymentsOf, selectNow } from './payers.store.ts';

/** What was erased of a person, by how many it was known. */
export interface Erased {
  readonly orders: number;
  /** Those of orders too. */
  readonly cardPayments: number;
  readonly tokens: number;
  /** Deleted tokens, on which people had written something. */
  readonly tombstones: number;
  readonly giftCards: number;
}

/** What was erased, and when: ISO 8601 in UTC, null where nothing was stored. */
export interface Erasure {
  readonly erased: Erased;
  readonly at: string | null;
}

/** Whose data are erased, as they were found. */
export interface ErasePerson {
  readonly payeeId: PayeeId;
  /** Undefined where they were found by an e-mail address. */
  readonly payerReference: string | undefined;
  /** The reference or the address, of which the trail keeps a digest. */
  readonly name: string;
  readonly person: Person;
  readonly actor: Actor;
}

/**
 * Erases what a payee has stored of a person: who paid, the names on their cards, their tokens, what people have written on these,
 * whose gift cards are. What was paid stays, without the person.
 */
export async function erasePerson(
  transaction: Transaction,
  context: TokenContext,
  { payeeId, payerReference, name, person, actor }: ErasePerson,
): Promise<Erasure> {
  const orderIds = person.orders.map(({ orderId }) => orderId);
  const paymentIds = [
    ...person.cardPayments.map(({ paymentId }) => paymentId),
    ...(await selectCardPaymentsOf(transaction, payeeId, orderIds)),
  ];
  const nothing = { deleted: 0, tombstones: 0 };
  const orders = await erasePayers(transaction, payeeId, orderIds);
  const cardPayments = await erasePayersOf(transaction, payeeId, paymentIds);
  const tokens =
    payerReference === undefined
      ? nothing
      : await erasePayerTokens(transaction, context, { payeeId, payerReference, actor });
  // Limits of gift cards hold for cards of one payer together: they still do, and nothing leads from the new name to the person.
  const pseudonym = `erased/${context.newId()}`;
  const giftCards = await eraseContactsOf(transaction, payeeId, { cards: person.giftCards, pseudonym });
  if (payerReference !== undefined) await eraseSumsOf(transaction, { payeeId, payerReference, pseudonym });
  const erased = { orders, cardPayments, tokens: tokens.deleted, tombstones: tokens.tombstones, giftCards };
  const times = Object.values(erased).reduce((sum, count) => sum + count, 0);
  const payer = digestOf(context.keyRing, payeeId, name);
  await writeAudit(transaction, [
    { payeeId, actor, action: 'erase-payer', objectId: payeeId, details: { times, payer } },
  ]);
  return { erased, at: await selectNow(transaction.run) };
}

/** Says whose, to those who know the name and ask the key ring: the trail is kept for ever, and must not name the person. */
export function digestOf(keyRing: KeyRing, payeeId: PayeeId, name: string): string {
  return keyRing.digest(keyRing.current('identity'), payeeId, new Secret(`payer ${name}`)).toString('hex');
}
