import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInTurn,
  expectNoSidewaysScroll,
  screenshot,
} from '../support/payer/browser.ts';
import { looksFor, nameOf } from '../support/payer/looks.ts';
import { openSignedIn, openSignIn } from '../support/payer/portal-browser.ts';
import { type TestService, testService } from '../support/service.ts';

const ENGLISH = { locale: 'en-US', theme: 'light', width: 1440 } as const;

describeInBrowser('the portal', (browser) => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await testService();
  });
  afterAll(() => kontor.stop());

  for (const look of looksFor(30)) {
    test(`asks who is there, ${nameOf(look)}`, async () => {
      const page = await openSignIn(browser, kontor, look);
      await expectAccessibleInTurn(page);
      await expectNoSidewaysScroll(page);
      expect(await page.locator('html').getAttribute('lang')).toBe(look.locale);
      await screenshot(page, 'portal-sign-in', look);
    });
  }

  for (const look of looksFor(31)) {
    test(`shows whose account it is, ${nameOf(look)}`, async () => {
      const page = await openSignedIn(browser, kontor, look, { path: '/account' });
      expect(await page.getByRole('main').textContent()).toContain(kontor.portal.email);
      await expectAccessibleInTurn(page);
      await expectNoSidewaysScroll(page);
      await screenshot(page, 'portal-account', look);
    });
  }

  test('tells a wrong password in words, and nothing more', async () => {
    const page = await openSignIn(browser, kontor, ENGLISH);
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('The e-mail, the password or the code is not right.');
  });

  test('is used by keyboard alone: sign in, find a screen, change the language, sign out', async () => {
    const page = await openSignIn(browser, kontor, ENGLISH, '/account');
    const { email, password } = kontor.portal;
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('keyb');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessibleInTurn(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Your account' }).press('Enter');
    await page.keyboard.type('Suomi');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Oma tili' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Oma tili' }).press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Kirjaudu sisään' }).waitFor();
  });

  test('keeps the theme that was chosen', async () => {
    const page = await openSignedIn(browser, kontor, ENGLISH, { path: '/account' });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
    await page.keyboard.press('Escape');
    await expectAccessibleInTurn(page);
  });
});
