import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectAccessibleInTurn } from '../support/payer/browser.ts';
import { SEES_ALL } from '../support/payer/looks.ts';
import { pay, payable } from '../support/payer/payer.ts';
import { openSignedIn } from '../support/payer/portal-browser.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { type Business, openForBusiness } from '../support/shop/portal-seed.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';

const ENGLISH = { locale: 'en-US', theme: 'light', width: 1440 } as const;

/** Opens a dialog by a button, and answers it. */
async function openDialog(page: Page, button: string, title = button) {
  await page.locator('#main').getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  return dialog;
}

/** Says that what is shown once was stored, and closes its dialog. */
async function storeSecret(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.getByText('I stored it').click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
}

describeInBrowser('in the portal', (browser) => {
  let kontor: TestService;
  let business: Business;
  let site: ShopSite;
  beforeAll(async () => {
    [kontor, site] = await Promise.all([testService(), shopSite()]);
    business = await openForBusiness(kontor);
  });
  afterAll(() => Promise.all([kontor.stop(), site.stop()]));

  test('an accountant closes a business day, and is told where none was open', async () => {
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/settlements' });
    const dialog = await openDialog(page, 'Close a day');
    await dialog.getByText('It cannot be opened again.').waitFor();
    await dialog.getByLabel('Business day').fill('2026-03-09');
    await dialog.getByRole('button', { name: 'Close a day' }).click();
    await page.getByText('Nothing was open on Mar 9, 2026.').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  test('what would be given up is named before a dispute is accepted or a difference is resolved', async () => {
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: `/disputes/${business.disputeId}` });
    await (await openDialog(page, 'Accept')).getByText(/SEK\s1,299.00/).waitFor();
    await page.goto(`${kontor.baseUrl}/portal/settlements?tab=differences`);
    const resolve = await openDialog(page, 'Resolve');
    for (const text of ['The totals differ', /SEK\s1,293.00/, /SEK\s1,293.01/]) await resolve.getByText(text).waitFor();
  });

  test('the days of settlement stand in the address, on reload and in each of its parts', async () => {
    const path = '/settlements?tab=disputes&from=2020-01-01&to=2020-01-31';
    const page = await openSignedIn(browser, kontor, ENGLISH, { path });
    const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })];
    const shown = async () => [await from.inputValue(), await to.inputValue()];
    await from.waitFor();
    expect(await shown()).toEqual(['2020-01-01', '2020-01-31']);
    for (const part of ['Days', 'Differences', 'Payouts']) {
      await page.getByRole('tab', { name: part }).click();
      await expect.poll(shown).toEqual(['2020-01-01', '2020-01-31']);
    }
    await from.fill('2020-01-05');
    await expect.poll(() => page.url()).toContain('from=2020-01-05');
    await page.reload();
    await from.waitFor();
    expect(await shown()).toEqual(['2020-01-05', '2020-01-31']);
    expect(page.url()).toContain('tab=payouts');
  });

  test('an integrator makes an access token, uses it, and sees the call in the log', async () => {
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/credentials' });
    const dialog = await openDialog(page, 'Create access token');
    await dialog.getByLabel('Name').fill('Web shop');
    await dialog.getByText('events', { exact: true }).click();
    await expectAccessibleInTurn(page);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = page.getByRole('group', { name: 'Access token' });
    await secret.waitFor();
    const accessToken = (await secret.textContent())?.trim() ?? '';
    await expectAccessibleInTurn(page);
    await storeSecret(page);
    await page.getByRole('table').getByText('Web shop').waitFor();

    const answer = await kontor.send('GET', '/events', { accessToken });
    expect(answer.status).toBe(200);
    const refused = await kontor.send('GET', `/psp/creditcard/payments/${business.authorized}`, { accessToken });
    expect(refused.status).toBe(403);

    await page.getByRole('link', { name: 'API log' }).click();
    await page.getByLabel('Session id').fill(refused.headers.get('session-id') ?? 'none');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Reload' }).click();
          await page.locator('#main [aria-busy=true]').first().waitFor({ state: 'detached' });
          return page.locator('.row-link').allTextContents();
        },
        { timeout: 20_000 },
      )
      .toEqual(['GET /psp/creditcard/payments/:paymentId']);
    await page.locator('.row-link').click();
    await page.getByRole('heading', { level: 1, name: /GET/ }).waitFor();
    expect(await page.locator('#main').textContent()).not.toContain(accessToken);
    await expectAccessibleInTurn(page);
  });

  test('a payer pays on the page, and support captures it in two parts and gives one back', async () => {
    const payment = await payable(kontor, site, {
      prices: [{ type: 'CreditCard', amount: 125_050, vatAmount: 0 }],
      payeeInfo: { orderReference: 'order-of-the-walk' },
    });
    const shop = await browser.open(payment.page, ENGLISH);
    await pay(shop);
    await shop.waitForURL(`${site.origin}/done`);

    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/payments' });
    const row = page.getByRole('row').filter({ hasText: 'order-of-the-walk' });
    await row.getByText('Authorized').waitFor();
    await row.getByRole('link').click();
    const [main, state] = [page.locator('#main'), page.locator('.page-header .badge')];
    const dialog = await openDialog(page, 'Capture');
    const amount = dialog.getByLabel(/Amount/);
    expect(await amount.inputValue()).toBe('1,250.50');
    await amount.fill('1000');
    await page.keyboard.press('Tab');
    await dialog.getByText('Left afterwards: SEK 250.50').waitFor();
    await expectAccessibleInTurn(page);
    await dialog.getByRole('button', { name: 'Capture' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.legend').getByText('SEK 1,000.00').waitFor();
    expect(await state.textContent()).toBe('Partly captured');
    expect((await kontor.send('GET', payment.id)).body.payment.remainingCaptureAmount).toBe(25_050);

    await (await openDialog(page, 'Capture')).getByRole('button', { name: 'Capture' }).click();
    await expect.poll(() => state.textContent()).toBe('Captured');
    const back = await openDialog(page, 'Reverse');
    await back.getByLabel(/Amount/).fill('50.50');
    await page.keyboard.press('Tab');
    await back.getByRole('button', { name: 'Reverse' }).click();
    await expect.poll(() => state.textContent()).toBe('Partly reversed');
    await main.locator('.timeline').getByText('Demo administrator').first().waitFor();
  });

  test.skipIf(!SEES_ALL)('an amount is looked for in its currency, with as many decimals as that has', async () => {
    for (const [currency, amount] of [
      ['JPY', 1_500],
      ['KWD', 1_500],
    ] as const) {
      await cardPaymentsShop(kontor).purchase(amount, { currency });
    }
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/payments' });
    const amounts = () => page.locator('.row-link').allTextContents();
    const find = async (from: string, currency: string) => {
      await page.getByLabel('Amount from').fill(from);
      await page.getByLabel('Amount to').fill(from);
      await page.getByLabel('Currency').fill(currency);
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
    };
    await find('1500', 'jpy');
    await expect.poll(amounts).toEqual([expect.stringMatching(/^JPY\s1,500$/)]);
    await find('1.5', 'KWD');
    await expect.poll(amounts).toEqual([expect.stringMatching(/^KWD\s1\.500$/)]);
    await page.getByLabel('Currency').fill('JPY');
    await page.getByText('Not an amount in JPY.').waitFor();
    expect(await page.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).toBe(true);
    await expectAccessibleInTurn(page);
  });

  test.skipIf(!SEES_ALL)('what an id names is found by keyboard', async () => {
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/account' });
    await page.keyboard.press('Control+k');
    await page.keyboard.insertText(business.bought);
    await page.getByRole('menuitem', { name: `Payment ${business.bought}` }).waitFor();
    await expectAccessibleInTurn(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /NOK\s125\.00/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.insertText('berit');
    await page.getByRole('menuitem', { name: 'Find payer “berit”' }).click();
    await page.getByRole('link', { name: 'berit-berg' }).waitFor();
  });

  test.skipIf(!SEES_ALL)('the list of payments is narrowed, and its address can be sent to a colleague', async () => {
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/payments' });
    await page.getByRole('button', { name: /State$/ }).click();
    await page.getByRole('option', { name: 'Aborted' }).click();
    await page.getByRole('link', { name: /^Aborted 1/ }).waitFor();
    await expect
      .poll(() => page.locator('.row-link').allTextContents())
      .toEqual([expect.stringMatching(/^SEK\s7\.00$/)]);
    expect(page.url()).toContain('state=Aborted');
    await page.reload();
    await expect
      .poll(() => page.locator('.row-link').allTextContents())
      .toEqual([expect.stringMatching(/^SEK\s7\.00$/)]);
    await page.getByRole('searchbox', { name: 'Search' }).fill(business.bought);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('.row-link').allTextContents())
      .toEqual([expect.stringMatching(/^NOK\s125\.00$/)]);
  });

  test('a gift card is issued, its number shown once, and blocked', async () => {
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/gift-cards' });
    const dialog = await openDialog(page, 'Issue cards');
    await dialog.getByLabel(/Amount/).fill('300');
    await page.keyboard.press('Tab');
    await expectAccessibleInTurn(page);
    await dialog.getByRole('button', { name: 'Issue cards' }).click();
    const number = page.getByRole('group', { name: /Card number/ });
    await number.waitFor();
    const accountKey = /^\d{16}/.exec((await number.textContent()) ?? '')?.[0] ?? 'none';
    await storeSecret(page);
    const find = await openDialog(page, 'Find by number');
    await find.getByLabel('Card number').fill(`\u200e${accountKey.match(/.{4}/g)?.join('.')}`);
    await find.getByRole('button', { name: 'Search' }).click();
    await page
      .getByRole('heading', { level: 1, name: `${accountKey.slice(0, 6)}******${accountKey.slice(-4)}` })
      .waitFor();
    expect(page.url()).not.toContain(accountKey);
    const block = await openDialog(page, 'Block');
    await block.getByLabel(/Reason/).fill('Lost <b>and</b> found');
    await block.getByRole('button', { name: 'Block' }).click();
    await block.waitFor({ state: 'detached' });
    await page.getByText('Lost <b>and</b> found').waitFor();
    await page.locator('#main').getByRole('button', { name: 'Unblock' }).waitFor();
    const pending = await kontor.send('POST', '/api/payments/gift-card/pre-deposit', {
      body: {
        SimpleAccountIdentifier: { accountKey },
        amount: 100,
        currency: 'NOK',
        orderRef: 'load-a-blocked-card',
      },
    });
    expect(pending.status).not.toBe(200);
  });

  test('a payer’s token is archived with its reason', async () => {
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: `/tokens/${business.payerReference}` });
    await page.getByRole('button', { name: /^Actions for <img/ }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    const dialog = page.getByRole('dialog', { name: 'Archive' });
    await dialog.getByLabel('Reason').fill('moved away');
    await expectAccessibleInTurn(page);
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('By the payee: moved away').waitFor();
  });

  test.skipIf(!SEES_ALL)(
    'a test event is sent, fails at an address where no program listens, and is sent again',
    async () => {
      const page = await openSignedIn(browser, kontor, ENGLISH, { path: `/webhooks/${business.webhookId}` });
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await page
        .getByRole('button', { name: /^Details/ })
        .first()
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('What is sent').waitFor();
      await expectAccessibleInTurn(page);
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await expect.poll(() => dialog.getByText('No connection').count(), { timeout: 20_000 }).toBeGreaterThan(0);
    },
  );

  test.skipIf(!SEES_ALL)('older deliveries are shown when asked for', async () => {
    const { payeeId, database } = kontor;
    await database.asAdmin(`
      insert into event (payee_id, event_id, type, resource_kind, resource_id, resource_sequence, happened_at, payload)
      select '${payeeId}', gen_random_uuid(), 'payment.captured', 'payment', 'walk', n, kontor_now(), '{}'
      from generate_series(1, 120) n;
      insert into delivery (payee_id, webhook_id, position, event_id, resource_kind, resource_id, state, settled_at)
      select payee_id, '${business.webhookId}', 900000 + resource_sequence, event_id, resource_kind, resource_id,
        'Delivered', kontor_now()
      from event where payee_id = '${payeeId}' and resource_id = 'walk'`);
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: `/webhooks/${business.webhookId}` });
    const details = page.getByRole('button', { name: /^Details payment\.captured/ });
    await expect.poll(() => details.count()).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => details.count()).toBe(120);
  });

  test.skipIf(!SEES_ALL)('the Hmac checker says where a signature differs', async () => {
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/credentials' });
    await page.getByRole('tab', { name: 'Hmac checker' }).click();
    await page
      .getByLabel('Hmac', { exact: true })
      .fill(`HmacSHA512 ${kontor.hmac.user}:${'n'.repeat(20)}:${'A'.repeat(86)}==`);
    await page.getByLabel('Body').fill('{}');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('The signature is wrong.').waitFor();
    await expect
      .poll(() => page.getByRole('group', { name: 'The text to sign' }).textContent())
      .toContain('/api/payments/ping');
    await expectAccessibleInTurn(page);
  });
});
