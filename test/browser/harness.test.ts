import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll } from '../support/payer/browser.ts';
import type { Look } from '../support/payer/looks.ts';

const LOOK: Look = { locale: 'en-US', theme: 'light', width: 390 };

/** Pages that do what no page of ours may, each with what must be noticed. */
const BAD_PAGES = {
  '/inline': ['<script>document.title = 1</script>', /Content Security Policy/],
  '/throws': ['<script src="/throw.js"></script>', /uncaught: no$/],
  '/elsewhere': ['<img src="http://example.invalid/x.png" alt="">', /elsewhere: example\.invalid/],
} as const;

describeInBrowser('a test in the browser', (browser) => {
  let server: Server;
  let baseUrl: string;
  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      if (url === '/throw.js') return void response.end("throw new Error('no')");
      const [body] = BAD_PAGES[url as keyof typeof BAD_PAGES] ?? [
        '<p style="width: 2000px">wide</p><img src="data:,">',
      ];
      const policy = url in BAD_PAGES ? { 'content-security-policy': "script-src 'self'" } : {};
      response.writeHead(200, { 'content-type': 'text/html', ...policy }).end(`<!doctype html>${body}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test.each(Object.entries(BAD_PAGES))('notices %s', async (path, [, fault]) => {
    browser.expectFault(fault);
    if (path === '/elsewhere') browser.expectFault(/ERR_/);
    await browser.open(`${baseUrl}${path}`, LOOK);
  });

  test('notices what is not accessible, and what is too wide', async () => {
    const page = await browser.open(`${baseUrl}/other`, LOOK);
    await expect(expectAccessible(page)).rejects.toMatchObject({ actual: expect.stringContaining('image-alt') });
    await expect(expectNoSidewaysScroll(page)).rejects.toThrow();
  });
});
