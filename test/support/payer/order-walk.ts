import { afterAll, beforeAll, describe, test } from 'vitest';
import { wrongCode } from '../numbers.ts';
import { type TestService, testService } from '../service.ts';
import { cardSeller, type IssuedCard } from '../shop/gift-cards-seller.ts';
import { type ShopSite, shopSite } from '../shop/shop-site.ts';
import type { TestBrowser } from './browser.ts';
import { type Look, nameOf, oneLook } from './looks.ts';
import { type OrderMembers, type PayableOrder, payableOrder } from './payable-order.ts';
import { type Place, pay } from './payer.ts';
import { type Visit, visit, WAYS, type Way } from './visit.ts';

/** What a payer types of a gift card. */
export type Entry = Pick<IssuedCard, 'accountKey' | 'cvc'>;

/** Enters a gift card, as a payer types it. */
export async function enterGiftCard(place: Place, { accountKey, cvc }: Entry): Promise<void> {
  const number = place.locator('#giftNumber');
  if (!(await number.isVisible())) await place.locator('#means-GiftCard summary').click();
  await number.fill(accountKey.replace(/(.{4})/g, '$1 '));
  await place.locator('#giftCode').fill(cvc);
  await place.locator('#add-gift').click();
}

/** Enters a gift card, and waits until it is among those that pay. */
export async function addGiftCard(place: Place, card: Entry): Promise<void> {
  const before = await place.locator('#split .gift').count();
  await enterGiftCard(place, card);
  await place.locator('#split .gift').nth(before).waitFor();
}

/** The same card with a code that is another. */
export function withWrongCode<Card extends Entry>(card: Card): Card {
  return { ...card, cvc: wrongCode(card.cvc) };
}

/** What an order came to: its status, and what each leg paid. */
export async function orderOutcome({ database }: TestService, { order }: PayableOrder) {
  const rows = await database.asAdmin(
    `select o.status, coalesce(string_agg(l.kind || ' ' || l.amount, ', ' order by l.position), '') as legs
     from payment_order o left join order_leg l on l.order_id = o.order_id and l.state = 'Authorized'
     where o.order_id = '${order.orderId}' group by o.status`,
  );
  return rows[0];
}

/** What is on a gift card, and what of it is held. */
export async function moneyOf({ database }: TestService, { paymentAccountId }: IssuedCard) {
  const rows = await database.asAdmin(
    `select available::int, held::int from account where account_id = '${paymentAccountId}'`,
  );
  return rows[0];
}

/** A payer in front of an order. */
export interface Walk extends Visit {
  readonly kontor: TestService;
  readonly site: ShopSite;
  readonly order: PayableOrder;
  readonly look: Look;
  /** A new gift card with so much on it. */
  issue(amount: number): Promise<IssuedCard>;
  /** What the order came to. */
  outcome(): ReturnType<typeof orderOutcome>;
}

/** What an order is like, and how its page is reached: in both ways where that is left out. */
export interface WalkOptions {
  readonly members?: OrderMembers;
  readonly ways?: readonly Way[];
}

export const BY_REDIRECT: readonly Way[] = ['by redirect'];

/**
 * Walks of payers of orders at a service of their own, each by redirect and in the view.
 *
 * @returns what makes a test for each way
 */
export function orderWalks(browser: TestBrowser) {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([
      testService({ KONTOR_REQUESTS_PER_MINUTE: '0', KONTOR_TRUSTED_PROXIES: '127.0.0.1' }),
      shopSite(),
    ]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  let number = 0;
  return (name: string, walk: (walk: Walk) => Promise<void>, { members = {}, ways = WAYS }: WalkOptions = {}) =>
    describe(name, () => {
      for (const way of ways) {
        for (const look of oneLook(number++)) {
          test(`${way}, ${nameOf(look)}`, async () => {
            const { terms, ...others } = members;
            const order = await payableOrder(kontor, site, { ...others, terms: { language: look.locale, ...terms } });
            const visited = await visit(browser, site, { link: order, way, look, make: 'kontor.hostedView.checkout' });
            const issue = (amount: number) => cardSeller(kontor).issue(amount);
            await walk({ ...visited, kontor, site, order, look, issue, outcome: () => orderOutcome(kontor, order) });
          });
        }
      }
    });
}

/** Enters a gift card, and sends this card for the rest. */
export async function payAfterGiftCard({ place, issue }: Walk, cardNumber: string): Promise<IssuedCard> {
  const card = await issue(12_000);
  await addGiftCard(place, card);
  await openCardForm(place);
  await pay(place, { number: cardNumber });
  return card;
}

/** Chooses the card on the menu. */
export function openCardForm(place: Place): Promise<void> {
  return place.locator('#means-CreditCard summary').click();
}

/** Waits until the alert has this title. */
export function alerts(place: Place, title: string): Promise<void> {
  return place.locator('#alert:visible #alert-title').filter({ hasText: title }).waitFor();
}

/** Has the payee change its order, by the API. */
export function changeOrder({ kontor, order }: Walk, paymentorder: object) {
  return kontor.send('PATCH', `/psp/paymentorders/${order.order.orderId}`, { body: { paymentorder } });
}
