import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, type TestBrowser } from '../support/payer/browser.ts';
import { type Look, SEES_ALL } from '../support/payer/looks.ts';
import { bankOf, type Place, pay, payable } from '../support/payer/payer.ts';
import { CARDS, expectAuthentication } from '../support/payer/three-ds-cards.ts';
import { type TestService, testService } from '../support/service.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';
import { until } from '../support/until.ts';

const LOOK: Look = { locale: 'en-US', theme: 'light', width: 1440 };
/** Cards whose bank asks; of 12 it ends the challenge by itself. */
const ASKED = ['00', '07', '11', '12', '17'];
/** The bank may be silent, a browser may wait ten seconds for it, and the machine does other things too. */
const PATIENCE = { timeout: 60_000 };

// In `npm run test:browser` alone: test/three-ds/cards.test.ts sends the forms of all.
describe.skipIf(!SEES_ALL)('each card of the test directory server', () => describeInBrowser('pays on the page', pays));

function pays(browser: TestBrowser): void {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([testService({ KONTOR_REQUESTS_PER_MINUTE: '0' }), shopSite()]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  /** Where the page leads in the end: to the shop, or to the card's decline. */
  async function expectEnd(place: Place & { url(): string }, state: 'paid' | 'declined'): Promise<void> {
    if (state === 'declined') return place.locator('#alert[data-about="payment"]').waitFor(PATIENCE);
    await until(() => place.url() === `${site.origin}/done`, PATIENCE.timeout);
  }

  test.each(CARDS)('$code', PATIENCE, async ({ code, number, ends }) => {
    const payment = await payable(kontor, site, { language: LOOK.locale });
    const page = await browser.open(payment.page, LOOK);
    await pay(page, { number });
    if (ASKED.includes(code) && code !== '12') await bankOf(page).locator('#approve').click(PATIENCE);
    await expectEnd(page, ends[0]);
    await expectAuthentication(kontor, payment.id, ends);
  });

  test.each(CARDS)('$code, without scripts', PATIENCE, async ({ code, number, ends }) => {
    const payment = await payable(kontor, site, { language: LOOK.locale });
    const page = await browser.open(payment.page, LOOK, { javaScriptEnabled: false });
    await pay(page, { number });
    if (ASKED.includes(code)) {
      await page.locator('#lead-on').click(PATIENCE);
      if (code === '12') await untilChallengeEnded(payment.id);
      else await page.locator('#approve').click();
      await page.locator('#go-on').click();
    }
    await expectEnd(page, ends[0]);
    await expectAuthentication(kontor, payment.id, ends);
  });

  /** The bank has told its result; the page at the bank does not say so. */
  async function untilChallengeEnded(id: string): Promise<void> {
    await until(async () => {
      const [row] = await kontor.database.asAdmin(
        `select a.state from authentication a join card_transaction t using (payee_id, transaction_id)
          where t.payment_id = '${id.split('/').at(-1)}'`,
      );
      expect(row).toBeDefined();
      return row?.['state'] !== 'Challenge';
    }, PATIENCE.timeout);
  }
}
