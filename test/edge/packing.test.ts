import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payPage } from '../support/payer/pay-page.ts';
import { type TestService, testService } from '../support/service.ts';
import { openBrowser } from '../support/shop/portal.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${kontor.baseUrl}${path}`, { headers });

describe('what is the same for every caller', () => {
  test.each(['/openapi.json', '/assets/page.css', '/', '/errordetail/inputerror'])(
    '%s is packed as the caller takes it, has a tag for each form, and is not sent again',
    async (path) => {
      const texts = new Set<string>();
      const tags = new Set<string>();
      for (const coding of ['br', 'gzip', 'identity']) {
        const headers = { 'accept-encoding': coding, accept: 'text/html, */*;q=0.5' };
        const answer = await get(path, headers);
        expect(answer.headers.get('content-encoding')).toBe(coding === 'identity' ? null : coding);
        expect(answer.headers.get('vary')).toMatch(/(^|, )Accept-Encoding$/);
        texts.add(await answer.text());
        const tag = answer.headers.get('etag') ?? '';
        tags.add(tag);
        const again = await get(path, { ...headers, 'if-none-match': `"other", W/${tag}` });
        expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
        expect((await get(path, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);
      }
      expect([texts.size, tags.size]).toEqual([1, 3]);
    },
  );
});

describe('the payment page', () => {
  test('is packed where it is opened, and not where it shows what was typed', async () => {
    const page = await payPage(kontor);
    const headers = { 'accept-encoding': 'br' };
    const opened = await page.open({ headers });
    expect(opened.headers.get('content-encoding')).toBe('br');
    expect(opened.headers.get('vary')).toContain('Accept-Encoding');
    expect(opened.headers.get('etag')).toBeNull();
    expect(opened.text).toContain('</html>');
    const invalid = await page.pay({ name: '4925 0000 0000 0004' }, { headers });
    expect([invalid.status, invalid.headers.get('content-encoding')]).toEqual([422, null]);
  });
});

test('what holds a secret is never packed', async () => {
  const browser = openBrowser(kontor.baseUrl);
  const { email, password } = kontor.portal;
  const signedIn = await browser.signIn({ email, password });
  const session = await browser.get('/portal/api/session', { 'accept-encoding': 'br' });
  const api = await kontor.send('GET', `/online/payer/payees/${kontor.payeeId}/payers/anna/tokens`);
  for (const answer of [signedIn, session, api]) {
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
  }
});
