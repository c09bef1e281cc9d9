import type { Page } from 'playwright-core';
import type { TestBrowser } from './browser.ts';
import type { Look } from './looks.ts';
import type { TestService } from './service.ts';

const STEP_TIMEOUT_MS = 15_000;

type Portal = Pick<TestService, 'baseUrl' | 'portal'>;

/** Opens the portal in a browser where nobody is signed in. */
export async function openPortal(browser: TestBrowser, kontor: Portal, look: Look, path = ''): Promise<Page> {
  // The page asks who is signed in, and the browser notes in its console that nobody is.
  browser.expectFault(/401 \(Unauthorized\)/);
  const page = await browser.open(`${kontor.baseUrl}/portal${path}`, look);
  // Shorter than a test may take, so that a failure says what was waited for.
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  await page.locator('input[type=password]').waitFor();
  return page;
}

/** Opens a screen of the portal as the sandbox's administrator, or its operator, who signs in on the way. */
export async function openSignedIn(
  browser: TestBrowser,
  kontor: Portal,
  look: Look,
  { path = '', as = 'administrator' }: { readonly path?: string; readonly as?: 'administrator' | 'operator' } = {},
): Promise<Page> {
  const page = await openPortal(browser, kontor, look, path);
  const { email, password } = as === 'operator' ? kontor.portal.operator : kontor.portal;
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.locator('#main h1').waitFor();
  return page;
}
