import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshCard } from '../support/numbers.ts';
import { describeInBrowser } from '../support/payer/browser.ts';
import { type Look, SEES_ALL } from '../support/payer/looks.ts';
import { bankOf, outcomeOf, payable, shows } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';

const LOOK: Look = { locale: 'en-US', theme: 'light', width: 1440 };
/** More than there is on any page: more presses would be a trap. */
const PRESSES = 40;

describeInBrowser('with the keyboard alone', (browser) => {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([testService({ KONTOR_REQUESTS_PER_MINUTE: '0' }), shopSite()]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  test('a payer pays', async () => {
    const payment = await payable(kontor, site, { language: 'en-US' });
    const page = await browser.open(payment.page, LOOK);
    await fillIn(page, freshCard('credit'));
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.origin}/done`);
    expect((await outcomeOf(kontor, payment)).transactions).toEqual(['Authorization Completed']);
  });

  test('a payer is led to what is wrong, and corrects it', async () => {
    const payment = await payable(kontor, site, { language: 'en-US' });
    const page = await browser.open(payment.page, LOOK);
    await tabTo(page, '#number');
    await page.keyboard.type('4925000000000001');
    await page.keyboard.press('Enter');
    await page.locator('#alert[data-about="fields"]').waitFor();
    const first = page.locator('#number');
    expect(await first.getAttribute('aria-invalid')).toBe('true');
    expect(await first.getAttribute('aria-describedby')).toContain('number-error');
    // The focus is on the field, or on the summary whose first link leads there.
    if (!(await isFocused(page, '#number'))) {
      await tabTo(page, '#alert a');
      await page.keyboard.press('Enter');
    }
    expect(await isFocused(page, '#number')).toBe(true);
    await page.keyboard.press('ControlOrMeta+A');
    await fillIn(page, freshCard('credit'));
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.origin}/done`);
  });

  test('a payer authenticates', async () => {
    const payment = await payable(kontor, site, { language: 'en-US' });
    const page = await browser.open(payment.page, LOOK);
    await fillIn(page, freshCard('authenticated'));
    await page.keyboard.press('Enter');
    await bankOf(page).locator('#approve').waitFor();
    // The challenge has the focus: its first button is the next stop.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.origin}/done`);
  });

  test.skipIf(!SEES_ALL)('a payer chooses a stored card', async () => {
    const payerReference = 'keyboard';
    await kontor.importLines([1, 9].map((index) => cardLine(index, { payerReference, expiryDate: '11/2039' })));
    const payment = await payable(kontor, site, { language: 'en-US', payerReference });
    const page = await browser.open(payment.page, LOOK);
    await tabTo(page, '[name="card"]');
    await page.keyboard.press('ArrowDown');
    expect(await isFocused(page, '#card-1')).toBe(true);
    await tabTo(page, '#cvc');
    await page.keyboard.type('123');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.origin}/done`);
  });

  test.skipIf(!SEES_ALL)('a payer is asked before a stored card is removed, keeps it, and removes it', async () => {
    const payerReference = 'keyboard-removes';
    await kontor.importLines([1, 9].map((index) => cardLine(index, { payerReference, expiryDate: '11/2039' })));
    const payment = await payable(kontor, site, { language: 'en-US', payerReference });
    const page = await browser.open(payment.page, LOOK);
    await tabTo(page, '.choice .quiet');
    await page.keyboard.press('Enter');
    await page.locator('html[data-state="removal"]').waitFor();
    const heard = await page.locator('main').ariaSnapshot();
    for (const words of [/heading "Remove \w+ •••• \d{4}\?"/, /button "Remove card"/, /link "Keep card"/]) {
      expect(heard).toMatch(words);
    }
    await tabTo(page, '#keep');
    await page.keyboard.press('Enter');
    await shows(page, 'ready');
    expect(await page.locator('.choice').count()).toBe(3);
    await tabTo(page, '.choice .quiet');
    await page.keyboard.press('Enter');
    await page.locator('html[data-state="removal"]').waitFor();
    await tabTo(page, '#confirm-removal');
    await page.keyboard.press('Enter');
    await shows(page, 'ready');
    expect(await page.locator('.choice').count()).toBe(2);
  });

  test('the focus is seen wherever it is', async () => {
    const payment = await payable(kontor, site, { language: 'en-US' });
    const page = await browser.open(payment.page, LOOK);
    const seen = new Set<string>();
    for (let presses = 0; presses < PRESSES; presses++) {
      await page.keyboard.press('Tab');
      const [id, outline, shadow] = (await page.evaluate(`(() => {
        const { id, href, name } = document.activeElement;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement);
        return [id || href || name || '', outlineStyle === 'none' ? '' : outlineWidth, boxShadow];
      })()`)) as [string, string, string];
      if (id === '' || seen.has(id)) break;
      seen.add(id);
      expect(outline !== '' || shadow !== 'none', `no ring around ${id}`).toBe(true);
    }
    expect([...seen]).toEqual(expect.arrayContaining(['number', 'expiry', 'cvc', 'submit', 'cancel']));
  });

  test('what is heard comes in the order of what is seen', async () => {
    const payment = await payable(kontor, site, { language: 'en-US' });
    const page = await browser.open(payment.page, LOOK);
    const tree = await page.locator('body').ariaSnapshot();
    const order = ['heading', 'Card number', 'Expir', 'button'].map((word) => tree.indexOf(word));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });
});

async function fillIn(page: Page, number: string): Promise<void> {
  await tabTo(page, '#number');
  await page.keyboard.type(number);
  await tabTo(page, '#expiry');
  await page.keyboard.type('1239');
  await tabTo(page, '#cvc');
  await page.keyboard.type('123');
  await tabTo(page, '#submit');
}

/** Goes on with the tabulator until the focus is there; where it is already, nothing is pressed. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < PRESSES; presses++) {
    if (await isFocused(page, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The tabulator does not lead to ${selector}.`);
}

async function isFocused(page: Page, selector: string): Promise<boolean> {
  return (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) as boolean;
}
