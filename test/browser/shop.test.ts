import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshCard } from '../support/numbers.ts';
import {
  describeInBrowser,
  expectAccessibleInTurn,
  expectNoSidewaysScroll,
  screenshot,
} from '../support/payer/browser.ts';
import { type Look, looksFor, nameOf, SEES_ALL } from '../support/payer/looks.ts';
import { type Place, pay } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import { until } from '../support/until.ts';

const SERVER = join(import.meta.dirname, '../../examples/shop/server.mjs');
const LOOK: Look = { locale: 'sv-SE', theme: 'light', width: 1440 };

describeInBrowser('the shop among the examples', (browser) => {
  let kontor: TestService;
  let shop: ChildProcess;
  let address: string;
  beforeAll(async () => {
    kontor = await testService();
    const env = { ...process.env, SANDBOX_FILE: join(kontor.config.dataDir, 'sandbox.json'), SHOP_PORT: '0' };
    shop = spawn(process.execPath, [SERVER], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    shop.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until(() => said.includes('\n') || shop.exitCode !== null);
    address = /http:\S+/.exec(said)?.[0] ?? '';
  });
  afterAll(async () => {
    shop.kill();
    await once(shop, 'exit');
    await kontor.stop();
  });

  /** Orders, with what is ticked, up to the payment. */
  async function order(how: 'redirect' | 'view', look: Look, ...ticked: readonly string[]): Promise<Page> {
    const page = await browser.open(address, look);
    for (const name of ticked) await page.locator(`[name="${name}"]`).check();
    await page.locator('[name="language"]').selectOption(look.locale);
    await page.locator(`[value="${how}"]`).click();
    return page;
  }

  /** Pays with a card of its own, also where a stored one is offered. */
  async function payAnew(place: Place, storing?: 'agreed'): Promise<void> {
    await place.locator('#submit').waitFor();
    if (await place.locator('#card-new').count()) await place.locator('#card-new').check();
    // A stored card asks for no consent: the question is there once another one is chosen.
    if (storing === 'agreed') await place.locator('#consent').check();
    await pay(place, { number: freshCard('credit') });
  }

  for (const look of looksFor(27)) {
    test(`can be used by all, ${nameOf(look)}`, async () => {
      const page = await order('view', look);
      const frame = page.frameLocator('iframe');
      await frame.locator('html[data-state="ready"]').waitFor();
      await expectAccessibleInTurn(page);
      await screenshot(page, 'shop-view', look);
      await payAnew(frame);
      await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
      await expectAccessibleInTurn(page);
      await screenshot(page, 'shop-order', look);
      await page.goto(address);
      await expectAccessibleInTurn(page);
      await screenshot(page, 'shop', look);
    });
  }

  test('takes a payment by redirect, sends the tea, and charges the card again next month', async () => {
    const page = await order('redirect', LOOK, 'monthly', 'keep');
    await payAnew(page, 'agreed');
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    // The callback may come later than the payer.
    await until(async () => {
      await page.reload();
      return (await page.locator('dd').last().textContent())?.startsWith('transaction') === true;
    });
    expect(await page.locator('dl').textContent()).toContain('recurrence of');
    await page.getByRole('button', { name: 'Send the tea' }).click();
    await page.getByRole('heading', { name: 'On its way' }).waitFor();
    const first = page.url();
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.waitForURL((url) => url.href !== first);
    await page.getByRole('heading', { name: 'On its way' }).waitFor();
    expect(await page.locator('dl').textContent()).toContain('Capture');
  });

  test.skipIf(!SEES_ALL)('offers a stored card the next time', async () => {
    const page = await order('redirect', LOOK, 'keep');
    await payAnew(page, 'agreed');
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    const again = await order('redirect', LOOK);
    await again.locator('#card-0').waitFor();
    await again.locator('#cvc').fill('123');
    await again.locator('#submit').click();
    await again.getByRole('heading', { name: 'Thank you!' }).waitFor();
  });

  test.skipIf(!SEES_ALL)('lets its customer cancel, and pay later', async () => {
    const page = await order('view', LOOK);
    await page.frameLocator('iframe').locator('#cancel').click();
    await page.getByRole('heading', { name: 'Not paid yet' }).waitFor();
    await page.getByRole('link', { name: 'Pay' }).click();
    await payAnew(page);
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  });

  test('fits into 320 pixels, and hears no callback that is not signed', async () => {
    const page = await browser.open(address, { ...LOOK, width: 320 });
    await expectNoSidewaysScroll(page);
    const answer = await fetch(`${address}/callbacks`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(401);
  });
});
