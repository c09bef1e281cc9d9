import type { Page } from 'playwright-core';
import { freshCard } from '../support/numbers.ts';
import type { TestBrowser } from '../support/payer/browser.ts';
import type { Look } from '../support/payer/looks.ts';
import { payPage } from '../support/payer/pay-page.ts';
import { bankOf, expire, keepPending, pay, payable, shows } from '../support/payer/payer.ts';
import type { TestService } from '../support/service.ts';
import { cardPaymentsShop, type Members } from '../support/shop/card-payments-shop.ts';
import type { ShopSite } from '../support/shop/shop-site.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';

/** What is needed to bring a page into a state. */
export interface Scene {
  readonly kontor: TestService;
  readonly site: ShopSite;
  readonly browser: TestBrowser;
  readonly look: Look;
}

/** Brings the payment page into a state, and answers it. */
type Bring = (scene: Scene) => Promise<Page>;

/** All that a payer can find on the payment page, by what it is called. */
export const PAGE_STATES: Readonly<Record<string, Bring>> = {
  ready: (scene) => opened(scene),
  'ready, with stored cards': async (scene) => {
    const payerReference = `payer-${scene.look.locale}`;
    await scene.kontor.importLines(
      [1, 2, 3].map((index) => cardLine(index, { payerReference, expiryDate: '11/2039' })),
    );
    return opened(scene, { payerReference, generatePaymentToken: true });
  },
  'ready, with a logo': (scene) =>
    opened(scene, {
      urls: { logoUrl: `${scene.site.origin}/logo.svg` },
      creditCard: { rejectDebitCards: true },
      generatePaymentToken: true,
    }),
  'ready, with a stored card to be charged later': async (scene) => {
    const payerReference = `later-${scene.look.locale}`;
    await scene.kontor.importLines([cardLine(1, { payerReference, expiryDate: '11/2039' })]);
    return opened(scene, { payerReference, generateRecurrenceToken: true });
  },
  'ready, to look at a card': (scene) =>
    opened(scene, { operation: 'Verify', prices: undefined, intent: undefined, generatePaymentToken: true }),
  removal: async (scene) => {
    const payerReference = `removal-${scene.look.locale}`;
    await scene.kontor.importLines([cardLine(1, { payerReference, expiryDate: '11/2039' })]);
    const page = await opened(scene, { payerReference });
    await page.locator('.choice .quiet').click();
    await page.locator('#confirm-removal').waitFor();
    return page;
  },
  'ready, to save a card': (scene) =>
    opened(scene, { operation: 'Verify', prices: undefined, intent: undefined, generateRecurrenceToken: true }),
  'filled in wrongly': async (scene) => {
    const page = await opened(scene, { generateRecurrenceToken: true });
    await page.locator('#number').fill('4925 0000 0000 0001');
    await page.locator('#submit').click();
    await page.locator('#alert[data-about="fields"]').waitFor();
    return page;
  },
  'while a card is tried': async (scene) => {
    const page = await opened(scene, { generateRecurrenceToken: true });
    // The answer does not come.
    await page.route(page.url(), (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    await page.locator('#consent').check();
    await pay(page);
    await page.locator('#processing:visible').waitFor();
    return page;
  },
  declined: async (scene) => {
    const page = await opened(scene, { creditCard: { rejectDebitCards: true } });
    await pay(page, { number: freshCard('debit') });
    await shows(page, 'declined');
    return page;
  },
  'stopped for its network': async (scene) => {
    const from = { 'x-forwarded-for': '203.0.113.7' };
    await stopNetwork(scene.kontor, from);
    const page = await opened(scene);
    await page.setExtraHTTPHeaders(from);
    await pay(page, { number: freshCard('debit') });
    await page.locator('#alert:visible').waitFor();
    return page;
  },
  challenge: async (scene) => {
    const page = await opened(scene);
    await pay(page, { number: freshCard('authenticated') });
    await bankOf(page).locator('#approve').waitFor();
    return page;
  },
  'challenge cancelled': async (scene) => {
    const page = await opened(scene);
    await pay(page, { number: freshCard('authenticated'), name: 'Dagny Nilsen' });
    await bankOf(page).locator('#cancel-challenge').click();
    await shows(page, 'declined');
    return page;
  },
  'challenge left': async (scene) => {
    const payment = await payable(scene.kontor, scene.site, { language: scene.look.locale });
    const page = await scene.browser.open(payment.page, scene.look);
    await pay(page, { number: freshCard('authenticated') });
    await bankOf(page).locator('#approve').waitFor();
    await page.goto(payment.page);
    await shows(page, 'authentication');
    return page;
  },
  pending: async (scene) => {
    const payment = await payable(scene.kontor, scene.site, { language: scene.look.locale });
    await keepPending(scene.kontor, payment, true);
    return finished(scene, payment.page, 'pending');
  },
  paid: async (scene) => (await paid(scene)).page,
  'paid, and given back': async (scene) => {
    const { page, payment } = await paid(scene, { intent: 'AutoCapture' });
    await cardPaymentsShop(scene.kontor).follow(payment.id, 'reversals', { amount: 1500 });
    await page.reload();
    await page.locator('.sign:not(.good)').waitFor();
    return page;
  },
  'paid, and cancelled by the shop': async (scene) => {
    const { page, payment } = await paid(scene);
    await cardPaymentsShop(scene.kontor).follow(payment.id, 'cancellations');
    await page.reload();
    await page.locator('.sign:not(.good)').waitFor();
    return page;
  },
  'on the way back': async (scene) => {
    const payment = await payable(scene.kontor, scene.site, { language: scene.look.locale });
    const page = await scene.browser.open(payment.page, scene.look);
    // A shop that has no content leaves the browser where it is.
    const left = page.waitForRequest(`${scene.site.origin}/cancelled`);
    await page.route(`${scene.site.origin}/cancelled`, (route) => route.fulfill({ status: 204 }));
    await page.goto(`${payment.page}/back`);
    await left;
    await shows(page, 'leaving');
    return page;
  },
  failed: async (scene) => {
    const prices = [{ type: 'CreditCard', amount: 900_343, vatAmount: 0 }];
    const payment = await payable(scene.kontor, scene.site, { language: scene.look.locale, prices });
    for (const _try of [1, 2, 3]) {
      await scene.kontor.send('POST', `${payment.id}/authorizations`, {
        body: {
          transaction: {
            cardNumber: freshCard('credit'),
            cardExpiryMonth: '12',
            cardExpiryYear: '2039',
            cardVerificationCode: '123',
          },
        },
      });
    }
    return finished(scene, payment.page, 'failed');
  },
  aborted: async (scene) => {
    const payment = await payable(scene.kontor, scene.site, { language: scene.look.locale });
    await scene.kontor.send('PATCH', payment.id, {
      body: { payment: { operation: 'Abort', abortReason: 'CancelledByShop' } },
    });
    return finished(scene, payment.page, 'aborted');
  },
  'cancelled by its payer': async (scene) => {
    const payment = await payable(scene.kontor, scene.site, { language: scene.look.locale });
    await scene.kontor.send('PATCH', payment.id, {
      body: { payment: { operation: 'Abort', abortReason: 'CancelledByConsumer' } },
    });
    return finished(scene, payment.page, 'aborted');
  },
  'paid, by saving a card': async (scene) => {
    const verify = { operation: 'Verify', prices: undefined, intent: undefined, generateRecurrenceToken: true };
    return (await paid(scene, verify)).page;
  },
  expired: async (scene) => {
    const payment = await payable(scene.kontor, scene.site, { language: scene.look.locale });
    await expire(scene.kontor, payment);
    return finished(scene, payment.page, 'expired');
  },
  unknown: async (scene) => {
    scene.browser.expectFault(/404/);
    const { page: address } = await payable(scene.kontor, scene.site);
    const last = address.endsWith('A') ? 'B' : 'A';
    return scene.browser.open(`${address.slice(0, -1)}${last}`, scene.look);
  },
  'with a card that may have no code': async (scene) => {
    const page = await opened(scene);
    await page.locator('#number').fill('6764429999947470');
    await page.locator('#cvc').focus();
    return page;
  },
};

/** Pays, which in some payments needs a yes to the card's being stored, and comes back to the page. */
async function paid({ kontor, site, browser, look }: Scene, members: Members = {}) {
  const payment = await payable(kontor, site, { language: look.locale, ...members });
  const page = await browser.open(payment.page, look);
  if (members['generateRecurrenceToken'] === true) await page.locator('#consent').check();
  await pay(page);
  await page.waitForURL(`${site.origin}/done`);
  await page.goto(payment.page);
  await shows(page, 'paid');
  return { page, payment };
}

async function opened({ kontor, site, browser, look }: Scene, members: Members = {}): Promise<Page> {
  const payment = await payable(kontor, site, { language: look.locale, ...members });
  const page = await browser.open(payment.page, look);
  await shows(page, 'ready');
  return page;
}

async function finished({ browser, look }: Scene, address: string, state: string): Promise<Page> {
  const page = await browser.open(address, look);
  await shows(page, state);
  return page;
}

/** Has cards declined until no more are tried from a network. */
async function stopNetwork(kontor: TestService, headers: Readonly<Record<string, string>>): Promise<void> {
  let status = 0;
  while (status !== 429) {
    const page = await payPage(kontor, { prices: [{ type: 'CreditCard', amount: 900351 }] });
    ({ status } = await page.pay({ number: freshCard('debit') }, { headers }));
  }
}
