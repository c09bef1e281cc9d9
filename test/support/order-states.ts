import type { Page } from 'playwright-core';
import { cardSeller, type IssuedCard } from './gift-cards-seller.ts';
import { freshCard } from './numbers.ts';
import type { Scene } from './page-states.ts';
import { addPast, type OrderMembers, type PayableOrder, payableOrder } from './payable-order.ts';
import { bankOf, fillCard, pay, shows } from './payer.ts';

/** All that a payer can find on the page of an order beside what every payment has. */
export const ORDER_STATES: Readonly<Record<string, (scene: Scene) => Promise<Page>>> = {
  'order, with a menu': async (scene) => (await opened(scene)).page,
  'order, expanded, with its items': async (scene) => {
    const { page } = await opened(scene, { terms: { expandFirstInstrument: true } });
    await page.locator('.items summary').click();
    return page;
  },
  'order, restricted to gift cards first': async (scene) => {
    const { page } = await opened(scene, { terms: { restrictedToInstruments: ['GiftCard', 'CreditCard'] } });
    await page.locator('#means-GiftCard summary').click();
    return page;
  },
  'order, gift card alone': async (scene) => (await opened(scene, { instrument: 'GiftCard' })).page,
  'order, with one gift card': async (scene) => (await opened(scene, {}, [12_000])).page,
  'order, with three gift cards': async (scene) => {
    const { page } = await opened(scene, {}, [12_000, 3_000, 10_000]);
    await page.locator('#means-GiftCard summary').click();
    return page;
  },
  'order, covered': async (scene) => (await opened(scene, {}, [12_000, 50_000])).page,
  'order, gift card missing': async (scene) => {
    const { page } = await opened(scene);
    await page.locator('#means-GiftCard summary').click();
    await page.locator('#add-gift').click();
    await page.locator('#alert[data-about="fields"]').waitFor();
    return page;
  },
  'order, card stored by the way': async (scene) => {
    const { page } = await opened(scene, { instrument: 'CreditCard', terms: { generate: ['Payment'] } });
    return page;
  },
  'order, asked whether the card is stored': async (scene) => {
    const terms = { generate: ['Payment'] as const, enablePaymentDetailsConsentCheckbox: true };
    return (await opened(scene, { instrument: 'CreditCard', terms })).page;
  },
  'order, declined': async (scene) => {
    const { page } = await opened(scene, { terms: { cards: { rejectDebitCards: true } } }, [12_000]);
    await pay(page, { number: freshCard('debit') });
    await shows(page, 'declined');
    return page;
  },
  'order, challenge': async (scene) => {
    const { page } = await opened(scene, {}, [12_000]);
    await fillCard(page, { number: freshCard('authenticated') });
    await page.locator('#submit').click();
    await bankOf(page).locator('#approve').waitFor();
    return page;
  },
  'order, paid': async (scene) => {
    const { page, order } = await opened(scene, {}, [12_000]);
    await pay(page);
    await page.waitForURL(`${scene.site.origin}/done`);
    await page.goto(order.page);
    await shows(page, 'paid');
    return page;
  },
};

/** Opens the page of an order with gift cards of these amounts on it. */
async function opened(
  { kontor, site, browser, look }: Scene,
  { terms, ...members }: OrderMembers = {},
  amounts: readonly number[] = [],
): Promise<{ readonly page: Page; readonly order: PayableOrder; readonly cards: readonly IssuedCard[] }> {
  const order = await payableOrder(kontor, site, { ...members, terms: { language: look.locale, ...terms } });
  const cards: IssuedCard[] = [];
  for (const amount of amounts) cards.push(await cardSeller(kontor).issue(amount));
  await addPast(kontor, order, cards);
  const page = await browser.open(order.page, look);
  await shows(page, 'ready');
  return { page, order, cards };
}
