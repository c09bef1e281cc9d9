import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, screenshot } from '../support/payer/browser.ts';
import { looksFor, nameOf } from '../support/payer/looks.ts';
import { openSignedIn } from '../support/payer/portal-browser.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { ordersShop } from '../support/shop/orders-shop.ts';

/** A dialog that is still moving is none to axe, which then misses the page behind it. */
const settled = (page: Page) => page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');

describeInBrowser('the personal data of a payer', (browser) => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await testService();
  });
  afterAll(() => kontor.stop());

  const address = { streetAddress: 'Saltnestoppen 43', zipCode: '1642', city: 'Saltnes', countryCode: 'NO' };
  async function known(payerReference: string) {
    const email = `${payerReference}@example.com`;
    const payer = { payerReference, firstName: 'Olivia', lastName: 'Nyhuus', email, billingAddress: address };
    await ordersShop(kontor).create({ payer });
    const payment = await cardPaymentsShop(kontor).purchase(1500, {
      payerReference,
      cardholder: { lastName: 'Nyhuus' },
    });
    await cardPaymentsShop(kontor).authorize(payment, { cardholderName: 'Olivia Nyhuus' });
  }

  for (const look of looksFor(3)) {
    test(`is found, taken along and erased with a receipt, ${nameOf(look)}`, async () => {
      const payerReference = `olivia-${look.locale}-${look.theme}-${look.width}`.toLowerCase();
      await known(payerReference);
      const page = await openSignedIn(browser, kontor, look, { path: '/persons' });
      await page.locator('input[type=search]').fill(payerReference);
      await page.locator('form.search-form button').click();
      await page.getByText('Saltnestoppen 43').first().waitFor();
      expect(page.url()).not.toContain('olivia');
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await screenshot(page, 'portal-person', look);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.page-header .actions button').first().click(),
      ]);
      const taken = JSON.parse(await readFile(await download.path(), 'utf8'));
      expect([download.suggestedFilename(), taken.orders[0].payer.firstName]).toEqual(['payer.json', 'Olivia']);
      await page.locator('.page-header .actions button[data-kind=danger]').click();
      const erase = page.getByRole('dialog').locator('button[type=submit]');
      expect(await erase.isDisabled()).toBe(true);
      await page.getByRole('dialog').locator('input').fill(payerReference);
      await settled(page);
      await expectAccessible(page);
      await screenshot(page, 'portal-person-erase', look);
      await erase.click();
      await page.getByRole('dialog').locator('.facts').waitFor();
      await settled(page);
      await expectAccessible(page);
      await screenshot(page, 'portal-person-receipt', look);
      await page.getByRole('dialog').locator('button[data-kind=primary]').click();
      await page.locator('#main table').waitFor();
      expect(await page.locator('#main').textContent()).not.toContain('Saltnestoppen');
    });
  }
});
