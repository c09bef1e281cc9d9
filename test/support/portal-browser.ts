import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ACTION_CATALOGUE } from '../../src/journal/actions.rules.ts';
import { EVENT_TYPES } from '../../src/journal/events.rules.ts';
import { CARD_PROBLEMS } from '../../src/kit/card-problems.ts';
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

/** Names that programs have for things, each as a whole word. */
const RAW_NAMES = [
  ...Object.keys(CARD_PROBLEMS),
  ...EVENT_TYPES,
  ...Object.keys(ACTION_CATALOGUE).filter((action) => action.includes('-')),
];

/** What no person says: names put together, instants of machines, paths of the source, command lines. */
const RAW = [/\b[a-z]+[A-Z]\w*/, /\b[A-Z][a-z]+[A-Z]\w*/, /\d-\d\dT\d\d:/, /\bsrc\//, /\b[A-Z]{2,}_\w+/];

/** In the browser: each text of the screen that is neither what programs use nor what somebody has sent. */
const TEXTS_OF_PEOPLE = `(() => {
  const walker = document.createTreeWalker(document.getElementById('main'), NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement.closest('.mono, pre, code, kbd, .reference, .number, .row-link, h1') === null) found.push(node.textContent);
  }
  return found;
})()`;

/** Commands are for operators, who have the machine. */
const COMMAND = /\bkontor [a-z]/;

/** Expects of the screen that it shows no raw word but where it shows what programs use: in monospace, or as it was sent. */
export async function expectNoRawWords(page: Page, { isForOperators = false } = {}): Promise<void> {
  const patterns = isForOperators ? RAW : [...RAW, COMMAND];
  const texts = await page.evaluate<string[]>(TEXTS_OF_PEOPLE);
  const raw = texts.filter(
    (text) =>
      patterns.some((pattern) => pattern.test(text)) || RAW_NAMES.some((name) => text.split(/[\s,;:]+/).includes(name)),
  );
  expect(raw).toEqual([]);
}
