import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayeeId, parsePayeeId } from '../../src/kit/ids.ts';
import type { SettlementService } from '../../src/settlements/settlements.types.ts';
import { commandServices } from '../../src/wiring/slices.ts';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, screenshot } from '../support/payer/browser.ts';
import { looksFor, nameOf, oneLook } from '../support/payer/looks.ts';
import { openSignedIn } from '../support/payer/portal-browser.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { agreementOf, fileOf, settling } from '../support/settlements.ts';

/** In the browser: what the tables of a dialog have of columns that only moving sideways shows. */
const CUT_TABLES = `[...document.querySelectorAll('[role=dialog] table')]
  .map(({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth - clientWidth)
  .filter((hidden) => hidden > 0)`;

describeInBrowser('the import of a settlement file', (browser) => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await serviceWithoutJobs();
    // A sandbox has no acquirers whose files it would read.
    const { context } = (await commandServices(kontor.service).settlements()) as SettlementService;
    const agreement = agreementOf(parsePayeeId(kontor.payeeId) as PayeeId);
    Object.assign(context.hosts, settling([agreement]).hosts);
  });
  afterAll(() => kontor.stop());

  test.each(oneLook(1))('says so where others have imported the file since it was looked at', async (look) => {
    const choose = async () => {
      const page = await openSignedIn(browser, kontor, look, { path: '/settlements?tab=imports' });
      await page.locator('#main .filters button').click();
      const buffer = Buffer.from(fileOf('same', [{ type: 'Fee', feeAmount: -250 }]));
      await page.locator('input[type=file]').setInputFiles({ name: 'same.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('dialog').getByText('same', { exact: true }).waitFor();
      return page;
    };
    const [one, other] = [await choose(), await choose()];
    const sent: string[] = [];
    one.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await one.getByRole('dialog').locator('button[type=submit]').click();
    await one.locator('#main').getByText('same.csv').waitFor();
    expect(sent, 'the file goes once, to be taken').toHaveLength(1);
    await other.getByRole('dialog').locator('button[type=submit]').click();
    await other.getByRole('dialog').getByRole('status').waitFor();
    expect(await other.getByRole('dialog').locator('button[type=submit]').isEnabled()).toBe(false);
    expect(await other.locator('.toast').innerText()).toBe('');
  });

  for (const [index, look] of looksFor(5).entries()) {
    test(`shows first what it would do, ${nameOf(look)}`, async () => {
      const page = await openSignedIn(browser, kontor, look, { path: '/settlements?tab=imports' });
      await page.locator('#main .filters button').click();
      const batch = `batch-${index}`;
      const [, ...wrong] = fileOf('wrong', [{ type: 'Sale', grossAmount: 'x' }], { netAmount: 1 }).split('\r\n');
      const unknown = { type: 'Sale', grossAmount: 12_500, retrievalReference: `unknown-${index}` };
      const text = fileOf(batch, [{ type: 'Fee', feeAmount: -250 }, unknown]) + wrong.join('\r\n');
      await page.locator('input[type=file]').setInputFiles({
        name: `march-${index}.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from(text),
      });
      await page.getByRole('dialog').getByText('wrong').first().waitFor();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      expect(await page.evaluate(CUT_TABLES)).toEqual([]);
      await screenshot(page, 'portal-import-preview', look);
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.locator('#main').getByText(batch).waitFor();
      expect(await page.locator('#main').getByText(`march-${index}.csv`).count()).toBe(1);
      await expectNoSidewaysScroll(page);
      await screenshot(page, 'portal-imports', look);
    });
  }
});
