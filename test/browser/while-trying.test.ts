import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshCard } from '../support/numbers.ts';
import { describeInBrowser } from '../support/payer/browser.ts';
import { type Look, SEES_ALL } from '../support/payer/looks.ts';
import { bankOf, outcomeOf, type Place, pay, payable, shows } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';
import { until } from '../support/until.ts';

const LOOK: Look = { locale: 'en-US', theme: 'light', width: 1440 };
/** An issuer says yes to it, but only after a second. */
const SLOW = { language: 'en-US', prices: [{ type: 'CreditCard', amount: 900_305, vatAmount: 0 }] };
const PRESSABLE = 'a, button, input:not([type="hidden"]), summary';

describeInBrowser('while a card is tried', (browser) => {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([testService({ KONTOR_REQUESTS_PER_MINUTE: '0' }), shopSite()]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  /** What the mouse or the keyboard could still do something with. */
  const pressable = (place: Place) =>
    place.locator('body').evaluate(
      (
        body: {
          querySelectorAll(
            of: string,
          ): Iterable<{ id: string; closest(of: string): unknown; ariaDisabled: string | null }>;
        },
        of: string,
      ) =>
        [...body.querySelectorAll(of)]
          .filter((element) => element.closest('[inert]') === null && element.ariaDisabled !== 'true')
          .map(({ id }) => id),
      PRESSABLE,
    );

  test.each(SEES_ALL ? ['by redirect', 'in the view'] : ['in the view'])(
    'nothing else can be pressed, %s',
    async (way) => {
      const payerReference = `trying-${way.length}`;
      await kontor.importLines([cardLine(1, { payerReference, expiryDate: '11/2039' })]);
      const payment = await payable(kontor, site, { ...SLOW, payerReference });
      const isView = way === 'in the view';
      const page = await browser.open(isView ? site.viewPage(payment.script, { handlers: [] }) : payment.page, LOOK);
      if (isView) await page.locator('#open').click();
      const place: Place = isView ? page.frameLocator('iframe') : page;
      await place.locator('#cvc').fill('123');
      expect((await pressable(place)).length).toBeGreaterThan(8);
      await place.locator('#submit').click();
      await place.locator('#processing:visible').waitFor();
      expect(await pressable(place)).toEqual([]);
      expect(await place.locator('#submit').getAttribute('aria-disabled')).toBe('true');
      await page.waitForURL(`${site.origin}/done`);
      expect((await outcomeOf(kontor, payment)).transactions).toEqual(['Authorization Completed']);
    },
  );

  test('everything can be pressed again after a decline', async () => {
    const payment = await payable(kontor, site, { language: 'en-US', creditCard: { rejectDebitCards: true } });
    const page = await browser.open(payment.page, LOOK);
    const before = await pressable(page);
    await pay(page, { number: freshCard('debit') });
    await shows(page, 'declined');
    expect(await pressable(page)).toEqual(before);
    await page.locator('#cancel').click();
    await page.waitForURL(`${site.origin}/cancelled`);
  });

  const leaving = [
    ['cancels', '#cancel'],
    ['changes the language', '#language a[lang="fi-FI"]'],
  ] as const;
  test.each(SEES_ALL ? leaving : leaving.slice(0, 1))(
    'a payer without scripts who %s sees what becomes of the try',
    async (_, selector) => {
      const payment = await payable(kontor, site, SLOW);
      const page = await browser.open(payment.page, LOOK, { javaScriptEnabled: false, height: 1600 });
      await fill(page);
      // Locators would wait for the answer, which a payer does not.
      const box = await page.locator(selector).boundingBox();
      const at = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 5] as const;
      await page.locator('#submit').click({ noWaitAfter: true });
      await until(async () => (await outcomeOf(kontor, payment)).state === 'Pending');
      await page.mouse.click(...at);
      await page.locator('html[data-state="pending"], html[data-state="paid"]').waitFor();
      expect(page.url().split('?')[0]).toBe(payment.page);
      await page.locator('html[data-state="paid"]').waitFor();
    },
  );

  test.skipIf(!SEES_ALL)('another window cannot cancel it, and shows what becomes of it', async () => {
    const payment = await payable(kontor, site, SLOW);
    const page = await browser.open(payment.page, LOOK);
    const other = await page.context().newPage();
    await other.goto(payment.page);
    await pay(page);
    await until(async () => (await outcomeOf(kontor, payment)).state === 'Pending');
    await other.locator('#cancel').click();
    await other.locator('html[data-state="pending"], html[data-state="paid"]').waitFor();
    await shows(other, 'paid');
    await page.waitForURL(`${site.origin}/done`);
  });

  test.skipIf(!SEES_ALL)('the challenge cannot be cancelled once it is approved', async () => {
    const payment = await payable(kontor, site, SLOW);
    const page = await browser.open(payment.page, LOOK);
    await pay(page, { number: freshCard('authenticated') });
    await bankOf(page).locator('#approve').click({ noWaitAfter: true });
    await until(async () => (await outcomeOf(kontor, payment)).state === 'Pending');
    await page.locator('#close-bank').waitFor({ state: 'hidden' });
    await page.waitForURL(`${site.origin}/done`);
  });

  test('a payer who goes away is asked first', async () => {
    const payment = await payable(kontor, site, SLOW);
    const page = await browser.open(payment.page, LOOK);
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', async (dialog) => {
        await dialog.dismiss();
        resolve(dialog.type());
      });
    });
    await pay(page);
    await page.locator('#processing:visible').waitFor();
    await page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    await page.waitForURL(`${site.origin}/done`);
  });

  test.skipIf(!SEES_ALL)('a shop that closes the view still hears what comes of it', async () => {
    const payment = await payable(kontor, site, SLOW);
    const page = await browser.open(site.viewPage(payment.script), LOOK);
    await page.locator('#open').click();
    const frame = page.frameLocator('iframe');
    await pay(frame);
    await frame.locator('#processing:visible').waitFor();
    await page.evaluate('view.close()');
    expect(await page.locator('iframe:visible').count()).toBe(0);
    const told = async () => ((await page.evaluate('told')) as [string, unknown][]).map(([name]) => name);
    await until(async () => (await told()).includes('onPaymentCompleted'));
    await until(async () => (await page.locator('iframe').count()) === 0);
    // And one that opens it again meanwhile sees it as it is.
    await page.evaluate('view.open()');
    await shows(frame, 'paid');
  });

  test('a shop that closes the view after a decline has none any more', async () => {
    const payment = await payable(kontor, site, { language: 'en-US', creditCard: { rejectDebitCards: true } });
    const page = await browser.open(site.viewPage(payment.script), LOOK);
    await page.locator('#open').click();
    await pay(page.frameLocator('iframe'), { number: freshCard('debit') });
    await shows(page.frameLocator('iframe'), 'declined');
    await page.evaluate('view.close()');
    expect(await page.locator('iframe').count()).toBe(0);
  });
});

async function fill(page: Page): Promise<void> {
  await page.locator('#number').fill(freshCard('credit'));
  await page.locator('#expiry').fill('12/39');
  await page.locator('#cvc').fill('123');
}
