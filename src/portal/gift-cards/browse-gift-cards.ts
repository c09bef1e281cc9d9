import type { Read, Transaction } from '../../db/transaction.types.ts';
import { cardHistory } from '../../gift-cards/cards/history/card-history.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { inputError, notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import type { Secret } from '../../kit/secret.ts';
import { findAccountByNumber } from '../../ledger/accounts/account-number.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';
import { listEntries } from '../ledger/browse-ledger.ts';
import type { AccountName } from '../ledger/ledger.types.ts';
import { readSlice } from '../newest-first.rules.ts';
import type { AskedPage, Page } from '../newest-first.types.ts';
import { pageOf } from '../page.rules.ts';
import { selectGiftCard, selectGiftCards } from './gift-cards.store.ts';
import type { GiftCardState, GiftCardStory, ListedGiftCard } from './gift-cards.types.ts';

/** The latest entries that the story of one gift card tells. */
const STORY_ENTRIES = 100;

/** A list of gift cards as a request asks for it. */
export interface AskedGiftCards extends Pick<AskedPage, 'cursor' | 'limit'> {
  readonly productId?: string | undefined;
  readonly state?: GiftCardState | undefined;
}

/**
 * A page of a payee's gift cards, the newest first: all, those of a product, or those in a state.
 *
 * @throws Refusal `inputerror`
 */
export async function searchGiftCards(
  read: Read,
  payeeId: PayeeId,
  { productId, state, ...page }: AskedGiftCards,
): Promise<Page<ListedGiftCard>> {
  if (productId !== undefined && state !== undefined) {
    throw inputError('state', 'must be alone: one of productId and state');
  }
  const slice = readSlice({ cursor: page.cursor, limit: page.limit });
  const found = await selectGiftCards(read, { ...slice, payeeId, productId, state, limit: slice.limit + 1 });
  return pageOf([found], slice.limit, ({ accountId }) => accountId);
}

/**
 * The payee's gift card with a number; undefined where there is none.
 */
export async function findGiftCard(
  transaction: Transaction,
  keyRing: KeyRing,
  wanted: { readonly payeeId: PayeeId; readonly number: Secret },
): Promise<ListedGiftCard | undefined> {
  const account = await findAccountByNumber(transaction, keyRing, wanted);
  return account && selectGiftCard(transaction.run, { payeeId: wanted.payeeId, accountId: account.accountId });
}

/**
 * A gift card, what was done to it, and its latest entries.
 *
 * @throws Refusal `notfound`
 */
export async function giftCardStory(read: Read, { payeeId, accountId }: AccountName): Promise<GiftCardStory> {
  const name = { payeeId, accountId: accountId.toLowerCase() };
  const giftCard = isUuid(accountId) ? await selectGiftCard(read, name) : undefined;
  if (giftCard === undefined) throw notFound();
  const [steps, statement] = await Promise.all([
    cardHistory(read, { payeeId, accountId: giftCard.accountId as AccountId }),
    listEntries(read, name, {}, STORY_ENTRIES),
  ]);
  return { giftCard, steps, ...statement };
}
