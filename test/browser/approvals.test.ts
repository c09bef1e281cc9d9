import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInTurn,
  expectNoSidewaysScroll,
  screenshot,
} from '../support/payer/browser.ts';
import { looksFor, nameOf } from '../support/payer/looks.ts';
import { openSignedIn } from '../support/payer/portal-browser.ts';
import { type TestService, testService } from '../support/service.ts';
import { newReference } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { openForBusiness } from '../support/shop/portal-seed.ts';

const ENGLISH = { locale: 'en-US', theme: 'light', width: 1440 } as const;
describeInBrowser('what needs a second person', (browser) => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await testService();
    await openForBusiness(kontor);
    await kontor.database.asAdmin(`insert into giving_limit values ('${kontor.payeeId}', '*', 100, 200)`);
  });
  afterAll(() => kontor.stop());
  beforeEach(() => kontor.database.asAdmin('delete from giving'));

  const forgetPasswords = () =>
    kontor.database.asAdmin(`update portal_session set authenticated_at = authenticated_at - interval '6 minutes'`);
  const confirm = async (page: Page, password: string) => {
    const prompt = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await prompt.getByLabel('Password').fill(password);
    await screenshot(page, 'portal-password-for-money', ENGLISH);
    await prompt.getByRole('button', { name: 'Confirm' }).click();
    await prompt.waitFor({ state: 'detached' });
  };
  const issue = async (page: Page, amount: string) => {
    await page.getByRole('button', { name: 'Issue cards' }).click();
    const dialog = page.getByRole('dialog', { name: 'Issue cards' });
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByRole('button', { name: 'Issue cards' }).click();
    return dialog;
  };
  const cards = async () => Number((await kontor.database.asAdmin('select count(*) as n from gift_card'))[0]?.['n']);

  test('is asked for by one, with the password, approved by another, and collected', async () => {
    browser.expectFault(/403 \(Forbidden\)/);
    const before = await cards();
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/people' });
    await forgetPasswords();
    await page.getByRole('link', { name: 'Gift cards' }).click();
    const dialog = await issue(page, '250');
    await confirm(page, kontor.portal.password);
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/A second person must approve this/).waitFor();
    await expectAccessibleInTurn(page);
    await screenshot(page, 'portal-awaiting-approval', ENGLISH);
    expect(await cards()).toBe(before);

    const other = await openSignedIn(browser, kontor, ENGLISH, { path: '/operator', as: 'operator' });
    await other.evaluate(`sessionStorage.setItem('kontor.payee', '${kontor.payeeId}')`);
    await other.goto(`${kontor.baseUrl}/portal/approvals`);
    const row = other.getByRole('row', { name: /New gift card/ });
    await row.getByText('Demo administrator').waitFor();
    await other.getByRole('link', { name: /Approvals.*1 waits for you/ }).waitFor();
    await expectAccessibleInTurn(other);
    await forgetPasswords();
    await row.getByRole('button', { name: 'Approve' }).click();
    const approve = other.getByRole('dialog', { name: 'Approve' });
    await approve.getByText(/Demo administrator asked for .*250\.00/).waitFor();
    await approve.getByText(/^Product /).waitFor();
    await expectAccessibleInTurn(other);
    await screenshot(other, 'portal-approve', ENGLISH);
    await approve.getByRole('button', { name: 'Approve' }).click();
    await confirm(other, kontor.portal.operator.password);
    await row.getByText('Done').waitFor();
    await other.getByRole('link', { name: 'Approvals', exact: true }).waitFor();
    expect(await cards()).toBe(before + 1);

    await page.getByRole('link', { name: 'Approvals' }).click();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show the card' }).click();
    await page.getByRole('dialog', { name: 'Show the card' }).getByRole('button', { name: 'Show the card' }).click();
    await confirm(page, kontor.portal.password);
    await page.getByText(/957812?\d{9,11}; \d{3}; /).waitFor();
    await expectAccessibleInTurn(page);
    await screenshot(page, 'portal-collected', ENGLISH);
  });

  test('is a refund once: its payment says that it waits, and the person who approves it sees which one', async () => {
    const shop = cardPaymentsShop(kontor);
    const payeeInfo = { orderReference: 'order-4711' };
    const id = await shop.purchase(100_000, { payerReference: 'anna-andersson', payeeInfo });
    await shop.authorize(id);
    const all = { amount: 100_000, vatAmount: 0, description: 'All', payeeReference: newReference() };
    await shop.follow(id, 'captures', all);
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: `/payments/${id.split('/').at(-1)}` });
    await page.getByRole('button', { name: 'Reverse' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reverse' });
    await dialog.getByLabel('Amount').fill('600');
    await dialog.getByLabel('Description (optional)').fill('The blue one was broken');
    await dialog.getByRole('button', { name: 'Reverse' }).click();
    await dialog.waitFor({ state: 'detached' });
    const waits = page.getByRole('region', { name: 'Waits for a second person' });
    await waits.getByText('The blue one was broken').waitFor();
    await screenshot(page, 'portal-payment-waits', ENGLISH);
    await page.getByRole('button', { name: 'Reverse' }).click();
    await dialog.getByText(/At most .*400\.00: .*600\.00 waits/).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();

    const other = await openSignedIn(browser, kontor, ENGLISH, { path: '/operator', as: 'operator' });
    await other.evaluate(`sessionStorage.setItem('kontor.payee', '${kontor.payeeId}')`);
    await other.goto(`${kontor.baseUrl}/portal/approvals`);
    const row = other.getByRole('row', { name: /Refund/ });
    await row.getByRole('link', { name: /^Payment \d+$/ }).waitFor();
    for (const text of ['anna-andersson', 'order-4711', 'The blue one was broken']) await row.getByText(text).waitFor();
    await row.getByRole('button', { name: 'Approve' }).click();
    const approve = other.getByRole('dialog', { name: 'Approve' });
    await approve.getByText(/Left afterwards: .*400\.00/).waitFor();
    for (const text of ['anna-andersson', 'order-4711', 'The blue one was broken'])
      await approve.getByText(text).waitFor();
    await expectAccessibleInTurn(other);
    await screenshot(other, 'portal-approve-refund', ENGLISH);
  });

  for (const look of looksFor(33)) {
    test(`is listed, ${nameOf(look)}`, async () => {
      const page = await openSignedIn(browser, kontor, look, { path: '/approvals' });
      await page
        .locator('#main')
        .getByText(/250[.,]00/)
        .first()
        .waitFor();
      await page.locator('#main [aria-busy=true]').first().waitFor({ state: 'detached' });
      await expectAccessibleInTurn(page);
      await expectNoSidewaysScroll(page);
      await screenshot(page, 'portal-approvals', look);
    });
  }
});
