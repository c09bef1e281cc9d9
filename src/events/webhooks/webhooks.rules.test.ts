import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../journal/events.rules.ts';
import { parseAddress } from '../../kit/addresses/address.ts';
import { checkEventTypes, readAddress } from './webhooks.rules.ts';

test.each([
  ['https://shop.example/hooks?a=b', true, true],
  ['https://shop.example:8443/', true, true],
  ['HTTPS://shop.example/hook', true, true],
  ['https://shop.example:9200/', true, false],
  ['http://localhost:3000/hooks', true, false],
  ['https://user:word@shop.example/', false, false],
  ['https://shop.example/#part', false, false],
  ['ftp://shop.example/', false, false],
  ['/hooks', false, false],
  [`https://shop.example/${'x'.repeat(2000)}`, false, false],
])('%s is an address in the sandbox: %s, in production: %s', (url, inSandbox, inProduction) => {
  for (const [mode, isOne] of [
    ['sandbox', inSandbox],
    ['production', inProduction],
  ] as const) {
    if (isOne) expect(readAddress(url, mode)).toBe(new URL(url).href);
    else expect(() => readAddress(url, mode)).toThrow(expect.objectContaining({ code: 'inputerror' }));
  }
});

test.each([
  ['HTTPS://Shop.Example:443/Hook', 'https://shop.example/Hook'],
  ['  https://shop.example\t/a b ', 'https://shop.example/a%20b'],
  ['https:\\\\shop.example\\hook', 'https://shop.example/hook'],
  ['https://blåbær.example', 'https://xn--blbr-roah.example/'],
])('%s is stored in its normal form', (sent, stored) => {
  expect(readAddress(sent, 'production')).toBe(stored);
});

test('an address is read the same however often one was read before', () => {
  for (let times = 0; times < 200_000; times++) parseAddress('https://shop.example/');
  expect(readAddress('https://blåbær.example', 'production')).toBe('https://xn--blbr-roah.example/');
});

test('an address whose normal form is too long for its column is refused', () => {
  expect(() => readAddress(`https://shop.example/${'å'.repeat(1000)}`, 'sandbox')).toThrow(
    expect.objectContaining({ code: 'inputerror' }),
  );
});

test('a webhook is for types of events that there are, or for all of a resource', () => {
  expect(checkEventTypes([...EVENT_TYPES, 'gift-card.*'])).toBeUndefined();
  for (const type of ['payment.catpured', 'payments.*', '*', 'payment', 'Payment.captured', 'payment.', 'a.b.c', '']) {
    const [problem] = checkEventTypes(['payment.captured', type])?.problems ?? [];
    expect(problem?.name).toBe('eventTypes[1]');
    for (const known of ['payment.*', ...EVENT_TYPES]) expect(problem?.description).toContain(known);
  }
});
