import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUSINESS_NUMBERS, withGtinDigit } from '../../../test/support/business-numbers.ts';
import { someOf } from '../../../test/support/long-run.ts';
import { DISGUISES } from '../../../test/support/prober/disguises.ts';
import { readableText } from '../readable-text.ts';
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
    for (const prefix of ['70133', '0833']) {
      const giftCard = withCheckDigit(prefix.padEnd(15, '8'));
      expect(containsCardNumber(giftCard)).toBe(false);
      expect(containsCardNumber(giftCard, [prefix])).toBe(true);
      expect(containsCardNumber(`no. ${giftCard.match(/.{4}/g)?.join('.')}`, [prefix])).toBe(true);
    }
  });
});

let seed = 20_261_127;

function next(limit: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return (seed >>> 8) % limit;
}

const digits = (length: number) => Array.from({ length }, () => next(10)).join('');
const phone = () => `${4 + next(6)}${digits(1)} ${digits(2)} ${digits(2)} ${digits(2)}`;
const price = () => `${1 + next(1000)}.${digits(2)}`;
const ean = () => withGtinDigit(`${1 + next(9)}${digits(11)}`);

/** Of random numbers of each kind, the most that may be refused: `docs/security.md` has what was measured. */
const RATES: Readonly<Record<string, readonly [most: number, draw: () => string]>> = {
  'product numbers': [0, ean],
  'lists of two product numbers': [0, () => `${ean()} ${ean()}`],
  'order numbers of 13 digits': [0, () => digits(13)],
  'order numbers of 16 digits': [0.08, () => digits(16)],
  'lists of two phone numbers with country codes': [0, () => `+47 ${phone()}, +47 ${phone()}`],
  'lists of two phone numbers in the same groups': [0.06, () => `${phone()} ${phone()}`],
  'lists of five prices': [0.005, () => Array.from({ length: 5 }, price).join(' ')],
  'dates with a time': [
    0,
    () => `${1 + next(28)}.${1 + next(12)}.20${20 + next(10)} ${10 + next(10)}:${10 + next(50)}`,
  ],
};

const BUSINESS = Object.values(BUSINESS_NUMBERS).flat();

describe('beside a number of another kind', () => {
  test.each(Object.entries(DISGUISES))('a card number is found %s', (_, disguise) => {
    const missed = [VISA, AMEX, DINERS].flatMap((number) =>
      BUSINESS.flatMap((business) =>
        someOf([' ', ', ', ' / ', '\n', ': ']).flatMap((between) =>
          [`${business}${between}${disguise(number)}`, `${disguise(number)}${between}${business}`].filter(
            (text) => !containsCardNumber(text),
          ),
        ),
      ),
    );
    expect(missed).toEqual([]);
  });

  test('the mask takes all of it but the last four, in whatever disguise', () => {
    // The number has digits that no business number has beside each other.
    const number = withCheckDigit('492581637028913');
    const digitsIn = (text: string) => readableText(text, true).characters.replace(/\D/g, '');
    for (const disguise of Object.values(DISGUISES)) {
      for (const business of BUSINESS) {
        const left = digitsIn(maskCardNumbersIn(`${business}, ${disguise(number)}, ${business}`));
        for (let from = 0; from < 11; from++) expect(left).not.toContain(number.slice(from, from + 5));
      }
    }
  });
});

describe('no card number is', () => {
  test.each(Object.entries(BUSINESS_NUMBERS))('in %s', (_, numbers) => {
    expect(numbers.filter((number) => containsCardNumber(number))).toEqual([]);
    expect(numbers.filter((number) => maskCardNumbersIn(number) !== number)).toEqual([]);
  });

  test('in two numbers of any kinds beside each other', () => {
    const texts = BUSINESS.flatMap((first) => BUSINESS.map((second) => `${first}, ${second}`));
    expect(texts.filter((text) => containsCardNumber(text))).toEqual([]);
  });

  test.each([
    '',
    '4925000000000005', // Fails Luhn.
    withCheckDigit('900000000000000'), // Passes Luhn and starts like no scheme's card: an order number.
    '42500000004', // Too short.
    withCheckDigit('492500000000'), // 13 digits.
    withCheckDigit('4925000000000'), // Visa issues no numbers of 14 digits,
    withCheckDigit('522660000000000000'), // and Mastercard none of 19.
    '12/30 123',
    'order-2026-11-21.000123',
    '\u2460\u2461\u2462',
    'Ill, Oil, lol: lOOl 12 Il',
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

  test.each(Object.entries(RATES))('in most %s', (_, [most, draw]) => {
    const drawn = Array.from({ length: 4_000 }, draw);
    const refused = drawn.filter((text) => containsCardNumber(text)).length;
    expect(refused / drawn.length).toBeLessThanOrEqual(most);
  });
});

describe('the mask', () => {
  test.each([
    ['"4925\\t0000\\t0000\\t0004"', '"****\\t****\\t****\\t0004"'],
    ['{"card":"4925\\u00a00000\\u00A00000\\u00a00004"}', '{"card":"****\\u00a0****\\u00A0****\\u00a00004"}'],
    ['C:\\n4925000000000004', 'C:\\n************0004'],
    ['\\u4925000000000004', '\\u************0004'],
  ])('reads escapes of JSON: %s', (text, masked) => {
    expect(maskCardNumbersIn(text)).toBe(masked);
    expect(containsCardNumber(text)).toBe(true);
  });

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

describe('the scan', () => {
  const pieces: readonly (readonly [string, string])[] = [
    ['digits with blanks between', '1 '],
    ['beginnings of cards with blanks between', '4 '],
    ['beginnings of cards of any length', '50'],
    ['zeros', '0 '],
    ['nines', '9 '],
    ['dashes', '1-2-'],
    ['digits that are letters', '1l'],
    ['digits of another script', '\u0669 '],
    ['digits of another script behind a percent sign', '%\u0669 '],
    ['long groups', `${'4'.repeat(30)} `],
    ['card numbers', `${VISA} `],
    ['card numbers in groups', '4925 0000 0000 0004 '],
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
  ];
  test.each(someOf(pieces))('takes time in proportion to the text: %s', (_, piece) => {
    const scan = (characters: number) => {
      const text = piece.repeat(Math.ceil(characters / piece.length));
      return fastest(() => maskCardNumbersIn(text));
    };
    // Eight times the text: what grows with its square takes 64 times as long, however often it is measured.
    const isProportional = () => scan(64_000) < 20 * scan(8_000) + 20;
    expect(Array.from({ length: 5 }).some(isProportional)).toBe(true);
  });
});

/** Milliseconds of the fastest of a few runs: other work on the machine makes the others slower. */
function fastest(run: () => void): number {
  return Math.min(
    ...Array.from({ length: 9 }, () => {
      const startedAt = performance.now();
      run();
      return performance.now() - startedAt;
    }),
  );
}
