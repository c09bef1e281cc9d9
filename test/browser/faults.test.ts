import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshCard } from '../support/numbers.ts';
import { describeInBrowser, expectAccessibleInTurn } from '../support/payer/browser.ts';
import { type Look, SEES_ALL } from '../support/payer/looks.ts';
import { bankOf, chooseAtBank, pay, payable, shows } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import type { Members } from '../support/shop/card-payments-shop.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';

const LOOK: Look = { locale: 'en-US', theme: 'dark', width: 390 };

describeInBrowser('what is wrong', (browser) => {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([testService({ KONTOR_REQUESTS_PER_MINUTE: '0' }), shopSite()]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  const open = async (members: Members = {}, options = {}) => {
    const payment = await payable(kontor, site, { language: 'en-US', ...members });
    return browser.open(payment.page, LOOK, options);
  };
  const told = (page: Page) => page.locator('#alert:visible li').allTextContents();

  test('is said in one place, which follows the fields', async () => {
    const page = await open();
    await page.locator('#number').fill('4925 0000 0000 0001');
    await page.locator('#submit').click();
    expect(await told(page)).toEqual([
      'This is not a valid card number. Check the digits.',
      'Enter the expiry date, as month and year.',
      'Enter the security code.',
    ]);
    await page.locator('#number').fill(freshCard('credit'));
    await page.locator('#expiry').fill('12/20');
    await page.locator('#cvc').focus();
    expect(await told(page)).toEqual([
      'This card has expired. Check the date, or use another card.',
      'Enter the security code.',
    ]);
    await expectAccessibleInTurn(page);
    await page.locator('#expiry').fill('12/39');
    await page.locator('#cvc').fill('123');
    await page.locator('#name').focus();
    await page.locator('#alert').waitFor({ state: 'hidden' });
    expect(await page.locator('.error:visible').count()).toBe(0);
    await page.locator('#submit').click();
    await page.waitForURL(`${site.origin}/done`);
  });

  test('with a date that is past is said when the field is left', async () => {
    const page = await open();
    await page.locator('#expiry').pressSequentially('0120');
    expect(await page.locator('#expiry-error').isVisible()).toBe(false);
    await page.locator('#cvc').focus();
    await page.locator('#expiry-error:visible').waitFor();
    expect(await page.locator('#expiry-error').textContent()).toContain('expired');
    expect(await page.locator('#alert').isVisible()).toBe(false);
    await page.locator('#expiry').fill('12/39');
    await page.locator('#expiry-error').waitFor({ state: 'hidden' });
  });

  test.skipIf(!SEES_ALL)('is never said beside a decline, nor a decline beside it', async () => {
    const page = await open({ creditCard: { rejectDebitCards: true } });
    await pay(page, { number: freshCard('debit') });
    await shows(page, 'declined');
    expect(await told(page)).toEqual([]);
    expect(await page.locator('#alert-title').textContent()).toBe('The payment did not go through');
    await page.locator('#submit').click();
    await page.locator('#alert[data-about="fields"]').waitFor();
    expect(await page.locator('#alert-title').textContent()).toBe('Please check what you entered');
    expect(await told(page)).toEqual(['Enter the security code.']);
    expect(await page.locator('.alert:visible').count()).toBe(1);
    expect(await page.locator('#alert').textContent()).not.toContain('declined');
  });

  test.skipIf(!SEES_ALL)('with another card is not said of a stored one', async () => {
    const payerReference = 'faults';
    await kontor.importLines([cardLine(1, { payerReference, expiryDate: '11/2039' })]);
    const page = await open({ payerReference });
    await page.locator('#card-new').check();
    await page.locator('#submit').click();
    expect(await told(page)).toHaveLength(3);
    await page.locator('#card-0').check();
    expect(await told(page)).toEqual(['Enter the security code.']);
  });

  test.skipIf(!SEES_ALL)('that only the service knows goes once the field is changed', async () => {
    const page = await open();
    await pay(page, { number: `4111${'1'.repeat(12)}`, name: 'Dagny' });
    await expect.poll(() => told(page)).toEqual(['This is a test environment: use one of the test cards.']);
    expect(await page.locator('#cvc').inputValue()).toBe('123');
    await page.locator('#number').fill(freshCard('credit'));
    await page.locator('#cvc').focus();
    await page.locator('#alert').waitFor({ state: 'hidden' });
  });

  test.each([true, false])(
    'keeps the expiry and the name after 3-D Secure, never the code, nor the number where the window was elsewhere (script: %s)',
    async (javaScriptEnabled) => {
      const page = await open({}, { javaScriptEnabled });
      await pay(page, { number: freshCard('authenticated'), expiry: '12/39', name: 'Dagny Nilsen' });
      if (javaScriptEnabled) await bankOf(page).locator('#cancel-challenge').click();
      else await chooseAtBank(page, '#cancel-challenge');
      await shows(page, 'declined');
      expect(await page.locator('#alert.calm #alert-title').textContent()).toBe('You cancelled');
      expect(await page.locator('#expiry').inputValue()).toBe('12/39');
      expect(await page.locator('#name').inputValue()).toBe('Dagny Nilsen');
      expect(await page.locator('#cvc').inputValue()).toBe('');
      expect((await page.locator('#number').inputValue()) === '').toBe(!javaScriptEnabled);
    },
  );

  test('keeps all of the form where no answer comes', async () => {
    browser.expectFault(/ERR_FAILED/);
    const page = await open();
    await page.route(page.url(), (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await pay(page, { name: 'Dagny' });
    await page.locator('#alert:visible').waitFor();
    expect(await page.locator('#alert-title').textContent()).toBe('Something went wrong');
    for (const field of ['#number', '#expiry', '#cvc', '#name']) {
      expect(await page.locator(field).inputValue()).not.toBe('');
    }
    await page.unroute(page.url());
    await page.locator('#submit').click();
    await page.waitForURL(`${site.origin}/done`);
  });
});
