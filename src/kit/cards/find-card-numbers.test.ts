import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DISGUISES } from '../../../test/support/disguises.ts';
import { passesLuhn } from './card-number.ts';
import { containsCardNumber, maskCardNumbersIn } from './find-card-numbers.ts';

const VISA = '4925000000000004';
const AMEX = '377601000000000';
const DINERS = '36148201829798';

/** Digits with the check digit that makes them pass. */
function withCheckDigit(digits: string): string {
  const last = [...'0123456789'].find((digit) => passesLuhn(digits + digit));
  return digits + last;
}

describe('a card number is found', () => {
  test.each(Object.entries(DISGUISES))('%s', (_, disguise) => {
    for (const number of [VISA, AMEX, DINERS]) {
      expect(containsCardNumber(disguise(number))).toBe(true);
      expect(maskCardNumbersIn(disguise(number))).not.toBe(disguise(number));
    }
  });

  test.each([
    `${VISA} 12 30`,
    `${AMEX} and ${VISA}`,
    `${VISA},${VISA}`,
    '3776 010000 00000',
    '4925\u00a00000\u20130000 \t 0004',
    `2026-11-22 03:14:36 ${VISA}`,
    `203.0.113.7 ${VISA}`,
    '49:25:00:00:00:00:00:04',
    '4925/00/00/00/00/00/04',
    `00${VISA}`.padStart(24, '0'),
  ])('in %j', (text) => expect(containsCardNumber(text)).toBe(true));

  test('that begins like one of our own, once their prefixes are known', () => {
    for (const prefix of ['70133', '0133']) {
      const giftCard = withCheckDigit(prefix.padEnd(15, '7'));
      expect(containsCardNumber(giftCard)).toBe(false);
      expect(containsCardNumber(giftCard, [prefix])).toBe(true);
      expect(containsCardNumber(`no. ${giftCard.match(/.{4}/g)?.join('.')}`, [prefix])).toBe(true);
    }
  });
});

describe('no card number is', () => {
  test.each([
    '',
    '4925000000000005', // Fails Luhn.
    withCheckDigit('100000000000000'), // Passes Luhn and starts like no scheme's card: an order number.
    '42500000004', // Too short.
    `${VISA}${VISA}`, // 32 digits in one piece.
    `1${VISA}`,
    `${VISA}1230`,
    '12/30 123',
    'order-2026-11-21.000123',
    'a4925000000000004b5c6d7e8f9a0b1c', // A generated id.
    'see a4925000-0000-0004-b5c6-d7e8f9a0b1c2 there',
    '04.11.2026 13:30:45', // Visa has cards of 13 digits that begin so.
    '2026-05-10 12:30:45.123456',
    '25.11.2026 03:14 - 04:15',
    '2026-11-22T03:14:36.123Z',
    '+47 22 33 44 55, +47 99 88 77 66',
    '12.50, 13.99, 100.00, 1 250.00, 99.90, 4.50, 1.00',
    '\u2460\u2461\u2462',
    'Bl\u00e5b\u00e6rsyltet\u00f8y p\u00e5 gl\u00e4nsande r\u00e4gg 2026',
  ])('in %j', (text) => expect(containsCardNumber(text)).toBe(false));

  test('in a UUID of digits alone that says its version and variant', () => {
    expect(containsCardNumber('49250000-0000-4006-8000-000000000000')).toBe(false);
    expect(containsCardNumber('49250000-0000-0004-0000-000000000000')).toBe(true);
  });

  test('in a UUID with a letter, in either form', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.boolean(), (uuid, isBare) => {
        fc.pre(/[a-f]/.test(uuid));
        expect(containsCardNumber(`order ${isBare ? uuid.replaceAll('-', '') : uuid}.`)).toBe(false);
      }),
    );
  });

  test('in most order numbers of any length: what passes Luhn and begins like a card, and no more', () => {
    let seed = 20_261_122;
    const next = (limit: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % limit;
    };
    for (const [length, most] of [
      [16, 0.06],
      [19, 0.06],
      [20, 0.01], // With a zero before 19 digits.
      [24, 0],
    ] as const) {
      const orders = Array.from({ length: 5_000 }, () => Array.from({ length }, () => next(10)).join(''));
      const refused = orders.filter((order) => containsCardNumber(order)).length;
      expect(refused / orders.length, `of ${length} digits`).toBeLessThanOrEqual(most);
    }
  });
});

describe('the mask', () => {
  test('leaves the last four digits of each card number, and else all as it is', () => {
    expect(maskCardNumbersIn(`a ${VISA} b 3776-010000-00000 c 123`)).toBe(
      'a ************0004 b ****-******-*0000 c 123',
    );
    expect(maskCardNumbersIn('card=%34925000000000004&a=%20')).toBe('card=**************0004&a=%20');
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const text = `${before} x ${VISA} x ${after}`;
        expect(maskCardNumbersIn(text)).not.toContain(VISA);
        expect(maskCardNumbersIn(text)).toHaveLength(text.length);
      }),
    );
  });

  test('takes all of a number but the last four, however it is disguised', () => {
    for (const disguise of Object.values(DISGUISES)) {
      const left = maskCardNumbersIn(disguise(VISA));
      expect(containsCardNumber(left)).toBe(false);
    }
  });
});

describe('the search', () => {
  test.each([
    ['digits with blanks between', '1 '],
    ['zeros', '0 '],
    ['long groups', `${'4'.repeat(30)} `],
    ['twelve digits and a letter', '123456789012x'],
    ['encoded bytes', '%34%39'],
    ['bytes encoded many times', '%25'],
    ['percent signs', '%'],
    ['marks over a digit', '\u0301\u0316'],
    ['letters of ids', 'a1'],
    ['ids', 'a4925000-0000-0004-b5c6-d7e8f9a0b1c2-'],
    ['times', '12:30:'],
    ['dates', '12.12.2012.'],
    ['ligatures', '\ufdfa'],
  ])('takes time in proportion to the text: %s', (_, piece) => {
    const text = piece.repeat(Math.ceil(64_000 / piece.length));
    const before = performance.now();
    maskCardNumbersIn(text);
    // Some tenths of a second; what grows with the square of the length takes a minute.
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});
