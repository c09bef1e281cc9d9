import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshCard } from '../support/numbers.ts';
import { describeInBrowser, expectAccessibleInTurn } from '../support/payer/browser.ts';
import { type Look, looksFor, nameOf, SEES_ALL } from '../support/payer/looks.ts';
import { enterGiftCard, moneyOf, orderOutcome, withWrongCode } from '../support/payer/order-walk.ts';
import { type OrderMembers, type PayableOrder, payableOrder } from '../support/payer/payable-order.ts';
import { bankOf, fillCard, pay, shows } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardSeller, type IssuedCard } from '../support/shop/gift-cards-seller.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';

describeInBrowser('a payer of an order', (browser) => {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([
      testService({ KONTOR_REQUESTS_PER_MINUTE: '0', KONTOR_VIEW_GLOBALS: 'formerName' }),
      shopSite(),
    ]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  interface Walk {
    readonly page: Page;
    readonly order: PayableOrder;
    readonly look: Look;
    /** A new gift card with so much on it. */
    issue(amount: number): Promise<IssuedCard>;
  }

  function walks(number: number, name: string, walk: (walk: Walk) => Promise<void>, more: Opening = {}): void {
    describe.skipIf(more.isForAllLooks === true && !SEES_ALL)(name, () => {
      for (const look of looksFor(number)) {
        test(nameOf(look), async () => {
          const { terms, ...members } = more.members ?? {};
          const order = await payableOrder(kontor, site, { ...members, terms: { language: look.locale, ...terms } });
          const page = await browser.open(order.page, look, { javaScriptEnabled: more.hasScript !== false });
          await walk({ page, order, look, issue: (amount) => cardSeller(kontor).issue(amount) });
        });
      }
    });
  }

  interface Opening {
    readonly members?: OrderMembers;
    readonly hasScript?: boolean;
    /** Leaves it to `npm run test:browser`. */
    readonly isForAllLooks?: boolean;
  }

  const outcomeOf = (order: PayableOrder) => orderOutcome(kontor, order);
  const heldOf = (card: IssuedCard) => moneyOf(kontor, card);

  walks(0, 'pays with a gift card alone, and sees what is left on it', async ({ page, order, issue }) => {
    const card = await issue(70_000);
    await enterGiftCard(page, card);
    await page.locator('#submit-gift:visible').waitFor();
    expect(await page.locator('#announce').textContent()).toContain(card.accountKey.slice(-4));
    expect(await page.locator('#pay:visible').count()).toBe(0);
    await page.locator('#submit-gift').click();
    await page.waitForURL(`${site.origin}/done`);
    expect(await outcomeOf(order)).toEqual({ status: 'Paid', legs: 'Account 50000' });
    await page.goto(order.page);
    await shows(page, 'paid');
    expect(await page.locator('.facts').textContent()).toMatch(/200[.,]00/);
    await expectAccessibleInTurn(page);
  });

  walks(3, 'pays with a gift card, and the rest by card', async ({ page, order, issue }) => {
    const card = await issue(12_000);
    await enterGiftCard(page, card);
    await page.locator('#split .gift').waitFor();
    // Nothing that was typed is in the page any more.
    expect(await page.locator('#giftNumber').inputValue()).toBe('');
    expect(await page.content()).not.toContain(card.accountKey);
    expect(await page.locator('#rest-amount').textContent()).toMatch(/380[.,]00/);
    await page.locator('#means-CreditCard summary').click();
    await pay(page);
    await page.waitForURL(`${site.origin}/done`);
    expect(await outcomeOf(order)).toEqual({ status: 'Paid', legs: 'Account 12000, Card 38000' });
  });

  walks(
    5,
    'is declined, is told until when gift cards are kept, and pays with another card',
    async ({ page, order, issue }) => {
      const card = await issue(12_000);
      await enterGiftCard(page, card);
      await page.locator('#split .gift').waitFor();
      await page.locator('#means-CreditCard summary').click();
      await pay(page, { number: freshCard('debit') });
      await page.locator('#alert:visible').waitFor();
      expect(await page.locator('#alert-text').textContent()).toMatch(/\d\d?[.:]\d\d/);
      expect(await heldOf(card)).toEqual({ available: 0, held: 12_000 });
      await pay(page, { number: freshCard('credit') });
      await page.waitForURL(`${site.origin}/done`);
      expect(await outcomeOf(order)).toEqual({ status: 'Paid', legs: 'Account 12000, Card 38000' });
    },
    { members: { terms: { cards: { rejectDebitCards: true } } } },
  );

  walks(
    8,
    'removes gift cards, and enters no fourth one',
    async ({ page, issue }) => {
      for (const amount of [1000, 2000, 3000]) {
        await enterGiftCard(page, await issue(amount));
        await page
          .locator('#split .gift')
          .nth(amount / 1000 - 1)
          .waitFor();
      }
      expect(await page.locator('#gift:visible').count()).toBe(0);
      expect(await page.locator('#gift-none:visible').count()).toBe(1);
      await page.locator('#split .gift button').first().click();
      await expect.poll(() => page.locator('#split .gift').count()).toBe(2);
      expect(await page.locator('#rest-amount').textContent()).toMatch(/450[.,]00/);
      expect(await page.locator('#gift:visible').count()).toBe(1);
      await page.reload();
      expect(await page.locator('#split .gift').count()).toBe(2);
    },
    { isForAllLooks: true },
  );

  walks(
    10,
    'is told one thing of what cannot be used, and closed out after five',
    async ({ page, issue }) => {
      browser.expectFault(/429/);
      const card = await issue(1000);
      const wrong = withWrongCode(card);
      for (let entry = 0; entry < 5; entry++) {
        await enterGiftCard(page, wrong);
        await page.locator('#giftNumber-error:visible').waitFor();
      }
      await enterGiftCard(page, card);
      await page.locator('#gift-none:visible').waitFor();
      expect(await page.locator('#split .gift').count()).toBe(0);
    },
    { isForAllLooks: true },
  );

  walks(
    12,
    'pays with a gift card and a card without the script',
    async ({ page, order, issue }) => {
      const card = await issue(12_000);
      await enterGiftCard(page, { ...card, cvc: '' });
      await page.locator('#giftCode-error:visible').waitFor();
      await enterGiftCard(page, card);
      await page.locator('#split .gift').waitFor();
      await fillCard(page, { number: freshCard('credit') });
      await page.locator('#submit').click();
      await page.waitForURL(`${site.origin}/done`);
      expect(await outcomeOf(order)).toEqual({ status: 'Paid', legs: 'Account 12000, Card 38000' });
    },
    { hasScript: false, isForAllLooks: true },
  );

  walks(
    15,
    'pays by the keyboard alone',
    async ({ page, order, issue }) => {
      const card = await issue(60_000);
      await page.locator('#means-GiftCard summary').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.type(card.accountKey);
      await page.keyboard.press('Tab');
      await page.keyboard.type(card.cvc);
      await page.keyboard.press('Enter');
      await page.locator('#submit-gift:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`${site.origin}/done`);
      expect((await outcomeOf(order))?.['status']).toBe('Paid');
    },
    { isForAllLooks: true },
  );

  walks(
    19,
    'removes a gift card and pays with another one alone, without the script',
    async ({ page, order, issue }) => {
      const [kept, away] = [await issue(60_000), await issue(1_000)];
      await enterGiftCard(page, away);
      await page.locator('#split .gift').waitFor();
      await page.locator('#split .gift button').click();
      await page.locator('#split .gift').waitFor({ state: 'detached' });
      await enterGiftCard(page, kept);
      await page.locator('#submit-gift').click();
      await page.waitForURL(`${site.origin}/done`);
      expect(await outcomeOf(order)).toEqual({ status: 'Paid', legs: 'Account 50000' });
      expect(await heldOf(away)).toEqual({ available: 1_000, held: 0 });
    },
    { hasScript: false, isForAllLooks: true },
  );

  walks(
    21,
    'adds two gift cards, removes one, and pays the rest by card, by the keyboard alone',
    async ({ page, order, issue }) => {
      const cards = [await issue(12_000), await issue(3_000)];
      const tabTo = async (selector: string) => {
        for (let presses = 0; presses < 60; presses++) {
          if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
          await page.keyboard.press('Tab');
        }
        throw new Error(`The tabulator does not lead to ${selector}.`);
      };
      await tabTo('#means-GiftCard summary');
      await page.keyboard.press('Enter');
      for (const [index, { accountKey, cvc }] of cards.entries()) {
        await tabTo('#giftNumber');
        await page.keyboard.type(accountKey);
        await tabTo('#giftCode');
        await page.keyboard.type(cvc);
        await page.keyboard.press('Enter');
        await page.locator('#split .gift').nth(index).waitFor();
      }
      await page.locator('main').focus();
      await tabTo('#split .gift button');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('#split .gift').count()).toBe(1);
      await tabTo('#means-CreditCard summary');
      await page.keyboard.press('Enter');
      for (const [field, typed] of [
        ['#number', freshCard('credit')],
        ['#expiry', '1239'],
        ['#cvc', '123'],
      ] as const) {
        await tabTo(field);
        await page.keyboard.type(typed);
      }
      await tabTo('#submit');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${site.origin}/done`);
      expect(await outcomeOf(order)).toEqual({ status: 'Paid', legs: 'Account 3000, Card 47000' });
    },
    { isForAllLooks: true },
  );

  walks(17, 'authenticates the part of the card alone', async ({ page, order, issue }) => {
    await enterGiftCard(page, await issue(12_000));
    await page.locator('#split .gift').waitFor();
    await page.locator('#means-CreditCard summary').click();
    await fillCard(page, { number: freshCard('authenticated') });
    await page.locator('#submit').click();
    await bankOf(page).locator('#approve').waitFor();
    expect(await bankOf(page).locator('body').textContent()).toMatch(/380[.,]00/);
    expect(await page.locator('#bank-shows').textContent()).toMatch(/380[.,]00/);
    await bankOf(page).locator('#approve').click();
    await page.waitForURL(`${site.origin}/done`);
    expect(await outcomeOf(order)).toEqual({ status: 'Paid', legs: 'Account 12000, Card 38000' });
  });

  test('in the view of a page written for another name, which is asked before Pay', async () => {
    const order = await payableOrder(kontor, site);
    const handlers = [
      'onCheckoutLoaded',
      'onInstrumentSelected',
      'onPaymentButtonPressed',
      'onPaymentAttemptStarted',
      'onPaid',
    ];
    const shown = site.viewPage(order.script, { make: 'formerName.hostedView.checkout', handlers });
    const window = await browser.open(shown, { locale: 'en-US', theme: 'light', width: 1440 });
    await window.locator('#open').click();
    const frame = window.frameLocator('iframe');
    const told = () => window.evaluate('told') as Promise<[string, Record<string, unknown>][]>;
    const names = async () => (await told()).map(([name]) => name);
    await frame.locator('#means-CreditCard summary').click();
    await fillCard(frame);
    await frame.locator('#submit').click();
    await expect.poll(names).toEqual(handlers.slice(0, 3));
    await window.evaluate('view.resume({ confirmation: false })');
    await frame.locator('#submit:not([aria-disabled])').click();
    await expect.poll(async () => (await names()).length).toBe(4);
    await window.evaluate('formerName.hostedView.checkout().resume({ confirmation: true })');
    await expect.poll(async () => (await names()).slice(3)).toEqual(handlers.slice(2));
    const of = { paymentOrder: { id: `/psp/paymentorders/${order.order.orderId}` } };
    expect((await told()).at(-1)?.[1]).toEqual({ event: 'onPaid', ...of, redirectUrl: `${site.origin}/done` });
    expect((await told())[1]?.[1]).toEqual({ event: 'onInstrumentSelected', ...of, instrument: 'CreditCard' });
  });
});
