import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshCard } from '../support/numbers.ts';
import { describeInBrowser, expectAccessibleInTurn } from '../support/payer/browser.ts';
import { type Look, SEES_ALL } from '../support/payer/looks.ts';
import { chooseAtBank, outcomeOf, pay, payable } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';

const LOOK: Look = { locale: 'nb-NO', theme: 'light', width: 390 };
const NO_SCRIPT = { javaScriptEnabled: false };

describeInBrowser('without scripts', (browser) => {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([testService({ KONTOR_REQUESTS_PER_MINUTE: '0' }), shopSite()]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  const open = async (members: object = {}) => {
    const payment = await payable(kontor, site, { language: LOOK.locale, ...members });
    return { payment, page: await browser.open(payment.page, LOOK, NO_SCRIPT) };
  };

  test('a payer pays', async () => {
    const { payment, page } = await open();
    await pay(page, { expiry: '12/39' });
    await page.waitForURL(`${site.origin}/done`);
    expect((await outcomeOf(kontor, payment)).transactions).toEqual(['Authorization Completed']);
  });

  test('a payer is told what is wrong, and what was right is still there but for the card', async () => {
    browser.expectFault(/422/);
    const { page } = await open();
    await pay(page, { number: '4925000000000001', expiry: '1/20', cvc: '1', name: 'Dagny' });
    await page.locator('#alert[data-about="fields"]').waitFor();
    for (const field of ['number', 'expiry', 'cvc']) {
      expect(await page.locator(`#${field}-error`).textContent()).not.toBe('');
      expect(await page.locator(`#${field}`).getAttribute('aria-invalid')).toBe('true');
    }
    expect(await page.locator('#name').inputValue()).toBe('Dagny');
    expect(await page.locator('#number').inputValue()).toBe('');
    expect(await page.locator('#cvc').inputValue()).toBe('');
  });

  test('a payer is declined, and pays with another card', async () => {
    const { page } = await open({ creditCard: { rejectDebitCards: true } });
    await pay(page, { number: freshCard('debit'), expiry: '12/39' });
    await page.locator('#alert[data-about="payment"]').waitFor();
    await pay(page, { number: freshCard('credit'), expiry: '12/39' });
    await page.waitForURL(`${site.origin}/done`);
  });

  test.skipIf(!SEES_ALL)('a payer authenticates', async () => {
    const { payment, page } = await open();
    await pay(page, { number: freshCard('authenticated'), expiry: '12/39' });
    await chooseAtBank(page, '#approve');
    await page.waitForURL(`${site.origin}/done`);
    expect((await outcomeOf(kontor, payment)).transactions).toEqual(['Authorization Completed']);
  });

  test.skipIf(!SEES_ALL)('a payer comes back to a shop that sends them on to another of its names', async () => {
    const urls = { completeUrl: site.moved('done'), cancelUrl: site.moved('cancelled') };
    const { page } = await open({ urls });
    await page.locator('#cancel').click();
    await page.waitForURL(`${site.otherOrigin}/cancelled`);

    const paying = (await open({ urls })).page;
    await pay(paying, { expiry: '12/39' });
    await paying.waitForURL(`${site.otherOrigin}/done`);

    const confirming = (await open({ urls })).page;
    await pay(confirming, { number: freshCard('authenticated'), expiry: '12/39' });
    await chooseAtBank(confirming, '#approve');
    await confirming.waitForURL(`${site.otherOrigin}/done`);
  });

  test.skipIf(!SEES_ALL)('a payer in a view comes back from the whole window', async () => {
    const urls = { cancelUrl: site.moved('cancelled') };
    const { payment } = await open({ urls });
    const page = await browser.open(`${payment.page}/frame`, LOOK, NO_SCRIPT);
    await page.locator('#cancel').click();
    await page.waitForURL(`${site.otherOrigin}/cancelled`);
  });

  test('a payer is asked before a stored card is removed, and need not save the other', async () => {
    const payerReference = 'without-scripts';
    await kontor.importLines([cardLine(1, { payerReference, expiryDate: '11/2039' })]);
    const { payment, page } = await open({ payerReference, generatePaymentToken: true });
    expect(await page.locator('#consent').isVisible()).toBe(false);
    await page.locator('#card-new').check();
    expect(await page.locator('#consent').isVisible()).toBe(true);
    await page.locator('.choice .quiet').click();
    await page.locator('#confirm-removal').click();
    await page.locator('html[data-state="ready"]').waitFor();
    expect(await page.locator('.choice').count()).toBe(0);
    await pay(page, { expiry: '12/39' });
    await page.waitForURL(`${site.origin}/done`);
    expect((await kontor.send('GET', `${payment.id}/paid`)).body.paid.tokens).toEqual([]);
  });

  test.skipIf(!SEES_ALL)('a payer pays in the view, and is told so there', async () => {
    const { payment } = await open();
    const page = await browser.open(`${payment.page}/frame`, LOOK, NO_SCRIPT);
    await pay(page, { expiry: '12/39' });
    await page.locator('html[data-state="paid"]').waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(kontor.baseUrl).origin);
  });

  test('the page is accessible', async () => {
    const payment = await payable(kontor, site, { language: LOOK.locale });
    // axe is a script itself: it looks at what the page is like before its own script has run.
    const page = await browser.open('about:blank', LOOK);
    await page.route('**/checkout/*.js', (route) => route.abort());
    browser.expectFault(/ERR_FAILED/);
    await page.goto(payment.page);
    await expectAccessibleInTurn(page);
  });
});
