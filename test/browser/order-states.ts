import type { Page } from 'playwright-core';
import { freshCard } from '../support/numbers.ts';
import { enterGiftCard, withWrongCode } from '../support/payer/order-walk.ts';
import { addPast, type OrderMembers, type PayableOrder, payableOrder } from '../support/payer/payable-order.ts';
import { bankOf, fillCard, pay, shows } from '../support/payer/payer.ts';
import { cardSeller, type IssuedCard } from '../support/shop/gift-cards-seller.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';
import type { Scene } from './page-states.ts';

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

/** How else the page of an order may look, in `npm run test:browser` alone: each is as a state above, or of a payment, with little more. */
export const MORE_ORDER_STATES: Readonly<Record<string, (scene: Scene) => Promise<Page>>> = {
  'order, gift card not usable': async (scene) => {
    const { page } = await opened(scene);
    await enterGiftCard(page, withWrongCode(await cardSeller(scene.kontor).issue(12_000)));
    await page.locator('#giftNumber-error:visible').waitFor();
    return page;
  },
  'order, no more gift cards': async (scene) => {
    scene.browser.expectFault(/429/);
    const { page } = await opened(scene);
    const card = await cardSeller(scene.kontor).issue(12_000);
    for (let entry = 0; entry < 5; entry++) {
      await enterGiftCard(page, withWrongCode(card));
      await page.locator('#giftNumber-error:visible').waitFor();
      await page.locator('#add-gift:not([aria-disabled])').waitFor();
    }
    await enterGiftCard(page, card);
    await page.locator('#gift-none:visible').waitFor();
    return page;
  },
  'order, with a stored card': async (scene) => {
    const payerReference = `order-${scene.look.locale}`;
    await scene.kontor.importLines([cardLine(1, { payerReference, expiryDate: '11/2039' })]);
    const { page } = await opened(scene, { terms: { payerReference } }, [12_000]);
    await page.locator('#card-0:visible').waitFor();
    return page;
  },
  'order, changed meanwhile': async (scene) => {
    const { page, order } = await opened(scene, {}, [12_000]);
    await fillCard(page);
    await change(scene, order, { operation: 'UpdateOrder', amount: 40_000, vatAmount: 0, orderItems: [] });
    await page.locator('#submit').click();
    await page.locator('#alert:visible').waitFor();
    return page;
  },
  'order, challenge left': async (scene) => {
    const { page, order } = await opened(scene, {}, [12_000]);
    await fillCard(page, { number: freshCard('authenticated') });
    await page.locator('#submit').click();
    await bankOf(page).locator('#approve').waitFor();
    await page.goto(order.page);
    await shows(page, 'authentication');
    return page;
  },
  'order, outcome unknown': async (scene) => {
    const { page, order } = await opened(scene, {}, [12_000]);
    await scene.kontor.database.asAdmin(`
      update payment_order set unsettled = 1 where order_id = '${order.order.orderId}';
      update card_payment set unsettled = 1 where order_id = '${order.order.orderId}'`);
    return again(page, order, 'pending');
  },
  'order, failed': async (scene) => {
    const { page, order } = await opened(scene, { terms: { cards: { rejectDebitCards: true } } }, [12_000]);
    for (const _try of [1, 2]) {
      await pay(page, { number: freshCard('debit') });
      await shows(page, 'declined');
      await page.locator('#submit:not([aria-disabled])').waitFor();
    }
    await pay(page, { number: freshCard('debit') });
    await page.waitForURL(`${scene.site.origin}/**`);
    return again(page, order, 'failed');
  },
  'order, aborted': async (scene) => {
    const { page, order } = await opened(scene, {}, [12_000]);
    await change(scene, order, { operation: 'Abort', abortReason: 'SoldOut' });
    return again(page, order, 'aborted');
  },
  'order, cancelled by its payer': async (scene) => {
    const { page, order } = await opened(scene, {}, [12_000]);
    await page.locator('#cancel').click();
    await page.waitForURL(`${scene.site.origin}/cancelled`);
    return again(page, order, 'aborted');
  },
  'order, expired': async (scene) => {
    const { page, order } = await opened(scene, {}, [12_000]);
    await scene.kontor.database.asAdmin(`
      update payment_order set expires_at = created_at where order_id = '${order.order.orderId}';
      update card_payment set expires_at = created_at where order_id = '${order.order.orderId}'`);
    return again(page, order, 'expired');
  },
  'order, paid and given back': async (scene) => {
    const { page, order } = await opened(scene, { intent: 'AutoCapture' }, [50_000]);
    await page.locator('#submit-gift').click();
    await page.waitForURL(`${scene.site.origin}/done`);
    const transaction = { amount: 50_000, vatAmount: 0, description: 'Back', payeeReference: `${Date.now()}` };
    await scene.kontor.send('POST', `/psp/paymentorders/${order.order.orderId}/reversals`, { body: { transaction } });
    const shown = await again(page, order, 'paid');
    await shown.locator('.sign:not(.good)').waitFor();
    return shown;
  },
};

/** Comes back to the page of an order. */
async function again(page: Page, { page: address }: PayableOrder, state: string): Promise<Page> {
  await page.goto(address);
  await shows(page, state);
  return page;
}

async function change({ kontor }: Scene, { order }: PayableOrder, paymentorder: object): Promise<void> {
  const { status } = await kontor.send('PATCH', `/psp/paymentorders/${order.orderId}`, { body: { paymentorder } });
  if (status !== 200) throw new Error(`the order was not changed: ${status}`);
}

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
