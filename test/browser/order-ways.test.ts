import { describe, expect } from 'vitest';
import { testCard } from '../support/issuer/three-ds.ts';
import { describeInBrowser, expectAccessibleInTurn } from '../support/payer/browser.ts';
import { SEES_ALL } from '../support/payer/looks.ts';
import { addGiftCard, BY_REDIRECT, openCardForm, orderWalks, payAfterGiftCard } from '../support/payer/order-walk.ts';
import { bankOf, pay } from '../support/payer/payer.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';

const GIFT_AND_CARD = { status: 'Paid', legs: 'Account 12000, Card 38000' };

/** Cards of the test directory server that are paid with, by what they show. */
const UNCHALLENGED = ['01', '02', '03', '06', '08', '09', '10', '13', '14', '15', '16', '18', '19', '20'];
const CHALLENGED = ['00', '07', '17'];
/** A card's bank may be silent for twelve seconds, as long as a step may take elsewhere. */
const PATIENCE = { timeout: 40_000 };

// Each way to pay, in `npm run test:browser` alone: a few are in pay-order.test.ts, and how each state looks is in page-states.test.ts.
describe.skipIf(!SEES_ALL)('each way to pay', () => {
  describeInBrowser('a payer of an order', (browser) => {
    const walks = orderWalks(browser);

    walks(
      'pays with a gift card and a stored card',
      async ({ place, issue, arrives, comeBack, outcome, kontor }) => {
        await kontor.importLines([cardLine(1, { payerReference: 'stored', expiryDate: '11/2039' })]);
        await comeBack();
        await addGiftCard(place, await issue(12_000));
        await openCardForm(place);
        expect(await place.locator('#card-0').isChecked()).toBe(true);
        await place.locator('#cvc').fill('123');
        await place.locator('#submit').click();
        await arrives('done');
        expect(await outcome()).toEqual(GIFT_AND_CARD);
      },
      { members: { terms: { payerReference: 'stored' } } },
    );

    walks('pays with three gift cards alone', async ({ place, issue, arrives, outcome }) => {
      for (const amount of [10_000, 15_000, 30_000]) await addGiftCard(place, await issue(amount));
      await place.locator('#submit-gift').click();
      await arrives('done');
      expect(await outcome()).toEqual({ status: 'Paid', legs: 'Account 10000, Account 15000, Account 25000' });
    });

    walks('pays with three gift cards, and the rest by card', async ({ place, issue, arrives, outcome }) => {
      for (const amount of [10_000, 15_000, 20_000]) await addGiftCard(place, await issue(amount));
      await openCardForm(place);
      await pay(place);
      await arrives('done');
      const legs = 'Account 10000, Account 15000, Account 20000, Card 5000';
      expect(await outcome()).toEqual({ status: 'Paid', legs });
    });

    walks(
      'pays with a gift card where there is no other means',
      async ({ place, issue, arrives, outcome }) => {
        expect(await place.locator('#means-CreditCard, #number').count()).toBe(0);
        await addGiftCard(place, await issue(20_000));
        expect(await place.locator('#submit-gift:visible').count()).toBe(0);
        await addGiftCard(place, await issue(30_000));
        await place.locator('#submit-gift').click();
        await arrives('done');
        expect(await outcome()).toEqual({ status: 'Paid', legs: 'Account 20000, Account 30000' });
      },
      { members: { instrument: 'GiftCard' } },
    );

    walks(
      'pays by card where there is no other means',
      async ({ place, arrives, outcome }) => {
        expect(await place.locator('#giftNumber, summary').filter({ visible: true }).count()).toBeLessThanOrEqual(2);
        expect(await place.locator('#giftNumber').count()).toBe(0);
        await pay(place);
        await arrives('done');
        expect(await outcome()).toEqual({ status: 'Paid', legs: 'Card 50000' });
      },
      { members: { terms: { restrictedToInstruments: ['CreditCard'] } } },
    );

    for (const code of UNCHALLENGED) {
      walks(
        `pays with a gift card and the card ${code}, which no challenge meets`,
        async (walk) => {
          await payAfterGiftCard(walk, testCard(code));
          await walk.window.waitForURL(`${walk.site.origin}/done`, PATIENCE);
          expect(await walk.outcome()).toEqual(GIFT_AND_CARD);
        },
        { ways: BY_REDIRECT },
      );
    }

    for (const code of CHALLENGED) {
      walks(`pays with a gift card and the card ${code}, after a challenge`, async (walk) => {
        const { place, arrives, outcome } = walk;
        await payAfterGiftCard(walk, testCard(code));
        await bankOf(place).locator('#approve').waitFor(PATIENCE);
        expect(await place.locator('#bank-shows').textContent()).toMatch(/380[.,]00/);
        await expectAccessibleInTurn(walk.window);
        await bankOf(place).locator('#approve').click();
        await arrives('done');
        expect(await outcome()).toEqual(GIFT_AND_CARD);
      });
    }
  });
});
