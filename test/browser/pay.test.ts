import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshCard } from '../support/numbers.ts';
import { describeInBrowser } from '../support/payer/browser.ts';
import { isInShare, looksFor, nameOf, SEES_ALL } from '../support/payer/looks.ts';
import { bankOf, expire, outcomeOf, type Payable, pay, payable, shows as showsAt } from '../support/payer/payer.ts';
import { isFramed, type Visit, visit, WAYS } from '../support/payer/visit.ts';
import { type TestService, testService } from '../support/service.ts';
import type { Members } from '../support/shop/card-payments-shop.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';

/** A payer in front of a payment. */
interface PaymentVisit extends Visit {
  readonly payment: Payable;
}

describeInBrowser('a payer', (browser) => {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([testService({ KONTOR_REQUESTS_PER_MINUTE: '0' }), shopSite()]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  let turn = 0;
  let place = 0;
  /** The same visit in every way and look; where a single look is asked for, every third one, in one way, turn about. */
  function visits(
    number: number,
    name: string,
    walk: (visit: PaymentVisit) => Promise<void>,
    members: Members = {},
  ): void {
    describe.skipIf(!isInShare(place++))(name, () => {
      const ways = SEES_ALL ? WAYS : WAYS.filter((_way, index) => index === turn);
      turn = (turn + 1) % WAYS.length;
      for (const [index, way] of ways.entries()) {
        for (const look of looksFor(number + index)) {
          test(`${way}, ${nameOf(look)}`, async () => {
            const payment = await payable(kontor, site, { language: look.locale, ...members });
            await walk({ ...(await visit(browser, site, { link: payment, way, look })), payment });
          });
        }
      }
    });
  }

  visits(0, 'pays', async ({ payment, place, arrives }) => {
    await pay(place);
    await arrives('done');
    expect(await outcomeOf(kontor, payment)).toEqual({ state: 'Ready', transactions: ['Authorization Completed'] });
  });

  visits(
    2,
    'is declined, and pays with another card',
    async ({ payment, place, arrives, shows }) => {
      await pay(place, { number: freshCard('debit') });
      await shows('declined');
      expect(await place.locator('#cvc').inputValue()).toBe('');
      await pay(place, { number: freshCard('credit') });
      await arrives('done');
      const { transactions } = await outcomeOf(kontor, payment);
      expect(transactions).toEqual(['Authorization Failed', 'Authorization Completed']);
    },
    { creditCard: { rejectDebitCards: true } },
  );

  visits(
    4,
    'is declined for good',
    async ({ payment, place, arrives, shows }) => {
      for (const _try of [1, 2]) {
        await pay(place, { number: freshCard('debit') });
        await shows('declined');
      }
      await pay(place, { number: freshCard('debit') });
      await arrives('done');
      expect((await outcomeOf(kontor, payment)).state).toBe('Failed');
    },
    { prices: [{ type: 'CreditCard', amount: 900_361, vatAmount: 0 }] },
  );

  visits(6, 'confirms to be the holder of the card', async ({ payment, place, arrives }) => {
    await pay(place, { number: freshCard('authenticated') });
    await bankOf(place).locator('#approve').click();
    await arrives('done');
    expect((await outcomeOf(kontor, payment)).transactions).toEqual(['Authorization Completed']);
  });

  visits(8, 'is not the holder of the card, and pays with another one', async ({ payment, place, arrives, shows }) => {
    await pay(place, { number: freshCard('authenticated') });
    await bankOf(place).locator('#decline').click();
    await shows('declined');
    await pay(place);
    await arrives('done');
    const { transactions } = await outcomeOf(kontor, payment);
    expect(transactions).toEqual(['Authorization Failed', 'Authorization Completed']);
  });

  visits(10, 'goes back from the challenge', async ({ place, arrives, shows }) => {
    await pay(place, { number: freshCard('authenticated') });
    await bankOf(place).locator('#cancel-challenge').click();
    await shows('declined');
    await pay(place);
    await arrives('done');
  });

  visits(12, 'cancels, and may come back', async ({ payment, place, arrives, window }) => {
    await place.locator('#cancel').click();
    await arrives('cancelled');
    expect(await outcomeOf(kontor, payment)).toEqual({ state: 'Ready', transactions: [] });
    await window.goto(payment.page);
    await pay(window);
    await window.waitForURL(`${site.origin}/done`);
  });

  visits(14, 'reloads the page', async ({ place, arrives, window, shows }) => {
    await place.locator('#number').fill(freshCard('credit'));
    await window.reload();
    if (isFramed(window)) await window.locator('#open').click();
    await shows('ready');
    expect(await place.locator('#number').inputValue()).toBe('');
    await pay(place);
    await arrives('done');
  });

  visits(16, 'loses the window in the challenge, and goes on', async ({ place, arrives, comeBack, shows }) => {
    await pay(place, { number: freshCard('authenticated') });
    await bankOf(place).locator('#approve').waitFor();
    await comeBack();
    await shows('authentication');
    await place.locator('#continue').click();
    await bankOf(place).locator('#approve').click();
    await arrives('done');
  });

  visits(18, 'presses the button twice', async ({ payment, place, arrives }) => {
    await place.locator('#number').fill(freshCard('credit'));
    await place.locator('#expiry').fill('12/39');
    await place.locator('#cvc').fill('123');
    await place.locator('#submit').dblclick();
    await arrives('done');
    expect((await outcomeOf(kontor, payment)).transactions).toEqual(['Authorization Completed']);
  });

  visits(20, 'pays in two windows', async ({ payment, place, arrives, shows, window }) => {
    const other = await window.context().newPage();
    await other.goto(payment.page);
    await Promise.all([pay(place, { number: freshCard('credit') }), pay(other, { number: freshCard('credit') })]);
    // Each of them arrives, or is told that the payment is paid.
    await Promise.any([arrives('done'), shows('paid')]);
    await Promise.any([other.waitForURL(`${site.origin}/done`), showsAt(other, 'paid')]);
    const { transactions } = await outcomeOf(kontor, payment);
    expect(transactions.filter((one) => one === 'Authorization Completed')).toHaveLength(1);
  });

  visits(22, 'comes back with the back button', async ({ payment, place, arrives, window, shows }) => {
    await pay(place);
    await arrives('done');
    await window.goBack();
    if (!isFramed(window)) return shows('paid');
    // A shop's page is as it was before: the view opens again, finds the payment paid, and says so.
    await window.locator('#open').click();
    await arrives('done');
    expect((await outcomeOf(kontor, payment)).transactions).toEqual(['Authorization Completed']);
  });

  visits(24, 'comes after the payment has expired', async ({ payment, place, comeBack, shows, arrives, window }) => {
    await expire(kontor, payment);
    await comeBack();
    // In the view the shop is told, which without a handler means that the browser goes on.
    if (isFramed(window)) return arrives('done');
    await shows('expired');
    expect(await place.locator('#submit').count()).toBe(0);
  });

  visits(1, 'pays with a card as their browser fills it in', async ({ payment, place, arrives }) => {
    await place.locator('#number').fill('\u200e4925.0000.0000.0004\u200e');
    await place.locator('#expiry').fill('2039-12');
    await place.locator('#cvc').fill('\uff11\uff12\uff13');
    expect(await place.locator('#number').inputValue()).toBe('4925 0000 0000 0004');
    expect(await place.locator('#expiry').inputValue()).toBe('12/39');
    expect(await place.locator('#cvc').inputValue()).toBe('123');
    await place.locator('#submit').click();
    await arrives('done');
    expect((await outcomeOf(kontor, payment)).transactions).toEqual(['Authorization Completed']);
  });

  visits(3, 'types a card in the digits of their keyboard, the year first', async ({ payment, place, arrives }) => {
    await place
      .locator('#number')
      .pressSequentially(
        '\u0664\u0669\u0662\u0665\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0664',
      );
    await place.locator('#expiry').pressSequentially('2039-12');
    await place.locator('#cvc').pressSequentially('\u0661\u0662\u0663');
    expect(await place.locator('#expiry').inputValue()).toBe('12/39');
    await place.locator('#submit').click();
    await arrives('done');
    expect((await outcomeOf(kontor, payment)).transactions).toEqual(['Authorization Completed']);
  });

  visits(5, 'pays with a card that has no code', async ({ payment, place, arrives }) => {
    await place.locator('#number').fill('6764429999947470');
    await place.locator('#expiry').fill('12/39');
    await place.locator('#submit').click();
    await arrives('done');
    expect((await outcomeOf(kontor, payment)).transactions).toEqual(['Authorization Completed']);
  });
});
