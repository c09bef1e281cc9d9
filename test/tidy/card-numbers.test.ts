import { describe, expect, test } from 'vitest';
import { passesLuhn, startsLikeSchemeCard } from '../../src/kit/cards/card-number.ts';
import { projectFiles, type SourceFile } from './files.ts';

/** First six digits of the sandbox's test cards. Any number in these ranges is a test card; every other may be a person's. */
const TEST_RANGES = [
  '356999',
  '361482',
  '377601',
  '458109',
  '476173',
  '492500',
  '501999',
  '522660',
  '522661',
  '676442',
];

/** Numbers in other people's forms: digests, versions. */
const NOT_TEXT_OF_OURS = /^(package-lock\.json|LICENSE)$/;

const MAYBE_CARD_NUMBER = /(?<![\d\w])\d(?:[ -]?\d){12,18}(?![\d\w])/g;

/** Places with a card number that is no test card, without the number (PCI DSS 4.0.1, 6.5.5: no live card numbers in tests). */
function realCardNumbers(file: SourceFile): string[] {
  return file.text.split('\n').flatMap((line, index) =>
    [...line.matchAll(MAYBE_CARD_NUMBER)]
      .map(([text]) => text.replace(/\D/g, ''))
      .filter((digits) => passesLuhn(digits) && startsLikeSchemeCard(digits))
      .filter((digits) => !TEST_RANGES.some((range) => digits.startsWith(range)))
      .map(() => `${file.path}:${index + 1} holds a card number outside the test ranges. Use one of the sandbox's.`),
  );
}

/** A well-formed number that begins so: made here, so that no real one stands in this file. */
function numberIn(range: string): string {
  const payload = range.padEnd(15, '0');
  const check = Array.from('0123456789').find((digit) => passesLuhn(payload + digit));
  return `${payload}${check}`;
}

describe('card numbers', () => {
  test('in the project are test cards', () => {
    expect(
      projectFiles()
        .filter(({ path }) => !NOT_TEXT_OF_OURS.test(path))
        .flatMap(realCardNumbers),
    ).toEqual([]);
  });

  test('outside the test ranges are found, also with blanks and dashes', () => {
    const number = numberIn('411111');
    for (const text of [number, number.replace(/(\d{4})(?=\d)/g, '$1 '), number.replace(/(\d{4})(?=\d)/g, '$1-')]) {
      expect(realCardNumbers({ path: 'a', text: `one\n'${text}'` })).toEqual([expect.stringContaining('a:2')]);
    }
  });

  test('in the test ranges, and other long numbers, are let be', () => {
    for (const text of [numberIn('492500'), `${numberIn('411111')}0000`, '1700000000000', '0.123']) {
      expect(realCardNumbers({ path: 'a', text })).toEqual([]);
    }
  });
});
