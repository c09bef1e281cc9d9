import { expect, test } from 'vitest';
import { checkAddress, checkEventTypes } from './webhooks.rules.ts';

test.each([
  ['https://shop.example/hooks?a=b', true, true],
  ['https://shop.example:8443/', true, true],
  ['https://shop.example:9200/', true, false],
  ['http://localhost:3000/hooks', true, false],
  ['https://user:word@shop.example/', false, false],
  ['https://shop.example/#part', false, false],
  ['ftp://shop.example/', false, false],
  ['/hooks', false, false],
  [`https://shop.example/${'x'.repeat(2000)}`, false, false],
])('%s is an address in the sandbox: %s, in production: %s', (url, inSandbox, inProduction) => {
  expect(checkAddress(url, 'sandbox') === undefined).toBe(inSandbox);
  expect(checkAddress(url, 'production') === undefined).toBe(inProduction);
});

test('types of events are words with a dot, or all of a kind', () => {
  expect(checkEventTypes(['payment.captured', 'gift-card.*'])).toBeUndefined();
  for (const type of ['*', 'payment', 'Payment.captured', 'payment.', 'a.b.c']) {
    expect(checkEventTypes([type])?.problems[0]?.name).toBe('eventTypes');
  }
});
