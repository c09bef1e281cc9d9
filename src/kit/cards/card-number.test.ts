import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSchemePrefix, maskCardNumber, passesLuhn, startsLikeSchemeCard } from './card-number.ts';

const VISA = '4925000000000004';
const AMEX = '377601000000000';
const DINERS = '36148201829798';

/** Digits with the check digit that makes them pass. */
function withCheckDigit(digits: string): string {
  const last = [...'0123456789'].find((digit) => passesLuhn(digits + digit));
  return digits + last;
}

describe('the Luhn check', () => {
  test.each([VISA, AMEX, DINERS, '5019994016316467', '0'])('takes %s', (digits) => {
    expect(passesLuhn(digits)).toBe(true);
  });

  test('refuses every single wrong digit, and every two neighbours that changed places but 0 and 9', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{12,18}$/), fc.nat(), fc.integer({ min: 1, max: 9 }), (body, at, add) => {
        const number = withCheckDigit(body);
        const place = at % number.length;
        const wrong = String((Number(number[place]) + add) % 10);
        expect(passesLuhn(number.slice(0, place) + wrong + number.slice(place + 1))).toBe(false);
        const [a = '', b = ''] = [number[place], number[place + 1]];
        if (a === b || b === '' || ['09', '90'].includes(a + b)) return;
        expect(passesLuhn(number.slice(0, place) + b + a + number.slice(place + 2))).toBe(false);
      }),
    );
  });
});

describe('the mask', () => {
  test.each([
    [VISA, '492500******0004'],
    [AMEX, '377601*****0000'],
    ['6764429999947470123', '676442*********0123'],
    [DINERS, '**********9798'], // Four hidden digits would be too few: then the first six are hidden too.
    ['4925000000004', '*********0004'],
  ])('of %s is %s', (digits, masked) => {
    expect(maskCardNumber(digits)).toBe(masked);
  });
});

describe('the schemes', () => {
  test.each([VISA, AMEX, DINERS, '2221000000000001', '6011000000000001', '3528000000000001', '6200000000000001'])(
    'have cards that start like %s',
    (digits) => expect(startsLikeSchemeCard(digits)).toBe(true),
  );

  test.each(['2220990000000001', '2721000000000001', '35270000000000001', '492500000000000', '9000000000000000'])(
    'have none that starts like %s, or none of its length',
    (digits) => expect(startsLikeSchemeCard(digits)).toBe(false),
  );

  test('cover a prefix where all of its numbers begin like their cards', () => {
    expect(['4', '4925', '51', '222100', '5'].map(isSchemePrefix)).toEqual([true, true, true, true, false]);
  });
});
