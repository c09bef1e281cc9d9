import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, screenshot } from '../support/payer/browser.ts';
import { isInShare, looksFor, nameOf, SEES_ALL } from '../support/payer/looks.ts';
import { type TestService, testService } from '../support/service.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';
import { MORE_ORDER_STATES, ORDER_STATES } from './order-states.ts';
import { PAGE_STATES } from './page-states.ts';

/** Windows of 1280 pixels at 200 % and at 400 %: nothing may have to be moved sideways. */
const NARROW = [640, 320];

describeInBrowser('the payment page', (browser) => {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([
      testService({ KONTOR_REQUESTS_PER_MINUTE: '0', KONTOR_TRUSTED_PROXIES: '127.0.0.1' }),
      shopSite(),
    ]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  const states = { ...PAGE_STATES, ...ORDER_STATES, ...(SEES_ALL ? MORE_ORDER_STATES : {}) };
  for (const [number, [state, bring]] of Object.entries(states).entries()) {
    // What a state shows is looked at without a browser too, in test/payments and test/orders.
    describe.skipIf(!isInShare(number))(state, () => {
      for (const look of looksFor(number)) {
        test(`can be read by all, ${nameOf(look)}`, async () => {
          const page = await bring({ kontor, site, browser, look });
          await screenshot(page, `page-${state.replace(/\W+/g, '-')}`, look);
          expect(await page.locator('h1').count()).toBe(1);
          await expectAccessible(page);
          for (const width of NARROW) {
            await page.setViewportSize({ width, height: 700 });
            await expectNoSidewaysScroll(page);
          }
        });
      }
    });
  }
});
