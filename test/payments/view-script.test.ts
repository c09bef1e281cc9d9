import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payable } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';

/** What a shop's page may have to load for the view, uncompressed. */
const SCRIPT_BYTES = 4500;
const SITE = { origin: 'https://shop.example' };

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

describe('the view script', () => {
  it('is the same small file for every payment, and any page may load and check it', async () => {
    const [one, other] = await Promise.all([payable(kontor, SITE), payable(kontor, SITE)]);
    expect(one.script).toBe(`${one.page}/view.js`);
    const [answer, same] = await Promise.all([kontor.send('GET', one.script), kontor.send('GET', other.script)]);
    expect(answer.status).toBe(200);
    expect(same.text).toBe(answer.text);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(SCRIPT_BYTES);
    expect(answer.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  it('is for verifications too', async () => {
    const { script } = await payable(kontor, SITE, { operation: 'Verify', prices: undefined, intent: undefined });
    expect(await kontor.send('GET', script)).toMatchObject({ status: 200 });
  });

  it('is not there where no page may frame ours, nor under a link that is not ours', async () => {
    const { page, script } = await payable(kontor, SITE, { urls: { hostUrls: undefined } });
    expect(script).toBeUndefined();
    expect(await kontor.send('GET', `${page}/view.js`)).toMatchObject({ status: 404 });
    const framed = await payable(kontor, SITE);
    const forged = framed.script.replace(/.(?=\/view\.js$)/, (last) => (last === 'A' ? 'B' : 'A'));
    expect(await kontor.send('GET', forged)).toMatchObject({ status: 404 });
    expect(await kontor.send('GET', framed.script.replace(kontor.payeeId, crypto.randomUUID()))).toMatchObject({
      status: 404,
    });
  });
});
