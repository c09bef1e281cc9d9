import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, screenshot } from '../support/payer/browser.ts';
import { isInShare, type Look, looksFor, nameOf, SEES_ALL } from '../support/payer/looks.ts';
import { expectNoRawWords, openSignedIn } from '../support/payer/portal-browser.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Business, openForBusiness } from '../support/shop/portal-seed.ts';

/** A screen, and a text that is there once it has its data. */
interface Screen {
  readonly name: string;
  readonly path: (business: Business) => string;
  readonly shows: RegExp | ((business: Business) => string);
  readonly as?: 'operator';
}

const SCREENS: readonly Screen[] = [
  { name: 'home', path: () => '/', shows: /SEK/ },
  { name: 'payments', path: () => '/payments', shows: /525660|522660/ },
  { name: 'payment-card', path: ({ authorized }) => `/payments/${authorized}`, shows: /1[^0-9]?250[.,]50/ },
  { name: 'payment-account', path: ({ bought }) => `/payments/${bought}`, shows: /125[.,]00/ },
  { name: 'payers', path: () => '/tokens', shows: /berit-berg/ },
  { name: 'payer', path: ({ payerReference }) => `/tokens/${payerReference}`, shows: /onerror=alert/ },
  { name: 'gift-cards', path: () => '/gift-cards', shows: /500[.,]00/ },
  { name: 'gift-card', path: ({ giftCardId }) => `/gift-cards/${giftCardId}`, shows: /500[.,]00/ },
  { name: 'settlements', path: () => '/settlements', shows: /demo-sek/ },
  { name: 'settlement-differences', path: () => '/settlements?tab=differences', shows: /1[^0-9]?293[.,]00/ },
  { name: 'settlement-payouts', path: () => '/settlements?tab=payouts', shows: /demo-sek-fees/ },
  {
    name: 'settlement',
    path: ({ settlementId }) => `/settlements/${settlementId}`,
    shows: /demo-sek-260309/,
  },
  { name: 'dispute', path: ({ disputeId }) => `/disputes/${disputeId}`, shows: /C7495780606/ },
  { name: 'reports', path: () => '/reports?by=day,shop,means,brand', shows: /Kiosk/ },
  { name: 'reports-vat', path: () => '/reports?by=vatRate', shows: /^0\s?%$/ },
  { name: 'reports-trial-balance', path: () => '/reports?tab=trialBalance', shows: /500[.,]00/ },
  { name: 'reports-business-days', path: () => '/reports?tab=businessDays', shows: /1[^0-9]?363[.,]00/ },
  { name: 'ledger', path: () => '/ledger', shows: /500[.,]00/ },
  {
    name: 'ledger-account',
    path: ({ account }) => `/ledger/accounts/${account.paymentAccountId}`,
    shows: /9[^0-9]?675[.,]00/,
  },
  { name: 'credentials', path: () => '/credentials', shows: /tokens:read/ },
  { name: 'calls', path: () => '/calls', shows: /\/psp\/creditcard\/payments/ },
  { name: 'webhooks', path: () => '/webhooks', shows: /127\.0\.0\.1:9/ },
  { name: 'webhook', path: ({ webhookId }) => `/webhooks/${webhookId}`, shows: /No program listens there/ },
  { name: 'activity', path: () => '/activity', shows: /Demo administrator/ },
  { name: 'people', path: () => '/people', shows: /demo@kontor\.example/ },
  { name: 'persons', path: () => '/persons', shows: /./ },
  { name: 'operator', path: () => '/operator', shows: /Demo shop/, as: 'operator' },
  { name: 'operator-products', path: () => '/operator?tab=products', shows: /95781/, as: 'operator' },
  {
    name: 'operator-product',
    path: ({ productId, payeeId }) => `/operator/${payeeId}/${productId}`,
    shows: /500[.,]00/,
    as: 'operator',
  },
  { name: 'operator-issuers', path: () => '/operator?tab=issuers', shows: /kontor acquirers abandon/, as: 'operator' },
  { name: 'operator-keys', path: () => '/operator?tab=keys', shows: /card-data-1/, as: 'operator' },
  { name: 'orders', path: () => '/orders', shows: /shop-portal-order-1/ },
  { name: 'order', path: ({ orders }) => `/orders/${orders.split}`, shows: /500[.,]00/ },
  { name: 'order-open', path: ({ orders }) => `/orders/${orders.open}`, shows: /500[.,]00/ },
  { name: 'order-settings', path: () => '/order-settings', shows: /Europe\/Oslo/ },
  { name: 'elsewhere', path: () => '/nowhere', shows: /./ },
];

/** Screens that a payee without any business sees empty, with what to do. */
const EMPTY = SEES_ALL
  ? ['payments', 'orders', 'payers', 'gift-cards', 'calls', 'webhooks']
  : ['payments', 'gift-cards'];

describeInBrowser('each screen of the portal', (browser) => {
  let kontor: TestService;
  let business: Business;
  beforeAll(async () => {
    kontor = await testService();
    business = await openForBusiness(kontor);
  });
  afterAll(() => kontor.stop());

  for (const [index, { name, path, shows, as = 'administrator' }] of SCREENS.entries()) {
    for (const look of looksFor(index)) {
      test(`${name}, ${nameOf(look)}`, async () => {
        const page = await openSignedIn(browser, kontor, look, { path: path(business), as });
        await expectShown(page, typeof shows === 'function' ? shows(business) : shows);
        await judge(page, `portal-${name}`, look, index);
      });
    }
  }
});

describeInBrowser('a screen of the portal without data', (browser) => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await testService();
  });
  afterAll(() => kontor.stop());

  for (const [index, { name, path }] of SCREENS.filter((screen) => EMPTY.includes(screen.name)).entries()) {
    for (const look of looksFor(index + 11)) {
      test(`${name}, ${nameOf(look)}`, async () => {
        const page = await openSignedIn(browser, kontor, look, { path: path({} as Business) });
        await page.locator('#main .empty').waitFor();
        await judge(page, `portal-${name}-empty`, look, index);
      });
    }
  }
});

async function expectShown(page: Page, text: RegExp | string): Promise<void> {
  const shown = page.locator('#main').getByText(text).first();
  // Reports tell of what was sold ten seconds later: one that is opened sooner may have a part of it, and is opened again.
  const isThere = async () => {
    await page.locator('#main [aria-busy=true]').first().waitFor({ state: 'detached' });
    if (await shown.isVisible()) return true;
    await page.reload();
    return false;
  };
  if (page.url().includes('/reports')) await expect.poll(isThere, { interval: 1000, timeout: 20_000 }).toBe(true);
  await shown.waitFor();
}

/** In the browser: the controls of filters that stand beside others and not on one line with them. */
const UNEVEN_FIELDS = `[...document.querySelectorAll('.filters')].flatMap((filters) => {
  const controls = [...filters.querySelectorAll('input:not([type=checkbox]), .select-button, .button')].map((one) => one.getBoundingClientRect());
  return controls.flatMap((one) => controls
    .filter((other) => other.top < one.bottom && one.top < other.bottom && Math.abs(other.bottom - one.bottom) > 2)
    .map((other) => one.x + ' ' + one.bottom + ' beside ' + other.x + ' ' + other.bottom));
})`;

/** In the browser: what tables hide of their columns, but for those that the keyboard moves sideways. */
const CUT_TABLES = `[...document.querySelectorAll('.table-wrap:not([role=region])')]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  .filter((hidden) => hidden > 0)`;

async function judge(page: Page, name: string, look: Look, number: number): Promise<void> {
  // Of several tables one may still wait.
  await page.locator('#main [aria-busy=true]').first().waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  await expectNoRawWords(page, { isForOperators: /^portal-operator/.test(name) });
  // It takes as long as all else of a screen.
  if (isInShare(number)) await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  expect(await page.evaluate<string[]>(UNEVEN_FIELDS)).toEqual([]);
  expect(await page.evaluate<number[]>(CUT_TABLES)).toEqual([]);
  await screenshot(page, name, look);
}
