import { describe, expect } from 'vitest';
import { textsIn } from '../../src/payments/page/page-language.http.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { freshCard } from '../support/numbers.ts';
import { describeInBrowser, expectAccessibleInTurn } from '../support/payer/browser.ts';
import { SEES_ALL } from '../support/payer/looks.ts';
import {
  addGiftCard,
  alerts,
  BY_REDIRECT,
  changeOrder,
  enterGiftCard,
  moneyOf,
  openCardForm,
  orderWalks,
  payAfterGiftCard,
  withWrongCode,
} from '../support/payer/order-walk.ts';
import { type OrderMembers, payableOrder } from '../support/payer/payable-order.ts';
import { bankOf, fillCard, pay, shows as showsAt } from '../support/payer/payer.ts';
import { isFramed } from '../support/payer/visit.ts';
import { cardLife } from '../support/shop/card-life.ts';
import type { IssuedCard } from '../support/shop/gift-cards-seller.ts';
import { until } from '../support/until.ts';

const GIFT_AND_CARD = { status: 'Paid', legs: 'Account 12000, Card 38000' };
const REJECTS_DEBIT = { members: { terms: { cards: { rejectDebitCards: true } } } };
/** An issuer says yes to it, but only after a second. */
const SLOW = { members: { amount: 900_305, orderItems: [] } as unknown as OrderMembers };
/** Cards of the test directory server whose holder is not authenticated. */
const NOT_AUTHENTICATED = ['04', '05', '11', '12'];
/** A card's bank may wait for some seconds by itself. */
const PATIENCE = { timeout: 40_000 };

// Each way to fail, in `npm run test:browser` alone: a few are in pay-order.test.ts, and how each state looks is in page-states.test.ts.
describe.skipIf(!SEES_ALL)('each way to fail', () => {
  describeInBrowser('a payer of an order', (browser) => {
    const walks = orderWalks(browser);

    for (const code of NOT_AUTHENTICATED) {
      walks(
        `is not authenticated with the card ${code}, and keeps the gift card for another one`,
        async (walk) => {
          const { place, arrives, shows, outcome, kontor } = walk;
          const card = await payAfterGiftCard(walk, testCard(code));
          if (code === '11') await bankOf(place).locator('#approve').click();
          await place.locator('#alert[data-about="payment"]').waitFor(PATIENCE);
          await shows('declined');
          expect(await moneyOf(kontor, card)).toEqual({ available: 0, held: 12_000 });
          await pay(place);
          await arrives('done');
          expect(await outcome()).toEqual(GIFT_AND_CARD);
        },
        { ways: BY_REDIRECT },
      );
    }

    walks('goes back from the challenge, removes the gift card, and pays all by card', async (walk) => {
      const { place, arrives, shows, outcome, kontor } = walk;
      const card = await payAfterGiftCard(walk, freshCard('authenticated'));
      await bankOf(place).locator('#cancel-challenge').click();
      await shows('declined');
      await place.locator('#split .gift button').click();
      await place.locator('#split .gift').waitFor({ state: 'detached' });
      expect(await moneyOf(kontor, card)).toEqual({ available: 12_000, held: 0 });
      expect(await place.locator('#submit-label').textContent()).toMatch(/500[.,]00/);
      await pay(place);
      await arrives('done');
      expect(await outcome()).toEqual({ status: 'Paid', legs: 'Card 50000' });
    });

    walks('loses the window in the challenge, and goes on', async (walk) => {
      const { place, arrives, shows, comeBack, outcome } = walk;
      await payAfterGiftCard(walk, freshCard('authenticated'));
      await bankOf(place).locator('#approve').waitFor();
      await comeBack();
      await shows('authentication');
      expect(await place.locator('#split .gift').count()).toBe(1);
      expect(await place.locator('.notice').textContent()).toMatch(/380[.,]00/);
      await place.locator('#continue').click();
      await bankOf(place).locator('#approve').click();
      await arrives('done');
      expect(await outcome()).toEqual(GIFT_AND_CARD);
    });

    walks(
      'is declined, comes back, and finds the gift card kept',
      async (walk) => {
        const { place, arrives, shows, comeBack, outcome } = walk;
        await payAfterGiftCard(walk, freshCard('debit'));
        await shows('declined');
        await comeBack();
        await shows('declined');
        expect(await place.locator('#alert-text').textContent()).toMatch(/\d\d?[.:]\d\d/);
        expect(await place.locator('#split .gift').count()).toBe(1);
        await pay(place, { number: freshCard('credit') });
        await arrives('done');
        expect(await outcome()).toEqual(GIFT_AND_CARD);
      },
      REJECTS_DEBIT,
    );

    walks(
      'is declined for good, and the gift card has its money again',
      async (walk) => {
        const { place, arrives, shows, outcome, kontor } = walk;
        const card = await payAfterGiftCard(walk, freshCard('debit'));
        for (const _try of [2, 3]) {
          await shows('declined');
          await pay(place, { number: freshCard('debit') });
        }
        await arrives('done');
        expect(await outcome()).toEqual({ status: 'Failed', legs: '' });
        expect(await moneyOf(kontor, card)).toEqual({ available: 12_000, held: 0 });
      },
      REJECTS_DEBIT,
    );

    walks('is told what is wrong with a gift card, and pays with a good one', async (walk) => {
      const { place, issue, look, window, arrives, outcome, kontor } = walk;
      const texts = textsIn(look.locale);
      const [good, empty, old, foreign] = [await issue(50_000), await issue(100), await issue(100), await issue(100)];
      await cardLife(kontor).spend(empty, 100);
      await kontor.database.asAdmin(
        `update account set expires_at = kontor_now() where account_id = '${old.paymentAccountId}'`,
      );
      const told: (readonly [IssuedCard, string])[] = [
        [withWrongCode(good), texts.giftNotUsable],
        [{ ...good, accountKey: '9578099999999993' }, texts.giftNotUsable],
        [empty, texts.giftEmpty],
        [old, texts.giftExpired],
      ];
      for (const [card, text] of told) {
        await enterGiftCard(place, card);
        await place.locator('#giftNumber-error').filter({ hasText: text }).waitFor();
        await place.locator('#add-gift:not([aria-disabled])').waitFor();
        expect(await place.locator('#giftNumber').inputValue()).toBe('');
      }
      await expectAccessibleInTurn(window);
      await addGiftCard(place, foreign);
      await enterGiftCard(place, foreign);
      await place.locator('#giftNumber-error').filter({ hasText: texts.giftAlreadyAdded }).waitFor();
      await addGiftCard(place, good);
      await place.locator('#submit-gift').click();
      await arrives('done');
      expect(await outcome()).toEqual({ status: 'Paid', legs: 'Account 100, Account 49900' });
    });

    walks('pays what is left once the money of a gift card was spent elsewhere', async (walk) => {
      const { place, issue, look, arrives, outcome, kontor } = walk;
      const card = await issue(12_000);
      await addGiftCard(place, card);
      await openCardForm(place);
      await cardLife(kontor).spend(card, 5_000);
      await pay(place);
      await alerts(place, textsIn(look.locale).changedTitle);
      expect(await place.locator('#rest-amount').textContent()).toMatch(/430[.,]00/);
      expect(await outcome()).toEqual({ status: 'Initialized', legs: '' });
      await place.locator('#submit').click();
      await arrives('done');
      expect(await outcome()).toEqual({ status: 'Paid', legs: 'Account 7000, Card 43000' });
    });

    walks('pays the amount that the shop has changed meanwhile, once it was seen', async (walk) => {
      const { place, issue, look, arrives, outcome } = walk;
      await addGiftCard(place, await issue(12_000));
      await openCardForm(place);
      const updated = await changeOrder(walk, {
        operation: 'UpdateOrder',
        amount: 40_000,
        vatAmount: 0,
        orderItems: [],
      });
      expect(updated.status).toBe(200);
      await pay(place);
      await alerts(place, textsIn(look.locale).changedTitle);
      for (const shown of await place.locator('.total').allTextContents()) expect(shown).toMatch(/400[.,]00/);
      expect(await place.locator('.items').count()).toBe(0);
      expect(await place.locator('#rest-amount').textContent()).toMatch(/280[.,]00/);
      await place.locator('#submit').click();
      await arrives('done');
      expect(await outcome()).toEqual({ status: 'Paid', legs: 'Account 12000, Card 28000' });
    });

    walks('adds a gift card in one window, and sees it in the other before anything is charged', async (walk) => {
      const { place, order, issue, window, arrives, outcome } = walk;
      const other = await window.context().newPage();
      await other.goto(order.page);
      await addGiftCard(other, await issue(12_000));
      await openCardForm(place);
      await pay(place);
      await place.locator('#alert.calm:visible').waitFor();
      expect(await place.locator('#split .gift').count()).toBe(1);
      await place.locator('#submit').click();
      await arrives('done');
      expect(await outcome()).toEqual(GIFT_AND_CARD);
    });

    walks('pays in two windows, and is charged once', async (walk) => {
      const { place, order, issue, window, arrives, shows, outcome, kontor, site } = walk;
      const card = await issue(12_000);
      await addGiftCard(place, card);
      const other = await window.context().newPage();
      await other.goto(order.page);
      await openCardForm(place);
      await fillCard(place, { number: freshCard('credit') });
      await fillCard(other, { number: freshCard('credit') });
      await Promise.all([place.locator('#submit').click(), other.locator('#submit').click()]);
      await Promise.any([arrives('done'), shows('paid')]);
      await Promise.any([other.waitForURL(`${site.origin}/done`), showsAt(other, 'paid')]);
      expect(await outcome()).toEqual(GIFT_AND_CARD);
      expect(await moneyOf(kontor, card)).toEqual({ available: 0, held: 12_000 });
    });

    walks(
      'cannot add a gift card while another window pays',
      async ({ place, order, issue, window, look, arrives, outcome, kontor }) => {
        const [card, other] = [await issue(12_000), await window.context().newPage()];
        await other.goto(order.page);
        await openCardForm(place);
        await pay(place);
        await until(async () => {
          const tries = `select unsettled::int from card_payment where payment_id = '${order.order.cardPaymentId}'`;
          return (await kontor.database.asAdmin(tries))[0]?.['unsettled'] === 1;
        });
        await enterGiftCard(other, card);
        // Where it took longer than the payment the window shows that it is paid.
        await Promise.any([showsAt(other, 'paid'), alerts(other, textsIn(look.locale).busyTitle)]);
        await arrives('done');
        expect(await outcome()).toEqual({ status: 'Paid', legs: 'Card 900305' });
        expect(await moneyOf(kontor, card)).toEqual({ available: 12_000, held: 0 });
      },
      SLOW,
    );

    walks('comes too late', async ({ place, order, issue, window, shows, arrives, kontor }) => {
      const card = await issue(12_000);
      await addGiftCard(place, card);
      await openCardForm(place);
      await kontor.database.asAdmin(
        `update payment_order set expires_at = kontor_now() where order_id = '${order.order.orderId}';
         update card_payment set expires_at = kontor_now() where payment_id = '${order.order.cardPaymentId}'`,
      );
      await pay(place);
      // In the view the shop is told, which without a handler means that the browser goes on.
      if (isFramed(window)) await arrives('done');
      else await shows('expired');
      expect(await moneyOf(kontor, card)).toEqual({ available: 12_000, held: 0 });
    });

    walks('pays when the shop has just aborted the order', async (walk) => {
      const { place, issue, window, shows, arrives, outcome, kontor } = walk;
      const card = await issue(50_000);
      await addGiftCard(place, card);
      expect((await changeOrder(walk, { operation: 'Abort', abortReason: 'SoldOut' })).status).toBe(200);
      await place.locator('#submit-gift').click();
      if (isFramed(window)) await arrives('done');
      else await shows('aborted');
      expect(await outcome()).toEqual({ status: 'Aborted', legs: '' });
      expect(await moneyOf(kontor, card)).toEqual({ available: 50_000, held: 0 });
    });

    walks('cancels, and finds it cancelled', async ({ place, order, issue, window, arrives, outcome, site }) => {
      await addGiftCard(place, await issue(12_000));
      if (isFramed(window)) await window.evaluate('view.cancel()');
      else await place.locator('#cancel').click();
      await arrives('cancelled');
      expect(await outcome()).toEqual({ status: 'Aborted', legs: '' });
      await window.goto(order.page);
      await showsAt(window, 'aborted');
      expect(await window.locator('#back').getAttribute('href')).toBe(`${site.origin}/cancelled`);
    });

    walks(
      'adds, removes and pays again where no answer comes',
      async ({ place, issue, window, look, arrives, outcome }) => {
        browser.expectFault(/ERR_FAILED/);
        const card = await issue(50_000);
        const { troubleTitle } = textsIn(look.locale);
        const cut = () =>
          window
            .context()
            .route('**/pay/**', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
        const mend = () => window.context().unrouteAll();
        await cut();
        await enterGiftCard(place, card);
        await alerts(place, troubleTitle);
        await mend();
        await addGiftCard(place, card);
        await cut();
        await place.locator('#submit-gift').click();
        await alerts(place, troubleTitle);
        await mend();
        await place.locator('#submit-gift').click();
        await arrives('done');
        expect(await outcome()).toEqual({ status: 'Paid', legs: 'Account 50000' });
      },
    );

    walks(
      'is stopped where too many were tried from the network',
      async (walk) => {
        const { place, issue, look, window, comeBack, kontor, site } = walk;
        browser.expectFault(/429/);
        const from = { 'x-forwarded-for': '203.0.113.9' };
        await window.context().setExtraHTTPHeaders(from);
        for (const round of [1, 2]) {
          const page = await window.context().newPage();
          await page.goto((await payableOrder(kontor, site)).page);
          for (const entry of [1, 2, 3, 4, 5]) {
            await enterGiftCard(page, { accountKey: `957802${round}${entry}00000000`, cvc: '123' });
            await page.locator('#giftNumber-error:visible').waitFor();
            await page.locator('#add-gift:not([aria-disabled])').waitFor();
          }
        }
        await enterGiftCard(place, await issue(12_000));
        await alerts(place, textsIn(look.locale).meansGift);
        expect(await place.locator('#alert-text').textContent()).toMatch(/\b10\b|\b9\b/);
        await expectAccessibleInTurn(window);
        await comeBack();
        await place.locator('#means-GiftCard summary').click();
        await place.locator('#gift-none:visible').waitFor();
        expect(await place.locator('#giftNumber:visible, #split .gift').count()).toBe(0);
      },
      { ways: BY_REDIRECT },
    );
  });
});
