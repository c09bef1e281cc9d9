import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeFault, expiryFault, numberFault } from '../../checkout/checks.ts';
import type { OpenedPage } from '../../src/payments/page/page.types.ts';
import { readPayForm } from '../../src/payments/page/page-form.rules.ts';
import { testCardNumber } from '../support/numbers.ts';
import { DIGIT_SPELLINGS, expirySpellings, numberSpellings } from '../support/payer/typed-spellings.ts';
import { AMEX, MASTERCARD, VISA } from '../support/shop/card-payments-shop.ts';

/** What the server finds wrong with a form of these fields in November 2026. */
function serversFaults(fields: Readonly<Record<string, string>>) {
  const payment = { terms: { cards: {}, generate: [] } };
  const page = { payment, storedCards: [], now: '2026-11-22T00:00:00.000Z', cardPrefixes: [] };
  const form = new Map(Object.entries({ number: VISA, expiry: '12/39', cvc: '123', ...fields }));
  return readPayForm(form, page as unknown as OpenedPage & { cardPrefixes: [] }).faults ?? {};
}

/** Found wrong by page and server alike. */
function numberFaultOf(number: string): string | undefined {
  const fault = numberFault(number);
  expect(serversFaults({ number, cvc: '' }).number, JSON.stringify(number)).toBe(fault);
  return fault;
}

function expiryFaultOf(expiry: string): string | undefined {
  const fault = expiryFault(expiry, '2026-11');
  expect(serversFaults({ expiry }).expiry, JSON.stringify(expiry)).toBe(fault);
  return fault;
}

const MAESTRO = '6764429999947470';
const CARDS = { Visa: VISA, Amex: AMEX, Maestro: MAESTRO };

function codeFaultOf(cvc: string, brand: keyof typeof CARDS): string | undefined {
  const fault = codeFault(cvc, brand);
  expect(serversFaults({ number: CARDS[brand], cvc }).cvc, JSON.stringify(cvc)).toBe(fault);
  return fault;
}

describe('the page and the server', () => {
  it.each(numberSpellings(VISA))('take a number %s', (_, text) => expect(numberFaultOf(text)).toBeUndefined());

  it.each(expirySpellings())('take an expiry %s', (_, text) => expect(expiryFaultOf(text)).toBeUndefined());

  it.each(Object.entries(DIGIT_SPELLINGS))('take a code %s', (_, spell) => {
    expect(codeFaultOf(spell('123'), 'Visa')).toBeUndefined();
    expect(codeFaultOf(spell('1234'), 'Amex')).toBeUndefined();
  });

  it('find the same wrong with whatever is typed', () => {
    const piece = fc.constantFrom(
      VISA,
      AMEX,
      MAESTRO,
      '4925',
      '12',
      '39',
      '2039',
      '1',
      '/',
      '-',
      ' ',
      '\u200e',
      'x',
      '\u0661',
    );
    const typed = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(typed, typed, typed, (number, expiry, cvc) => {
        numberFaultOf(number);
        expiryFaultOf(expiry);
        for (const brand of ['Visa', 'Amex', 'Maestro'] as const) codeFaultOf(cvc, brand);
      }),
    );
  });

  it.each([
    ['', 'numberMissing'],
    ['\u200e ', 'numberMissing'],
    ['4925', 'numberWrong'],
    [`${VISA.slice(0, -1)}5`, 'numberWrong'],
    [`${VISA}${VISA}`, 'numberWrong'],
    ['4925 0000 0000 000O', 'numberWrong'],
    // 13 digits that pass the check digit, as Visa had them once.
    ['4925000000004', 'numberWrong'],
    ['37760100000000000', 'numberWrong'],
    [MASTERCARD, undefined],
    [AMEX, undefined],
    [testCardNumber(7), undefined],
  ])('a number %j is %s', (text, fault) => expect(numberFaultOf(text)).toBe(fault));

  it.each([
    ['', 'expiryMissing'],
    ['13/39', 'expiryWrong'],
    ['0/39', 'expiryWrong'],
    ['12', 'expiryWrong'],
    ['11/26', undefined],
    ['10/26', 'expiryPast'],
    ['9/2026', 'expiryPast'],
    ['2026-10', 'expiryPast'],
    ['12/25', 'expiryPast'],
  ])('an expiry %s is %s in November 2026', (text, fault) => expect(expiryFaultOf(text)).toBe(fault));

  it.each([
    ['', 'Visa', 'cvcMissing'],
    ['12', 'Visa', 'cvcWrong'],
    ['1234', 'Visa', 'cvcWrong'],
    ['123', 'Amex', 'cvcWrongAmex'],
    ['12x', 'Visa', 'cvcWrong'],
    ['', 'Maestro', undefined],
    ['123', 'Maestro', undefined],
    ['1234', 'Maestro', 'cvcWrong'],
  ] as const)('a code %j of %s is %s', (text, brand, fault) => expect(codeFaultOf(text, brand)).toBe(fault));
});
