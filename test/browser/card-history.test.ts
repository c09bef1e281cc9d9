import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giftCardNumber } from '../../src/gift-cards/card-number.rules.ts';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, screenshot } from '../support/payer/browser.ts';
import { looksFor, nameOf } from '../support/payer/looks.ts';
import { openSignedIn } from '../support/payer/portal-browser.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { cardCommand } from '../support/shop/card-command.ts';
import { kontor as builtCommand, settingsOf } from '../support/shop/tokens-command.ts';

describeInBrowser('the history of an imported card', (browser) => {
  let kontor: TestService;
  let folder: string;
  let lost: string;
  let fresh: string;
  beforeAll(async () => {
    kontor = await serviceWithoutJobs();
    folder = await mkdtemp(join(tmpdir(), 'kontor-card-history-'));
    const [product] = await kontor.database.asAdmin('select number_prefix, number_length from gift_card_product');
    const { number_prefix: numberPrefix, number_length: numberLength } = product as never;
    const digits = String(Date.now()).slice(-(numberLength - String(numberPrefix).length - 1));
    const accountKey = giftCardNumber({ numberLength, numberPrefix }, digits);
    const path = join(folder, 'cards-of-the-programme-before-2026.ndjson');
    await writeFile(path, `${JSON.stringify({ accountKey, expiryDate: '2031-06-30', balance: 12_500 })}\n`);
    await builtCommand(['gift-cards', 'import', path, '--payee', kontor.payeeId], settingsOf(kontor));
    const { json } = cardCommand(kontor);
    lost = (await json(['show', '--number'], accountKey)).accountId;
    await json(['extend', '--file', path, '--until', '2033-06-30']);
    await json(['block', lost, '--reason', 'The holder has lost it on the way home']);
    fresh = (await json(['replace', lost, '--reason', 'Lost'])).replacement.accountId;
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await kontor.stop();
  });

  for (const look of looksFor(0)) {
    test(`says where it is from, and leads to the card in its place and back, ${nameOf(look)}`, async () => {
      const page = await openSignedIn(browser, kontor, look, { path: `/gift-cards/${lost}` });
      const main = page.locator('#main');
      await main.getByText('cards-of-the-programme-before-2026.ndjson').first().waitFor();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await screenshot(page, 'portal-card-history', look);
      await main.locator(`a[href$="/gift-cards/${fresh}"]`).click();
      const back = main.locator(`a[href$="/gift-cards/${lost}"]`);
      await back.waitFor();
      expect(await back.count()).toBe(1);
      await expectNoSidewaysScroll(page);
      await screenshot(page, 'portal-card-in-its-place', look);
    });
  }
});
