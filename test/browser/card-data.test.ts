import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshCard } from '../support/numbers.ts';
import { describeInBrowser } from '../support/payer/browser.ts';
import type { Look } from '../support/payer/looks.ts';
import { pay, payable, shows } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';

const LOOK: Look = { locale: 'nb-NO', theme: 'light', width: 390 };
/** What a page can store. A browser may keep a frame of another site from storing anything: then there is nothing. */
const STORED = `(() => {
  const stored = [history.state];
  for (const place of ['localStorage', 'sessionStorage']) {
    try { stored.push({ ...window[place] }); } catch { stored.push('denied'); }
  }
  try { stored.push(document.cookie); } catch { stored.push('denied'); }
  return stored;
})()`;
/** A code that is part of nothing else. */
const CVC = '947';

describeInBrowser('what a payer typed', (browser) => {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([testService({ KONTOR_REQUESTS_PER_MINUTE: '0' }), shopSite()]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  /** Everything that is left in a browser: what its pages hold, their addresses, storage, cookies, console, messages. */
  async function leftIn(page: Page, seen: readonly string[]): Promise<string> {
    const frames = page
      .frames()
      .map(async (frame) => [frame.url(), await frame.content(), JSON.stringify(await frame.evaluate(STORED))]);
    const cookies = JSON.stringify(await page.context().cookies());
    return [...(await Promise.all(frames)).flat(), cookies, ...seen].join('\n');
  }

  test.each(['by redirect', 'in the view'])('is nowhere after a decline, %s', async (way) => {
    const number = freshCard('debit');
    const payment = await payable(kontor, site, { language: LOOK.locale, creditCard: { rejectDebitCards: true } });
    const isView = way === 'in the view';
    const page = await browser.open(isView ? site.viewPage(payment.script) : payment.page, LOOK);
    const seen: string[] = [];
    page.on('console', (message) => seen.push(message.text()));
    page.on('request', (request) => seen.push(request.url(), JSON.stringify(request.headers())));
    if (isView) await page.locator('#open').click();
    const place = isView ? page.frameLocator('iframe') : page;
    await pay(place, { number, cvc: CVC });
    await shows(place, 'declined');
    // The control: the page does hold what is shown, and the field what was typed.
    const left = await leftIn(page, seen);
    expect(left).toContain('data-state="ready"');
    expect((await place.locator('#number').inputValue()).replaceAll(' ', '')).toBe(number);
    for (const secret of [number, spaced(number), `"${CVC}"`, `>${CVC}<`]) expect(left).not.toContain(secret);
    if (isView) expect(JSON.stringify(await page.evaluate('told'))).not.toContain(number);
  });

  test.each(['by redirect', 'in the view'])('is nowhere after a change of the language, %s', async (way) => {
    const number = freshCard('debit');
    const payment = await payable(kontor, site, { language: LOOK.locale });
    const isView = way === 'in the view';
    const page = await browser.open(isView ? site.viewPage(payment.script) : payment.page, LOOK);
    const seen: string[] = [];
    page.on('request', (request) =>
      seen.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? ''),
    );
    if (isView) await page.locator('#open').click();
    const place = isView ? page.frameLocator('iframe') : page;
    await place.locator('#number').fill(number);
    await place.locator('#cvc').fill(CVC);
    await place.locator('#name').fill('Kari Nordmann');
    // All languages stand in one line.
    expect((await place.locator('#language ul').boundingBox())?.height).toBeLessThan(60);
    await place.locator('#language a[lang="sv-SE"]').click();
    await place.locator('html[lang="sv-SE"] #name').waitFor();
    for (const field of ['#number', '#cvc', '#name']) expect(await place.locator(field).inputValue()).toBe('');
    const left = await leftIn(page, seen);
    for (const secret of [number, spaced(number), `"${CVC}"`, 'Kari Nordmann']) expect(left).not.toContain(secret);
  });

  test('is nowhere once it is paid', async () => {
    const number = freshCard('credit');
    const payment = await payable(kontor, site, { language: LOOK.locale });
    const page = await browser.open(payment.page, LOOK);
    const seen: string[] = [];
    page.on('request', (request) => seen.push(request.url(), JSON.stringify(request.headers())));
    await pay(page, { number, cvc: CVC });
    await page.waitForURL(`${site.origin}/done`);
    await page.goBack();
    await shows(page, 'paid');
    const left = await leftIn(page, seen);
    expect(left).toContain(payment.page);
    for (const secret of [number, spaced(number)]) expect(left).not.toContain(secret);
    expect(await page.locator('input:visible').count()).toBe(0);
  });
});

/** As it is printed on the card. */
function spaced(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ');
}
