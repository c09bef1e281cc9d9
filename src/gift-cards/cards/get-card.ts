import { asHadBy } from '../../accounts/identifying/strikes.rules.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { type Actor, countedAs } from '../../kit/caller.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import type { Secret } from '../../kit/secret.ts';
import { findAccountByNumber } from '../../ledger/accounts/account-number.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';
import type { GiftCardsContext } from '../gift-cards-context.types.ts';
import { possibleSteps, stateOf } from './life.rules.ts';
import type { CardShown, CardView } from './life.types.ts';

/**
 * The gift card that a path or body names.
 *
 * @throws Refusal `notfound` where the payee has no such card; an account that is no gift card is none
 */
export async function cardOfId(
  context: GiftCardsContext,
  payeeId: PayeeId,
  paymentAccountId: string,
): Promise<CardView> {
  const card = await findCard(context, payeeId, paymentAccountId);
  if (card === undefined) throw notFound();
  return card;
}

/** Whether the payee has a gift card of that id. */
export async function cardExists(
  context: GiftCardsContext,
  payeeId: PayeeId,
  paymentAccountId: string,
): Promise<boolean> {
  return (await findCard(context, payeeId, paymentAccountId)) !== undefined;
}

/** The card of an id as the caller has it now, with what can be done with it; throws as `cardOfId`. */
export async function getCard(
  context: GiftCardsContext,
  payeeId: PayeeId,
  { paymentAccountId, actor }: { readonly paymentAccountId: string; readonly actor: Actor },
): Promise<CardShown> {
  const found = await cardOfId(context, payeeId, paymentAccountId);
  const card = asHadBy(found, countedAs(actor), found.now);
  const situation = { card, account: card, now: card.now };
  return { card, state: stateOf(situation), possible: possibleSteps(situation) };
}

function findCard({ findCard: find }: GiftCardsContext, payeeId: PayeeId, text: string): Promise<CardView | undefined> {
  // A text that is no UUID would fail the statement for all that travel with it.
  if (!isUuid(text)) return Promise.resolve(undefined);
  return find({ payeeId, accountId: text.toLowerCase() as AccountId });
}

/**
 * The id of the payee's card with this number.
 *
 * @throws Refusal `notfound` where there is none
 */
export async function findCardByNumber(
  transaction: Transaction,
  keyRing: KeyRing,
  wanted: { readonly payeeId: PayeeId; readonly number: Secret },
): Promise<AccountId> {
  const account = await findAccountByNumber(transaction, keyRing, wanted);
  if (account === undefined) throw notFound();
  return account.accountId;
}
