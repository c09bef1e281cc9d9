import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInTurn,
  expectNoSidewaysScroll,
  screenshot,
} from '../support/payer/browser.ts';
import { looksFor, nameOf } from '../support/payer/looks.ts';
import { type TestService, testService } from '../support/service.ts';

describeInBrowser('the first page', (browser) => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await testService();
  });
  afterAll(() => kontor.stop());

  for (const look of looksFor(0)) {
    test(`says where to go from here, ${nameOf(look)}`, async () => {
      const page = await browser.open(kontor.baseUrl, look);
      expect(await page.getByRole('main').getByRole('link').allTextContents()).toContain('Reference');
      await expectAccessibleInTurn(page);
      await screenshot(page, 'first-page', look);
    });
  }

  test('is readable at 320 pixels, and enlarged to 200 %', async () => {
    for (const width of [320, 640]) {
      const page = await browser.open(kontor.baseUrl, { locale: 'en-US', theme: 'light', width });
      await expectNoSidewaysScroll(page);
    }
  });
});
