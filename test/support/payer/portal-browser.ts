import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ACTION_CATALOGUE } from '../../../src/journal/actions.rules.ts';
import { EVENT_TYPES } from '../../../src/journal/events.rules.ts';
import { CARD_PROBLEMS } from '../../../src/kit/cards/card-problems.ts';
import type { TestService } from '../service.ts';
import type { Browser } from '../shop/portal.ts';
import type { BrowserCookie, TestBrowser } from './browser.ts';
import type { Look } from './looks.ts';

const STEP_TIMEOUT_MS = 15_000;

type Portal = Pick<TestService, 'baseUrl' | 'portal'>;

/** Opens the portal in a browser without a session. */
export async function openSignIn(browser: TestBrowser, kontor: Portal, look: Look, path = ''): Promise<Page> {
  return openPortal(browser, kontor, { look, path, cookies: [] });
}

interface Visit {
  readonly look: Look;
  readonly path: string;
  readonly cookies: readonly BrowserCookie[];
}

/** What a browser has of a person who has signed in by HTTP alone. */
export function cookiesOf({ baseUrl }: Portal, { cookie = '' }: Pick<Browser, 'cookie'>): readonly BrowserCookie[] {
  const [name = '', value = ''] = cookie.split('=', 2);
  return [{ name, value, url: baseUrl }];
}

/** Opens a screen, or the sign-in in its place. */
export async function openPortal(browser: TestBrowser, kontor: Portal, { look, path, cookies }: Visit): Promise<Page> {
  const page = await browser.open(`${kontor.baseUrl}/portal${path}`, look, { cookies });
  // Shorter than a test may take, so that a failure says what was waited for.
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  const password = page.locator('input[type=password]');
  await page.locator('#main h1').or(password).first().waitFor();
  // The page has asked who is signed in, and the browser notes in its console that there is no session.
  if (await password.isVisible()) browser.expectFault(/401 \(Unauthorized\)/);
  return page;
}

type Person = 'administrator' | 'operator';

/** What browsers have of those who signed in to a service: to sign in takes longer than most screens. */
const sessions = new WeakMap<Portal, Map<Person, readonly BrowserCookie[]>>();

/**
 * Opens a screen of the portal as the sandbox's administrator, or its operator. Who has signed in to this service before
 * still is, in each browser that is opened so; where that is over they sign in on the way.
 */
export async function openSignedIn(
  browser: TestBrowser,
  kontor: Portal,
  look: Look,
  { path = '', as = 'administrator' }: { readonly path?: string; readonly as?: Person } = {},
): Promise<Page> {
  const known = sessions.get(kontor) ?? new Map<Person, readonly BrowserCookie[]>();
  sessions.set(kontor, known);
  const page = await openPortal(browser, kontor, { look, path, cookies: known.get(as) ?? [] });
  if (await page.locator('input[type=password]').isVisible()) {
    const { email, password } = as === 'operator' ? kontor.portal.operator : kontor.portal;
    await page.locator('input[type=email]').fill(email);
    await page.locator('input[type=password]').fill(password);
    await page.locator('button[type=submit]').click();
    await page.locator('#main h1').waitFor();
    known.set(as, await page.context().cookies());
  }
  return page;
}

/** The one action whose name is what people say. */
const ENGLISH = 'sign-in';
/** Names that programs have for things, each as a whole word. */
const RAW_NAMES = [
  ...Object.keys(CARD_PROBLEMS),
  ...EVENT_TYPES,
  ...Object.keys(ACTION_CATALOGUE).filter((action) => action.includes('-') && action !== ENGLISH),
];

/** What no person says: names put together, instants of machines, paths of the source, command lines. */
const RAW = [/\b[a-z]+[A-Z]\w*/, /\b[A-Z][a-z]+[A-Z]\w*/, /\d-\d\dT\d\d:/, /\bsrc\//, /\b[A-Z]{2,}_\w+/];

/** In the browser: each text of the screen that is neither what programs use nor what a caller has sent. */
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
