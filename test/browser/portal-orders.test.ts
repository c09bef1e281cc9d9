import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshCard } from '../support/numbers.ts';
import { describeInBrowser, expectAccessibleInTurn } from '../support/payer/browser.ts';
import { SEES_ALL } from '../support/payer/looks.ts';
import { attemptIn, pageAt, TYPED } from '../support/payer/pay-page.ts';
import { type OrderMembers, type PayableOrder, payableOrder } from '../support/payer/payable-order.ts';
import { openSignedIn } from '../support/payer/portal-browser.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';

const ENGLISH = { locale: 'en-US', theme: 'light', width: 1440 } as const;
/** An acquirer declines a capture of this amount. */
const DECLINED_AMOUNT = '9,003.61';

describeInBrowser('an order in the portal', (browser) => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await testService({ KONTOR_REQUESTS_PER_MINUTE: '0' });
  });
  afterAll(() => kontor.stop());

  /** Makes an order, and pays it with gift cards of these amounts and a card for the rest. */
  async function paidOrder(amounts: readonly number[], members: OrderMembers = {}): Promise<PayableOrder> {
    const order = await payableOrder(kontor, { origin: 'https://shop.example' }, members);
    const page = pageAt(kontor, order.page);
    for (const amount of amounts) {
      const { accountKey, cvc } = await cardSeller(kontor).issue(amount);
      await page.post('/gift-card', { giftNumber: accountKey, giftCode: cvc });
    }
    const opened = await page.open();
    const seen = /name="seen" value="([^"]+)"/.exec(opened.text)?.[1] ?? '';
    await page.post('', { attempt: attemptIn(opened), ...TYPED, number: freshCard('credit'), seen });
    return order;
  }

  /** Captures by the API. */
  async function capturePast({ order }: PayableOrder, members: object): Promise<void> {
    const transaction = { vatAmount: 0, description: 'Sent', payeeReference: `sent-${order.number}`, ...members };
    const path = `/psp/paymentorders/${order.orderId}/captures`;
    expect((await kontor.send('POST', path, { body: { transaction } })).status).toBe(200);
  }

  const show = (order: PayableOrder) =>
    openSignedIn(browser, kontor, ENGLISH, { path: `/orders/${order.order.orderId}` });
  const openDialog = async (page: Page, name: string) => {
    await page.locator('#main').getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog', { name });
    await dialog.waitFor();
    return dialog;
  };
  const part = (dialog: Awaited<ReturnType<typeof openDialog>>, name: RegExp) =>
    dialog.getByRole('group', { name: 'How it is split' }).getByLabel(name);
  const press = (dialog: Awaited<ReturnType<typeof openDialog>>, name: string) =>
    dialog.getByRole('button', { name, exact: true }).click();
  /** What each leg took and gave back, as the page shows it: the last line is the sum. */
  const table = async (page: Page) => {
    const rows = await page.getByRole('table', { name: 'What pays it' }).locator('tbody tr').allTextContents();
    return rows.map((row) => [...row.matchAll(/NOK\s([\d,.]+)/g)].map(([, amount]) => amount).join(' '));
  };
  const shows = (page: Page, ...rows: readonly string[]) => expect.poll(() => table(page)).toEqual(rows);

  test('is captured in part as its split says, given back and cancelled', async () => {
    const page = await show(await paidOrder([12_000]));
    await shows(page, '120.00 0.00 0.00 0.00 120.00', '380.00 0.00 0.00 0.00 380.00', '500.00 0.00 0.00 0.00 500.00');
    const capture = await openDialog(page, 'Capture');
    const amount = capture.getByLabel(/^Amount/);
    await amount.fill('200');
    await expect.poll(() => part(capture, /^Gift card/).inputValue()).toBe('120.00');
    await expect.poll(() => part(capture, /^Mastercard/).inputValue()).toBe('80.00');
    await part(capture, /^Gift card/).fill('50');
    await capture.getByText('The parts add up to NOK 130.00, not to NOK 200.00.').waitFor();
    expect(await capture.getByRole('button', { name: 'Capture' }).isDisabled()).toBe(true);
    await part(capture, /^Mastercard/).fill('150');
    await expectAccessibleInTurn(page);
    // Another amount is split anew, and so is the first one again: what was typed for it is not sent.
    await amount.fill('100');
    await expect.poll(() => part(capture, /^Gift card/).inputValue()).toBe('100.00');
    await amount.fill('200');
    await expect.poll(() => part(capture, /^Mastercard/).inputValue()).toBe('80.00');
    await part(capture, /^Gift card/).fill('50');
    await part(capture, /^Mastercard/).fill('150');
    await press(capture, 'Capture');
    await page.getByText('NOK 200.00 is captured.').waitFor();
    await shows(
      page,
      '120.00 50.00 0.00 0.00 70.00',
      '380.00 150.00 0.00 0.00 230.00',
      '500.00 200.00 0.00 0.00 300.00',
    );
  });

  test.skipIf(!SEES_ALL)('is given back and cancelled as its split says', async () => {
    const order = await paidOrder([12_000]);
    const legs = await kontor.database.asAdmin(
      `select leg_id::text as id from order_leg where order_id = '${order.order.orderId}' order by position`,
    );
    const parts = legs.map(({ id }, index) => ({ id, amount: [5_000, 15_000][index] }));
    await capturePast(order, { amount: 20_000, legs: parts });
    const page = await show(order);
    const reverse = await openDialog(page, 'Reverse');
    await reverse.getByLabel(/^Amount/).fill('160');
    await expect.poll(() => part(reverse, /^Gift card/).inputValue()).toBe('10.00');
    await press(reverse, 'Reverse');
    await shows(
      page,
      '120.00 50.00 0.00 10.00 70.00',
      '380.00 150.00 0.00 150.00 230.00',
      '500.00 200.00 0.00 160.00 300.00',
    );
    const cancel = await openDialog(page, 'Cancel payment');
    await cancel.getByText('This releases NOK 300.00, all that is left.').waitFor();
    await cancel.getByText('NOK 70.00').waitFor();
    await press(cancel, 'Cancel payment');
    await shows(
      page,
      '120.00 50.00 70.00 10.00 0.00',
      '380.00 150.00 230.00 150.00 0.00',
      '500.00 200.00 300.00 160.00 0.00',
    );
    await page
      .locator('#main')
      .getByRole('link', { name: /^Gift card/ })
      .click();
    await page.getByRole('heading', { level: 1, name: /\*{6}/ }).waitFor();
  });

  test('says in words why an issuer declines a capture, and captures less', async () => {
    browser.expectFault(/403/);
    const page = await show(await paidOrder([], { amount: 1_000_000, orderItems: [] } as unknown as OrderMembers));
    const capture = await openDialog(page, 'Capture');
    await capture.getByLabel(/^Amount/).fill(DECLINED_AMOUNT);
    await press(capture, 'Capture');
    await capture.getByRole('alert').getByText('Not enough money on the card').waitFor();
    await expectAccessibleInTurn(page);
    await capture.getByLabel(/^Amount/).fill('9000');
    await press(capture, 'Capture');
    await page.getByText('NOK 9,000.00 is captured.').waitFor();
    await shows(page, '10,000.00 9,000.00 0.00 0.00 1,000.00', '10,000.00 9,000.00 0.00 0.00 1,000.00');
  });

  test.skipIf(!SEES_ALL)('tells that another window was faster, and what is left', async () => {
    browser.expectFault(/403/);
    const order = await paidOrder([12_000]);
    const page = await show(order);
    const capture = await openDialog(page, 'Capture');
    await expect.poll(() => part(capture, /^Gift card/).inputValue()).toBe('120.00');
    await capturePast(order, { amount: 50_000 });
    await press(capture, 'Capture');
    await capture.getByRole('alert').getByText('not possible in the present state').waitFor();
    await shows(page, '120.00 120.00 0.00 0.00 0.00', '380.00 380.00 0.00 0.00 0.00', '500.00 500.00 0.00 0.00 0.00');
    expect(await capture.getByRole('button', { name: 'Capture' }).isDisabled()).toBe(true);
    await press(capture, 'Back');
    expect(await page.locator('#main').getByRole('button', { name: 'Capture', exact: true }).count()).toBe(0);
  });

  test.skipIf(!SEES_ALL)('takes no amount that is too large, or none at all', async () => {
    const page = await show(await paidOrder([12_000]));
    const capture = await openDialog(page, 'Capture');
    for (const [amount, text] of [
      ['500.01', 'At most NOK 500.00'],
      ['0', 'At least NOK 0.01'],
      ['one', 'Not an amount in NOK.'],
    ] as const) {
      await capture.getByLabel(/^Amount/).fill(amount);
      await page.keyboard.press('Tab');
      await capture.getByText(text).first().waitFor();
      expect(await capture.getByRole('button', { name: 'Capture' }).isDisabled()).toBe(true);
    }
    await capture.getByLabel(/^Amount/).fill('');
    expect(await capture.getByRole('button', { name: 'Capture' }).isDisabled()).toBe(true);
    await capture.getByText('Choose items').click();
    await capture.getByText(/^Frakt/).click();
    await expect.poll(() => capture.getByLabel(/^Amount/).inputValue()).toBe('100.00');
    await expect.poll(() => part(capture, /^Gift card/).inputValue()).toBe('100.00');
    await press(capture, 'Capture');
    await page.getByText('NOK 100.00 is captured.').waitFor();
  });

  test.skipIf(!SEES_ALL)('is not captured once the session has ended', async () => {
    browser.expectFault(/401/);
    const order = await paidOrder([12_000]);
    const page = await show(order);
    const capture = await openDialog(page, 'Capture');
    await expect.poll(() => part(capture, /^Gift card/).inputValue()).toBe('120.00');
    const other = await page.context().newPage();
    await other.goto(`${kontor.baseUrl}/portal/account`);
    await other.getByRole('button', { name: 'Your account' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.locator('input[type=password]').waitFor();
    await press(capture, 'Capture');
    await page.locator('.signin-card .note').getByText('was not carried out').waitFor();
    const { body } = await kontor.send('GET', `/psp/paymentorders/${order.order.orderId}`, {
      headers: { accept: 'application/json;version=3.1' },
    });
    expect(body.paymentOrder.remainingCaptureAmount).toBe(50_000);
  });

  test.skipIf(!SEES_ALL)('that is not paid is aborted, and its link is gone', async () => {
    const order = await payableOrder(kontor, { origin: 'https://shop.example' });
    const page = await show(order);
    const abort = await openDialog(page, 'Abort');
    await expectAccessibleInTurn(page);
    await press(abort, 'Abort');
    await page.locator('.page-header .badge').getByText('Aborted').waitFor();
    expect(await page.getByRole('button', { name: 'Copy the payment link' }).count()).toBe(0);
    expect((await pageAt(kontor, order.page).open()).text).toContain('data-state="aborted"');
  });

  test.skipIf(!SEES_ALL)(
    'is found by its number, its reference and a card, and among those that are split',
    async () => {
      const [split, whole] = [await paidOrder([12_000]), await paidOrder([])];
      const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/orders' });
      const listed = async (...orders: readonly PayableOrder[]) =>
        expect
          .poll(() => page.locator('.row-link').allTextContents())
          .toEqual(orders.map(({ order }) => String(order.number)));
      const search = async (text: string) => {
        await page.getByRole('searchbox', { name: 'Search' }).fill(text);
        await page.keyboard.press('Enter');
      };
      await search(String(whole.order.number));
      await listed(whole);
      await search(split.order.terms.payeeInfo.payeeReference ?? '');
      await listed(split);
      await search('');
      await page.getByRole('button', { name: /Several means of payment$/ }).click();
      await page.getByRole('option', { name: 'No' }).click();
      await expect.poll(() => page.locator('.row-link').first().textContent()).toBe(String(whole.order.number));
      expect(await page.locator('.row-link').allTextContents()).not.toContain(String(split.order.number));
      await expectAccessibleInTurn(page);
      await page.reload();
      await expect.poll(() => page.locator('.row-link').first().textContent()).toBe(String(whole.order.number));
    },
  );

  test.skipIf(!SEES_ALL)('holds gift cards as long as the payee has set it', async () => {
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/order-settings' });
    const minutes = page.getByLabel('Minutes that gift cards are held');
    const save = page.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await minutes.fill('61');
    await save.click();
    expect(await minutes.getAttribute('aria-invalid')).toBe('true');
    expect(await minutes.evaluate((field: { matches(of: string): boolean }) => field.matches(':focus'))).toBe(true);
    await minutes.fill('20');
    await save.click();
    await page.getByText('Done: Save').waitFor();
    await page.reload();
    await expect.poll(() => minutes.inputValue()).toBe('20');
    await expectAccessibleInTurn(page);
  });
});
