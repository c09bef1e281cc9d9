import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshCard } from '../support/numbers.ts';
import { describeInBrowser, expectAccessibleInTurn, screenshot } from '../support/payer/browser.ts';
import { type Look, looksFor, nameOf, SEES_ALL } from '../support/payer/looks.ts';
import { bankOf, keepPending, pay, payable, shows } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';
import { until } from '../support/until.ts';

const LOOK: Look = { locale: 'en-US', theme: 'light', width: 390 };
const DESKTOP: Look = { ...LOOK, width: 1440 };

describeInBrowser('the view', (browser) => {
  let kontor: TestService;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([testService({ KONTOR_REQUESTS_PER_MINUTE: '0' }), shopSite()]);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  /** A shop's page with the view of a payment open on it, and what its handlers were told. */
  async function opened(members: object = {}, options: object = {}, look: Look = DESKTOP) {
    const payment = await payable(kontor, site, { language: look.locale, ...members });
    const window = await browser.open(site.viewPage(payment.script, options), look);
    await window.locator('#open').click();
    const frame = window.frameLocator('iframe');
    await frame.locator('html[data-state]').waitFor();
    const told = () => window.evaluate('told') as Promise<[string, Record<string, unknown>][]>;
    const hears = async (name: string) => {
      await until(async () => (await told()).some(([one]) => one === name));
      return (await told()).find(([one]) => one === name)?.[1];
    };
    return { payment, window, frame, told, hears };
  }

  for (const look of looksFor(26)) {
    test(`is accessible on a shop's page, ${nameOf(look)}`, async () => {
      const { window, hears } = await opened({}, { culture: look.locale }, look);
      await hears('onPaymentCreated');
      await expectAccessibleInTurn(window);
      await screenshot(window, 'view', look);
    });
  }

  test('tells of a payment from its beginning to its end', async () => {
    const { payment, frame, told, hears } = await opened();
    const of = { id: payment.id, instrument: 'CreditCard' };
    expect(await hears('onPaymentCreated')).toEqual(of);
    await pay(frame);
    expect(await hears('onPaymentCompleted')).toEqual({ ...of, redirectUrl: `${site.origin}/done` });
    expect((await told()).map(([name]) => name)).toEqual(['onPaymentCreated', 'onPaymentCompleted']);
  });

  test('tells of a declined card in the words that the payer reads', async () => {
    const { payment, frame, hears } = await opened({ creditCard: { rejectDebitCards: true } });
    await pay(frame, { number: freshCard('debit') });
    const details = await hears('onPaymentTransactionFailed');
    expect(details).toEqual({ id: payment.id, instrument: 'CreditCard', details: expect.any(String) });
    expect(await frame.locator('#alert[data-about="payment"]').textContent()).toContain(details?.['details']);
  });

  test('tells of a confirmation that was cancelled once, and of a payment that its payer has cancelled', async () => {
    const { window, frame, told, hears } = await opened();
    await pay(frame, { number: freshCard('authenticated') });
    await bankOf(frame).locator('#cancel-challenge').click();
    expect(await hears('onPaymentTransactionFailed')).toMatchObject({
      details: expect.stringContaining('You left the confirmation'),
    });
    await window.evaluate('view.refresh()');
    await until(async () => (await told()).filter(([name]) => name === 'onPaymentCreated').length === 2);
    const payment = await payable(kontor, site, { language: 'en-US' });
    await kontor.send('PATCH', payment.id, {
      body: { payment: { operation: 'Abort', abortReason: 'CancelledByConsumer' } },
    });
    const other = await browser.open(site.viewPage(payment.script), DESKTOP);
    await other.locator('#open').click();
    await until(async () => JSON.stringify(await other.evaluate('told')).includes('onPaymentCanceled'));
    expect(JSON.stringify(await other.evaluate('told'))).not.toContain('onPaymentFailed');
  });

  test.skipIf(!SEES_ALL)('tells of a payment that failed, and of one that is left unpaid', async () => {
    const failing = await opened({ prices: [{ type: 'CreditCard', amount: 900_343, vatAmount: 0 }] });
    for (const _try of [1, 2, 3]) {
      await pay(failing.frame, { number: freshCard('credit') });
      await failing.frame.locator('#alert[data-about="payment"]:visible, html[data-state="failed"]').first().waitFor();
    }
    expect(await failing.hears('onPaymentFailed')).toMatchObject({ redirectUrl: `${site.origin}/done` });
    const cancelled = await opened();
    await cancelled.frame.locator('#cancel').click();
    expect(await cancelled.hears('onPaymentCanceled')).toMatchObject({ redirectUrl: `${site.origin}/cancelled` });
    expect(await cancelled.window.locator('iframe').count()).toBe(1);
  });

  test.skipIf(!SEES_ALL)('tells that an outcome is not known, and what it comes to', async () => {
    const { payment, window, frame, told, hears } = await opened();
    await hears('onPaymentCreated');
    await keepPending(kontor, payment, true);
    await window.evaluate('view.refresh()');
    expect(await hears('onPaymentPending')).toMatchObject({ redirectUrl: `${site.origin}/again` });
    await keepPending(kontor, payment, false);
    await shows(frame, 'ready');
    expect((await told()).filter(([name]) => name === 'onPaymentPending')).toHaveLength(1);
  });

  test.skipIf(!SEES_ALL)('hands over the terms of service, or opens them in a window of their own', async () => {
    const { frame, hears } = await opened();
    await frame.locator('.terms-link').click();
    expect(await hears('onPaymentToS')).toMatchObject({ origin: 'merchant', openUrl: `${site.origin}/terms` });
    const bare = await opened({}, { handlers: [] });
    const popup = bare.window.waitForEvent('popup');
    await bare.frame.locator('.terms-link').click();
    expect((await popup).url()).toBe(`${site.origin}/terms`);
  });

  test('speaks the language that the shop asks for', async () => {
    const { window, frame } = await opened({ language: 'sv-SE' }, { culture: 'fi-FI' });
    expect(await frame.locator('html').getAttribute('lang')).toBe('fi-FI');
    expect(await window.locator('iframe').getAttribute('title')).toBe('Korttimaksu');
  });

  test.skipIf(!SEES_ALL)('is as high as what is in it', async () => {
    const { window, frame, hears } = await opened({}, {}, LOOK);
    await hears('onPaymentCreated');
    const overflow = () =>
      frame.locator('html').evaluate((html: { scrollHeight: number; clientHeight: number }) => {
        return html.scrollHeight - html.clientHeight;
      });
    await until(async () => (await overflow()) === 0);
    const before = (await window.locator('iframe').boundingBox())?.height ?? 0;
    await frame.locator('#submit').click();
    await frame.locator('#alert[data-about="fields"]').waitFor();
    await until(async () => ((await window.locator('iframe').boundingBox())?.height ?? 0) > before);
    await until(async () => (await overflow()) === 0);
  });

  test.skipIf(!SEES_ALL)('takes the shop’s colours', async () => {
    const { frame, hears } = await opened({}, { style: { accent: '#7a1f5c', accentText: '#ffffff', radius: '0px' } });
    await hears('onPaymentCreated');
    const button = frame.locator('#submit');
    await until(async () => (await colourOf(button)) === 'rgb(122, 31, 92)');
  });

  test('goes away and comes back, and is loaded anew', async () => {
    const { window, frame, told } = await opened();
    const created = async () => (await told()).filter(([name]) => name === 'onPaymentCreated').length;
    await until(async () => (await created()) === 1);
    await window.evaluate('view.open()');
    await window.evaluate('view.refresh()');
    await until(async () => (await created()) === 2);
    expect(await window.locator('iframe').count()).toBe(1);
    await window.evaluate('view.close()');
    expect(await window.locator('iframe').count()).toBe(0);
    await window.evaluate('view.open()');
    await frame.locator('#number').waitFor();
    await until(async () => (await created()) === 3);
  });

  test('says what is wrong where it cannot be shown', async () => {
    const payment = await payable(kontor, site);
    const window = await browser.open(site.viewPage(payment.script), DESKTOP);
    await window.evaluate(
      `kontor.hostedView.creditCard({ container: 'nowhere', onError: (e) => told.push(e) }).open()`,
    );
    expect(await window.evaluate('told')).toEqual([
      { instrument: 'CreditCard', details: 'There is no element nowhere.' },
    ]);
  });

  test('may be framed by the hostUrls alone', async () => {
    browser.expectFault(/frame-ancestors/);
    const payment = await payable(kontor, site);
    const address = site.viewPage(payment.script).replace(site.origin, site.otherOrigin);
    const window = await browser.open(address, DESKTOP);
    await window.locator('#open').click();
    await until(() => window.frames().length === 2);
    await until(async () => (await window.frameLocator('iframe').locator('body').count()) === 1);
    expect(await window.frameLocator('iframe').locator('#pay').count()).toBe(0);
    expect(await window.evaluate('told')).toEqual([]);
  });

  test('hears only the page in its frame', async () => {
    const { window, told, hears, payment } = await opened();
    await hears('onPaymentCreated');
    const forged = { kontor: 'page', type: 'completed', id: payment.id, redirectUrl: `${site.origin}/forged` };
    // From the shop's own page, and from another frame of it.
    await window.evaluate(`postMessage(${JSON.stringify(forged)}, '*')`);
    await window.evaluate(`new Promise((resolve) => {
      const other = document.createElement('iframe');
      other.src = '/empty';
      other.onload = () => { other.contentWindow.eval(${JSON.stringify(`parent.postMessage(${JSON.stringify(forged)}, '*')`)}); resolve(); };
      document.body.append(other);
    })`);
    // A message of our own that comes after them says that they have arrived.
    await window.evaluate(
      `new Promise((resolve) => { addEventListener('message', resolve, { once: true }); postMessage('last', '*'); })`,
    );
    expect((await told()).map(([name]) => name)).toEqual(['onPaymentCreated']);
  });

  test('takes the focus in and gives it back', async () => {
    const { window, frame, hears } = await opened();
    await hears('onPaymentCreated');
    await until(() => isFocused(frame.locator('#number')));
    await window.evaluate('view.close()');
    expect(await isFocused(window.locator('#open'))).toBe(true);
    await window.keyboard.press('Enter');
    await until(() => isFocused(frame.locator('#number')));
    // Out of it at its end, and back in from behind.
    for (let presses = 0; presses < 30 && !(await isFocused(window.locator('#after'))); presses++) {
      await window.keyboard.press('Tab');
    }
    expect(await isFocused(window.locator('#after'))).toBe(true);
    await window.keyboard.press('Shift+Tab');
    expect(await isFocused(window.locator('iframe'))).toBe(true);
  });
});

/** As much of an element as is looked at here: these tests are compiled without a browser's types. */
interface Element {
  readonly ownerDocument: {
    readonly activeElement: unknown;
    readonly defaultView: { getComputedStyle(element: unknown): { readonly backgroundColor: string } };
  };
}

/** What a locator does, for these elements. */
interface Located {
  evaluate<T>(look: (element: Element) => T): Promise<T>;
}

function isFocused(locator: Located): Promise<boolean> {
  return locator.evaluate((element) => element.ownerDocument.activeElement === element);
}

function colourOf(locator: Located): Promise<string> {
  return locator.evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).backgroundColor);
}
