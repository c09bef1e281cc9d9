import { assert } from '../../kit/assert.ts';
import { notFound, Refusal } from '../../kit/errors.ts';
import { oldestMonthOf } from '../../kit/instants.ts';
import { takesPayments } from '../../merchants/payees/payee-states.ts';
import { namePayee } from '../../merchants/payees/which-payee.ts';
import { findTokenToUse } from '../../tokens/get-token.ts';
import { listPayerCards } from '../../tokens/list-tokens.ts';
import type { TokenRecord } from '../../tokens/tokens.types.ts';
import { operationOfTry } from '../changes/effects.rules.ts';
import { findCardPayment } from '../find-payment.ts';
import { holderNameIn } from '../payers/sealed-payers.ts';
import type { CardPayment, CardPaymentKey, CardPaymentView } from '../payments.types.ts';
import type { CardPaymentsContext } from '../payments-context.types.ts';
import { brandsOffered } from '../show-payment.ts';
import { channelWanted, isTaken, USABLE_TOKENS } from '../terms.rules.ts';
import { withoutBlocked } from './offer-cards.ts';
import type { FoundPayment, From, OpenedPage, OrderPages } from './page.types.ts';
import { consentOnPage, keptOf } from './page-form.rules.ts';
import { openPageLink } from './page-link.ts';
import { canBePaid, isEndedByPayer, pageStateOf, undoneAs } from './page-state.rules.ts';
import { storedCardsOf } from './stored-cards.rules.ts';

/** Stored cards that a payer may choose from on the page, and cards that are looked through for them. */
const STORED_CARDS_SHOWN = 3;
const STORED_CARDS_READ = 30;

/** The payment that a link leads to, and its order, as they are now; undefined where it is no link of ours. */
export async function findPage(
  { context, orders }: Opening,
  link: { readonly payeeId: string; readonly secret: string },
): Promise<FoundPayment | undefined> {
  const key = openPageLink(context.keyRing, link);
  return key && findAgain({ context, orders }, key);
}

/**
 * A payment that has a page, and its order, as they are now.
 *
 * @throws Refusal `notfound`
 */
export async function findAgain({ context, orders }: Opening, key: CardPaymentKey): Promise<FoundPayment> {
  if (orders === undefined) {
    const isOpen = await takesPayments({ run: context.read }, key.payeeId);
    return { view: await findCardPayment(context, key), order: undefined, isOpen };
  }
  const found = await orders().find(key);
  if (found === undefined) throw notFound();
  return found;
}

/** The page of an order as it is now: its payer, or another one, has changed something. */
export async function openAgain(opening: Opening, { payment }: Pick<OpenedPage, 'payment'>, from: From) {
  const now = await lookAt(opening, await findAgain(opening, payment), from);
  assert(now !== undefined, 'a payment with a page keeps it');
  return now;
}

/** What a payer is to see of a payment; of one that belongs to an order, as both were found at the same moment. */
export async function lookAt(
  { context }: Pick<Opening, 'context'>,
  { view, order, isOpen }: FoundPayment,
  from: From,
): Promise<OpenedPage | undefined> {
  const menu = await order?.menu(from);
  const state = menu?.state ?? pageStateOf(view);
  if (state === undefined || (canBePaid(state) && !isOpen)) return undefined;
  // The card could not be charged, so a payer must not be asked to type it.
  const { payeeId, terms, currency } = view.payment;
  const wanted = { operation: operationOfTry(view.payment), currency, channel: channelWanted(terms.cards) };
  const takesCards = menu === undefined || menu.instruments.includes('CreditCard');
  if (canBePaid(state) && takesCards && !context.issuers.hasRoute(payeeId, wanted)) return undefined;
  const [tokens, merchantName] = await Promise.all([
    canBePaid(state) && menu?.showsStoredCards !== false ? tokensOf(context, view) : [],
    terms.payeeInfo.payeeName ?? namePayee({ run: context.read }, payeeId),
  ]);
  const brands = brandsOffered(view.payment, context.issuers);
  const taken = storedCardsOf(tokens, view.now).filter(({ brand }) => isTaken(brand, brands));
  const shown = (await withoutBlocked(context, payeeId, taken)).slice(0, STORED_CARDS_SHOWN);
  return {
    ...view,
    state,
    merchantName,
    storedCards: shown,
    consent: consentOnPage(terms, menu),
    brands,
    isEndedByPayer: menu?.isEndedByPayer === true || isEndedByPayer(view),
    undone: menu === undefined ? undoneAs(view.payment) : menu.undone,
    kept: keptOf({ ...view, state, storedCards: shown, ...namingOf(context, view) }),
    testCards: context.testCards,
    menu,
  };
}

/** The name on the card that was tried last, once it is asked for. */
function namingOf(
  { keyRing }: Pick<CardPaymentsContext, 'keyRing'>,
  { transactions }: Pick<CardPaymentView, 'transactions'>,
) {
  const last = transactions.at(-1);
  return { holderName: () => last && holderNameIn(keyRing, last) };
}

/** What opening a page needs: `orders` where card payments pay parts of orders. */
export interface Opening {
  readonly context: CardPaymentsContext;
  readonly orders?: (() => OrderPages) | undefined;
}

/** The payer's tokens that a payment can be paid with, the one that the payee has named first. */
async function tokensOf(
  context: CardPaymentsContext,
  { payment, now }: CardPaymentView,
): Promise<readonly TokenRecord[]> {
  const { payeeId, payerReference, operation, terms } = payment;
  // A payer whose reference was made up for this payment has no tokens yet.
  if (operation !== 'Purchase' || (terms.payerReference === undefined && terms.token === undefined)) return [];
  const [named, listed] = await Promise.all([
    terms.token === undefined ? undefined : namedToken(context, payment, terms.token),
    payerReference === null
      ? undefined
      : listPayerCards(context.tokens, {
          payeeId,
          payerReference,
          oldestMonth: oldestMonthOf(now),
          limit: STORED_CARDS_READ,
        }),
  ]);
  return [...(named === undefined ? [] : [named]), ...(listed ?? [])];
}

/** The token that a page is filled in with; undefined where it was archived or deleted since, or is another payer's. */
async function namedToken(
  { tokens }: CardPaymentsContext,
  { payeeId, operation, payerReference }: CardPayment,
  tokenId: string,
): Promise<TokenRecord | undefined> {
  try {
    return await findTokenToUse(tokens, payeeId, {
      tokenId,
      tokenTypes: USABLE_TOKENS[operation],
      payerReference: payerReference ?? undefined,
    });
  } catch (error) {
    if (error instanceof Refusal && (error.code === 'notfound' || error.code === 'paymenttokeninactive')) {
      return undefined;
    }
    throw error;
  }
}

/** The same page after a payment has changed. */
export function pageAfter(
  context: Pick<CardPaymentsContext, 'keyRing'>,
  page: OpenedPage,
  { payment, transactions, now }: CardPaymentView,
): OpenedPage {
  const view = { payment, transactions, now };
  const state = page.menu?.state ?? pageStateOf(view);
  assert(state !== undefined, 'a payment with a page keeps it');
  return {
    ...page,
    ...view,
    state,
    isEndedByPayer: isEndedByPayer(view),
    undone: page.menu === undefined ? undoneAs(payment) : page.undone,
    kept: keptOf({ ...page, ...view, state, ...namingOf(context, view) }),
  };
}
