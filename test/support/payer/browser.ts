import { join } from 'node:path';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect } from 'vitest';
import { startBrowser } from './browser-program.ts';
import { isInShare, type Look, SEES_ALL } from './looks.ts';

/** The browser as a test gets it. Everything that it opened is closed after each test. */
export interface TestBrowser {
  /**
   * Opens an address in a browser context of its own: no cookies, no storage. What is wrong in any page of the context
   * fails the test when it ends: errors in the console, what the content security policy blocked, errors that no script
   * caught, requests to other machines.
   */
  open(address: string, look: Look, options?: ContextOptions): Promise<Page>;
  /** Says that something of this form will be wrong: the test fails if it is not. */
  expectFault(form: RegExp): void;
}

export type BrowserCookie = Parameters<BrowserContext['addCookies']>[0][number];

export interface ContextOptions {
  readonly javaScriptEnabled?: boolean;
  /** Height of the window, in CSS pixels. */
  readonly height?: number;
  /** What the browser has of an earlier visit. */
  readonly cookies?: readonly BrowserCookie[];
}

/** What accessibility is tested against: WCAG 2.2 AA with all it contains, and what axe advises beside it. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Each frame is looked at by itself; to describe what passes would take as long again. */
const AXE_OPTIONS: RunOptions = { runOnly: RULES, resultTypes: ['violations'], iframes: false };
const SCREENSHOTS = join(import.meta.dirname, '..', '..', '..', 'screenshots');
/** Far more than any step takes, also on a machine that does other things. */
const STEP_MS = 12_000;
/** From here on a window is a desktop's; below, it is a phone's: touched, and dense. */
const DESKTOP_PX = 600;

/** One for all files that a process runs; it ends with the process. To start one takes longer than most tests. */
const found = await startBrowser();
const contexts: BrowserContext[] = [];
const faults: string[] = [];
const expected: RegExp[] = [];

/**
 * Tests in a browser. Where none can start they are skipped: the run says how many and why, and does not fail, because
 * a machine with Node and npm alone must do for `npm test`. With `CI=true` that is a failure.
 */
export function describeInBrowser(name: string, tests: (browser: TestBrowser) => void): void {
  if ('missing' in found) {
    if (process.env['CI'] === 'true') throw new Error(`No browser starts, and CI=true.\n${found.missing}`);
    process.stderr.write(`\nSKIPPED, because no browser starts: ${name}\n${found.missing}\n`);
  }
  describe.skipIf('missing' in found)(name, () => {
    afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      const [seen, forms] = [faults.splice(0), expected.splice(0)];
      expect(seen.filter((fault) => !forms.some((form) => form.test(fault)))).toEqual([]);
      expect(forms.filter((form) => !seen.some((fault) => form.test(fault)))).toEqual([]);
    });
    tests({ open, expectFault: (form) => void expected.push(form) });
  });
}

async function open(address: string, look: Look, options: ContextOptions = {}): Promise<Page> {
  if ('missing' in found) throw new Error(found.missing);
  const { locale, theme, width } = look;
  const { javaScriptEnabled = true, height = width < DESKTOP_PX ? 844 : 900 } = options;
  const isPhone = width < DESKTOP_PX;
  const context = await found.browser.newContext({
    locale,
    colorScheme: theme,
    viewport: { width, height },
    javaScriptEnabled,
    ...(isPhone && { isMobile: true, hasTouch: true, deviceScaleFactor: 2 }),
  });
  // A step that hangs fails before its test does, and says where.
  context.setDefaultTimeout(STEP_MS);
  contexts.push(context);
  watch(context);
  await context.addCookies(options.cookies ?? []);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

function watch(context: BrowserContext): void {
  context.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isHere = !protocol.startsWith('http') || /^(127\.0\.0\.1|\[::1\]|(.+\.)?localhost)$/.test(hostname);
    if (!isHere) faults.push(`elsewhere: ${hostname}`);
  });
}

/** Fails with what axe finds on the page and in its frames, and where. */
export async function expectAccessible(page: Page): Promise<void> {
  const findings: string[] = [];
  for (const frame of page.frames()) {
    await frame.evaluate(axe.source);
    const run = `axe.run(document, ${JSON.stringify(AXE_OPTIONS)}).then(({ violations }) => violations)`;
    const violations: AxeResults['violations'] = await frame.evaluate(run);
    for (const { id, help, nodes } of violations) {
      findings.push(
        ...nodes.map(({ target, failureSummary }) => `${id}: ${help} — ${target.join(' ')}\n${failureSummary}`),
      );
    }
  }
  expect(findings.join('\n')).toBe('');
}

/**
 * The same in every third test of `npm test`, by the tests' names, because axe takes a quarter of all that browsers take there;
 * `npm run test:browser` looks at each page, in each language and theme and at each width.
 */
export async function expectAccessibleInTurn(page: Page): Promise<void> {
  const { currentTestName = '' } = expect.getState();
  const place = Buffer.from(currentTestName).reduce((sum, letter) => sum + letter, 0);
  if (isInShare(place)) await expectAccessible(page);
}

/** Fails where the page is wider than its window, so that it would have to be moved sideways to be read. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(overflow).toBe(0);
}

/**
 * Keeps a picture of the whole page in `screenshots/`, for people to look at: no test compares it. `npm run test:browser` keeps
 * all; elsewhere `TEST_PICTURES=yes` does, because most runs are not looked at.
 */
export async function screenshot(page: Page, name: string, { locale, theme, width }: Look): Promise<void> {
  if (!SEES_ALL && process.env['TEST_PICTURES'] !== 'yes') return;
  const path = join(SCREENSHOTS, `${name}-${locale}-${theme}-${width}.png`);
  await page.screenshot({ path, fullPage: true, animations: 'disabled' });
}
