import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitsOf, formatCode, formatExpiry, formatNumber } from '../../checkout/card-format.ts';
import { expirySpellings, numberSpellings } from '../support/payer/typed-spellings.ts';

/** A text with its caret as `|`. */
function typed(text: string) {
  return { text: text.replace('|', ''), caret: text.indexOf('|') };
}
const shown = ({ text, caret }: { readonly text: string; readonly caret: number }) =>
  `${text.slice(0, caret)}|${text.slice(caret)}`;

describe('a card number', () => {
  it.each([
    ['4|', '4|', 'a first digit'],
    ['49250|', '4925 0|', 'a group that is full'],
    ['4925 0|000', '4925 0|000', 'a caret in the middle stays behind its digit'],
    ['4925|0 000', '4925| 0000', 'a caret at the end of a group stays there'],
    ['4925 00|00 0000 0004', '4925 00|00 0000 0004', 'nothing to do'],
    ['4925-0000-0000-0004|', '4925 0000 0000 0004|', 'pasted with dashes'],
    ['4925000000000004|', '4925 0000 0000 0004|', 'pasted without blanks'],
    ['377601000000000|', '3776 010000 00000|', 'American Express as it is printed'],
    ['3776010000000009|', '3776 010000 00000|', 'no more digits than the brand has'],
    ['36148201829798|', '3614 820182 9798|', 'Diners as it is printed'],
    ['x49|', '49|', 'no letters'],
    ['|4925', '|4925', 'a caret at the beginning'],
    ['\u0664\u0669\u0662\u0665\u0660|', '4925 0|', 'in Arabic digits'],
    ['\u200e4925\u200e|0000', '4925| 0000', 'direction marks count for nothing'],
  ])('%s becomes %s: %s', (before, after) => {
    expect(shown(formatNumber(typed(before)))).toBe(after);
  });

  it.each(numberSpellings('4925000000000004'))('that is pasted or filled in %s is put into groups', (_, text) => {
    expect(shown(formatNumber({ text, caret: text.length }))).toBe('4925 0000 0000 0004|');
  });

  it('keeps the digits, and the caret behind as many of them', () => {
    const anyText = fc.string({ unit: fc.constantFrom(...'0123456789 -'), maxLength: 19 });
    fc.assert(
      fc.property(anyText, fc.nat(19), (text, at) => {
        const caret = Math.min(at, text.length);
        const after = formatNumber({ text, caret });
        const digits = digitsOf(text);
        expect(digits.startsWith(digitsOf(after.text))).toBe(true);
        expect(digitsOf(after.text.slice(0, after.caret)).length).toBe(
          Math.min(digitsOf(text.slice(0, caret)).length, digitsOf(after.text).length),
        );
        expect(formatNumber(after).text).toBe(after.text);
      }),
    );
  });
});

describe('an expiry', () => {
  it.each([
    ['1|', '1|', 'a month may have two digits'],
    ['9|', '09/|', 'September gets its zero'],
    ['12|', '12/|', 'the stroke comes by itself'],
    ['1/|', '01/|', 'a stroke after one digit ends the month'],
    ['123|', '12/3|', 'a year begins'],
    ['1239|', '12/39|', 'without a stroke'],
    ['12 / 2039|', '12/39|', 'a year in full, as browsers fill it in'],
    ['12/2039|', '12/39|', 'pasted'],
    ['1|2/39', '1|2/39', 'a caret in the middle stays'],
    ['2039-12|', '12/39|', 'the year first, as browsers fill it in'],
    ['02/0|', '20|', 'a year is typed first: no card is valid in 200x'],
    ['2039|', '2039/|', 'the stroke behind a year'],
    ['2039/1|', '2039/1|', 'a month may have two digits'],
    ['2039/9|', '09/39|', 'September ends it'],
  ])('%s becomes %s: %s', (before, after) => {
    expect(shown(formatExpiry(typed(before), false))).toBe(after);
  });

  it.each(expirySpellings())('that is pasted or filled in as %s is shown as MM/YY', (_, text) => {
    expect(shown(formatExpiry({ text, caret: text.length }, false))).toBe('12/39|');
  });

  it.each(['1239', '12/39', '12/2039', '12-39', '12 39', '2039-12', '2039/12', '203912', '1/39', '9/39', '939'])(
    'that is typed as %s character by character is shown as MM/YY',
    (typing) => {
      let field = { text: '', caret: 0 };
      for (const character of typing) field = formatExpiry({ text: field.text + character, caret: 99 }, false);
      expect(field.text).toMatch(/^(12|01|09)\/(39|2039)$/);
    },
  );

  it.each([
    ['12|', '12|', 'the stroke was taken away and does not come back'],
    ['1|', '1|', 'a digit was taken away'],
    ['12/3|', '12/3|', 'of the year'],
  ])('%s becomes %s when something was deleted: %s', (before, after) => {
    expect(shown(formatExpiry(typed(before), true))).toBe(after);
  });
});

describe('a code', () => {
  it.each([
    ['12|3', 3, '12|3'],
    ['1 2 3|', 3, '123|'],
    ['\u200e123|', 3, '123|'],
    ['\uff11\uff12\uff13|', 3, '123|'],
    ['12345|', 4, '1234|'],
    ['12x|', 3, '12|'],
  ])('%j of %i digits becomes %j', (before, most, after) => {
    expect(shown(formatCode(typed(before), most))).toBe(after);
  });
});
