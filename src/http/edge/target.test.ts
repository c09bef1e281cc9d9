import { describe, expect, test } from 'vitest';
import { pathOfTarget, targetReader } from './target.ts';

const read = targetReader({
  paths: [
    '/psp/paymentorders/:orderId',
    '/psp/paymentorders/:orderId/captures',
    '/psp/paymentorders/paymentTokens/:token',
    '/online/payer/payees/:payeeId/payers/:payerReference/tokens',
    '/api/payments/ping',
    '/',
  ],
  signed: '/api/payments',
  baseUrl: () => 'https://pay.example/kontor',
});

function target(url: string, socket: object = { localAddress: '192.0.2.1', localPort: 8080 }): string {
  return read({ url, socket } as Parameters<typeof read>[0]);
}

describe('the words of an address', () => {
  test.each([
    ['/PSP/PaymentOrders/AbC/CAPTURES?x=Y', '/psp/paymentorders/AbC/captures?x=Y'],
    ['/psp/paymentorders/paymenttokens/AbC', '/psp/paymentorders/paymentTokens/AbC'],
    ['/Online/Payer/Payees/P/Payers/Tokens/TOKENS', '/online/payer/payees/P/payers/Tokens/tokens'],
    // A capital that has two letters in lower case must not move what follows it.
    ['/online/payer/payees/p/payers/%C4%B0x/Tokens', '/online/payer/payees/p/payers/%C4%B0x/tokens'],
    // The Kelvin sign is no k.
    ['/online/payer/payees/p/payers/x/to%E2%84%AAens', '/online/payer/payees/p/payers/x/to%E2%84%AAens'],
    ['/Nowhere/AT/all', '/Nowhere/AT/all'],
    ['/PSP/Nowhere', '/psp/Nowhere'],
    ['/', '/'],
    ['*', '*'],
    ['', ''],
  ])('%s is %s', (sent, expected) => {
    expect(target(sent)).toBe(expected);
  });
});

describe('a slash at the end', () => {
  test.each([
    ['/psp/paymentorders/A/', '/psp/paymentorders/A'],
    ['/psp/paymentorders/A/?x=/', '/psp/paymentorders/A?x=/'],
    ['/psp/paymentorders/A//', '/psp/paymentorders/A/'],
    ['/api/payments/ping/', '/api/payments/ping/'],
    ['/API/payments/', '/api/payments/'],
    ['//', '/'],
    ['/?x=1', '/?x=1'],
  ])('of %s: %s', (sent, expected) => {
    expect(target(sent)).toBe(expected);
  });
});

describe('a target in absolute form', () => {
  test.each([
    ['https://pay.example/PSP/x', '/psp/x'],
    ['http://PAY.example:80/psp/x/?y=1', '/psp/x?y=1'],
    ['HTTPS://pay.example:443', '/'],
    ['https://pay.example?x=1', '/?x=1'],
  ])('%s is ours: %s', (sent, expected) => {
    expect(target(sent)).toBe(expected);
  });

  test.each([
    'https://other.example/psp',
    'https://pay.example:8443/psp',
    'https://pay.example.evil.example/psp',
    'https://user@pay.example/psp',
    'https://pay.example@evil.example/psp',
    'ftp://pay.example/psp',
    'https:///psp',
    'http://localhost:8080/psp',
    'http://192.0.2.1:8080/psp',
  ])('%s is not', (sent) => {
    expect(target(sent)).toBe(sent);
  });

  test('names a socket of this machine', () => {
    const socket = { localAddress: '127.0.0.1', localPort: 8080 };
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
      expect(target(`http://${host}/psp/x`, socket)).toBe('/psp/x');
      expect(target(`http://${host}1/psp/x`, socket)).toBe(`http://${host}1/psp/x`);
    }
    expect(target('http://localhost/psp/x', socket)).toBe('http://localhost/psp/x');
    expect(target('http://evil.example:8080/psp/x', socket)).toBe('http://evil.example:8080/psp/x');
  });

  test('is signed without scheme and host', () => {
    expect(pathOfTarget('HTTP://pay.example/API/Payments/ping/?x')).toBe('/API/Payments/ping/?x');
    expect(pathOfTarget('/api/payments/ping/')).toBe('/api/payments/ping/');
  });
});
