import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareKey } from '../../src/keys/prepare-key.ts';
import { describeInBrowser, expectAccessibleInTurn } from '../support/payer/browser.ts';
import { SEES_ALL } from '../support/payer/looks.ts';
import { openSignedIn } from '../support/payer/portal-browser.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';

const ENGLISH = { locale: 'en-US', theme: 'light', width: 1440 } as const;

describeInBrowser('in the portal, an operator', (browser) => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await testService();
    await kontor.addPayee();
    await kontor.importLines([1, 2, 3].map((index) => cardLine(index)));
  });
  afterAll(() => kontor.stop());

  const open = (path: string) => openSignedIn(browser, kontor, ENGLISH, { path, as: 'operator' });

  test('creates a product for a payee, finds it by its payee, and takes it off sale', async () => {
    const page = await open('/operator?tab=products');
    await page.getByRole('link', { name: /^Sandbox gift card/ }).waitFor();
    await page.getByRole('button', { name: 'All payees' }).click();
    await page.getByRole('option', { name: 'Another shop' }).click();
    await page.getByText('No products yet').waitFor();
    await expectAccessibleInTurn(page);
    await page.getByRole('button', { name: 'Create product' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create product' });
    await dialog.getByLabel('Name', { exact: true }).fill('Winter card');
    await dialog.getByLabel('Id', { exact: true }).fill('winter');
    await dialog.getByLabel('First digits of the numbers').fill('95782');
    await dialog.getByText(/^Ask for the code/).click();
    await expectAccessibleInTurn(page);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('link', { name: 'Winter card ★' }).click();
    await page.getByRole('heading', { level: 1, name: 'Winter card' }).waitFor();
    await page.locator('#main dd').getByText('Another shop').waitFor();
    const history = page.getByRole('table', { name: 'History' }).locator('tbody tr');
    await expect.poll(() => history.getByText('Sandbox operator').count()).toBe(1);
    await page.getByRole('button', { name: 'Retire' }).click();
    await page.getByRole('dialog', { name: 'Retire' }).getByRole('button', { name: 'Retire' }).click();
    await expect.poll(() => history.getByText('Sandbox operator').count()).toBe(2);
    await expect.poll(() => page.getByRole('button', { name: 'Retire' }).count()).toBe(0);
  });

  test.skipIf(!SEES_ALL)('asks who decides on a number, by keyboard alone', async () => {
    const page = await open('/operator');
    await page.getByRole('tab', { name: 'Payees' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Sandbox acquirer').first().waitFor();
    expect(page.url()).toContain('tab=issuers');
    await page.getByLabel('First digits').focus();
    await page.keyboard.type('4925000');
    const deciders = page.getByRole('table', { name: 'Who decides on a number' });
    await expect.poll(() => deciders.locator('tbody tr').count()).toBe(1);
    expect(await deciders.locator('tbody').textContent()).toContain('Sandbox issuer');
    await page.getByLabel('First digits').fill('41');
    await page.getByText('No issuer decides on numbers that begin like this').waitFor();
    await expectAccessibleInTurn(page);
  });

  test.skipIf(!SEES_ALL)('begins to use a prepared key, and sees all rows moved to it', async () => {
    await kontor.service.database.transact((transaction) => prepareKey(transaction, kontor.service, 'card-data'));
    const page = await open('/operator?tab=keys');
    const keys = page.getByRole('region', { name: 'Card and account numbers' });
    await kontor.database.asAdmin(
      `update portal_session set authenticated_at = authenticated_at - interval '301 seconds'`,
    );
    browser.expectFault(/403 \(Forbidden\)/);
    await keys.getByRole('button', { name: 'Use card-data-2 from now on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const prompt = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await prompt.getByLabel('Password').fill(kontor.portal.operator.password);
    await prompt.getByRole('button', { name: 'Confirm' }).click();
    await keys.getByText('Retired').waitFor();
    expect(await keys.getByRole('row').allTextContents()).toEqual([
      expect.anything(),
      expect.stringMatching(/card-data-1.*Retired/),
      expect.stringMatching(/card-data-2.*In use/),
    ]);
    await keys.getByText('Rotate', { exact: true }).click();
    await keys.getByText('kontor keys rotate --purpose card-data --prepare').waitFor();
    await expectAccessibleInTurn(page);
    const { rows } = await kontor.database.read<{ keyId: string }>(
      { name: 'test-instrument-keys', text: 'select distinct card_data_key_id as "keyId" from instrument' },
      [],
    );
    expect(rows).toEqual([{ keyId: 'card-data-2' }]);
  });
});
