import { describe, expect, test } from 'vitest';
import { DIGIT_SPELLINGS, numberSpellings } from '../../../test/support/payer/typed-spellings.ts';
import { readEntry } from './menu.rules.ts';

const NUMBER = '9578021234567897';

const read = (giftNumber: string, giftCode: string) => readEntry(new Map(Object.entries({ giftNumber, giftCode })));

describe('a gift card is read', () => {
  test.each(numberSpellings(NUMBER))('with its number %s', (_, giftNumber) => {
    expect(read(giftNumber, '123')).toMatchObject({ number: NUMBER, code: '123' });
  });

  test.each(Object.entries(DIGIT_SPELLINGS))('with its code %s', (_, spell) => {
    expect(read(NUMBER, spell('0123'))).toMatchObject({ number: NUMBER, code: '0123' });
  });

  test('and what is missing is said, invisible marks or not', () => {
    const faults = { giftNumber: 'giftNumberMissing', giftCode: 'giftCodeMissing' };
    expect(read('', '')).toEqual({ faults });
    expect(read('\u200e \ufeff', '\u2066\u2069')).toEqual({ faults });
  });
});
