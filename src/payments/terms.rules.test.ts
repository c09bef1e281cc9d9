import { describe, expect, test } from 'vitest';
import { COMMAND_LINE } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { PaymentUrls } from './payments.types.ts';
import { type ReadTerms, readTerms, sameTerms, seriesOf } from './terms.rules.ts';

function read(urls: PaymentUrls, isSandbox: boolean): ReadTerms {
  const payment = { operation: 'Verify', currency: 'NOK', urls } as const;
  const asked = { payeeId: 'p' as PayeeId, actor: COMMAND_LINE, idempotencyKey: undefined };
  return readTerms({ ...asked, payment, cards: {}, userAgent: undefined }, isSandbox);
}

/** What is wrong with the addresses of a payment, by the problem's name; undefined where nothing is. */
function faultOf(urls: PaymentUrls, isSandbox: boolean): unknown {
  try {
    read(urls, isSandbox);
    return undefined;
  } catch (error) {
    return (error as { problems: readonly { name: string }[] }).problems[0]?.name;
  }
}

describe('an address that the service itself posts to', () => {
  test.each([
    ['https://shop.example/told', undefined],
    ['https://shop.example:443/told', undefined],
    ['https://shop.example:8443/told', undefined],
    ['https://shop.example:22/', 'payment.urls.callbackUrl'],
    ['http://shop.example/told', 'payment.urls.callbackUrl'],
    ['https://shop.example/told#here', 'payment.urls.callbackUrl'],
  ])('in production: %s', (callbackUrl, fault) => {
    expect(faultOf({ callbackUrl }, false)).toBe(fault);
  });

  test('may have any port in the sandbox', () => {
    expect(faultOf({ callbackUrl: 'http://localhost:3000/told' }, true)).toBeUndefined();
  });
});

test('where payers are sent to may have any port: their browsers go there', () => {
  expect(faultOf({ completeUrl: 'https://shop.example:9443/thanks' }, false)).toBeUndefined();
});

describe('an address that the content security policy of the page names', () => {
  test.each([
    'https://*',
    'https://*.shop.example',
    'https://x;script-src',
    "https://x;script-src'unsafe-inline'",
    'https://shop.example,https',
    'https://sh$op.example',
  ])('is of one whole host, and not %s', (address) => {
    expect(faultOf({ hostUrls: [address] }, false)).toBe('payment.urls.hostUrls[0]');
    for (const name of ['completeUrl', 'cancelUrl', 'logoUrl'] as const) {
      expect(faultOf({ [name]: `${address}/picture.svg` }, false)).toBe(`payment.urls.${name}`);
    }
  });

  test.each([
    'https://shop.example',
    'https://shop.example:8443',
    'https://BØKER.example/',
    'https://192.0.2.7',
    'https://[2001:db8::7]',
  ])('may be %s', (address) => {
    expect(faultOf({ hostUrls: [address] }, false)).toBeUndefined();
  });

  test('is https, and in the sandbox http too', () => {
    expect(faultOf({ hostUrls: ['http://localhost:3000'] }, true)).toBeUndefined();
    expect(faultOf({ hostUrls: ['http://shop.example'] }, false)).toBe('payment.urls.hostUrls[0]');
  });
});

const SENT: PaymentUrls = { hostUrls: ['HTTPS://Shop.example:443'], callbackUrl: 'HTTPS://shop.example/Hook' };

test('addresses are kept in their normal form', () => {
  expect(read(SENT, false).terms.urls).toEqual({
    hostUrls: ['https://shop.example/'],
    callbackUrl: 'https://shop.example/Hook',
  });
});

test('a payment that was stored with other forms of its addresses is still the one that was asked for', () => {
  const { terms } = read(SENT, false);
  expect(sameTerms(terms, { ...terms, urls: SENT })).toBe(true);
  expect(sameTerms(terms, { ...terms, urls: { ...SENT, callbackUrl: 'https://shop.example/hook' } })).toBe(false);
});

test('an address whose normal form is too long is refused', () => {
  expect(faultOf({ logoUrl: `https://shop.example/${'å'.repeat(1000)}` }, false)).toBe('payment.urls.logoUrl');
});

describe('the series that a try begins', () => {
  const recurring = { until: '2027-12-31', everyDays: 30 };
  const payment = (operation: 'Purchase' | 'Verify', others = {}) =>
    ({ operation, terms: others }) as unknown as Parameters<typeof seriesOf>[0];

  test('is as the payee has said it, else every day until the card expires', () => {
    expect(seriesOf(payment('Purchase', { recurring }), ['Recurrence'], '02/28')).toEqual(recurring);
    const unsaid = seriesOf(payment('Purchase'), ['Payment', 'Recurrence'], '02/28');
    expect(unsaid).toEqual({ until: '2028-02-29', everyDays: 1 });
  });

  test('is none without a token for it, and none of a verification', () => {
    expect(seriesOf(payment('Purchase', { recurring }), ['Payment', 'Unscheduled'], '02/28')).toBeUndefined();
    expect(seriesOf(payment('Verify', { recurring }), ['Recurrence'], '02/28')).toBeUndefined();
  });
});
