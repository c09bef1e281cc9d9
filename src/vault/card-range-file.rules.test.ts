import { describe, expect, it } from 'vitest';
import { type CardRangeColumns, readCardRange, readHeader } from './card-range-file.rules.ts';

const columns = readHeader([
  'prefix',
  'brand',
  'cardType',
  'holderType',
  'issuerName',
  'countryCode',
]) as CardRangeColumns;

describe('the first line', () => {
  it('names the columns in any order and case, with others between them', () => {
    expect(readHeader(['BRAND', 'note', ' Prefix ', 'countrycode'])).toEqual({
      prefix: 2,
      brand: 0,
      cardType: undefined,
      holderType: undefined,
      issuerName: undefined,
      countryCode: 3,
    });
  });

  it.each(['', 'prefix', 'brand,type'])('is refused as %j', (line) => {
    expect(readHeader(line.split(','))).toEqual(expect.any(String));
  });
});

describe('a range', () => {
  it('is read from its fields', () => {
    expect(readCardRange(columns, ['45810912', ' visa ', 'debit', 'CORPORATE', 'Bank, Oslo', '8'])).toEqual({
      prefix: '45810912',
      brand: 'Visa',
      cardType: 'Debit',
      holderType: 'Corporate',
      issuerName: 'Bank, Oslo',
      countryCode: '008',
    });
    expect(readCardRange(columns, ['4', 'Visa'])).toMatchObject({
      cardType: null,
      issuerName: null,
      countryCode: null,
    });
  });

  it.each([
    [',Visa,,,,', 'prefix'],
    ['458109123,Visa,,,,', 'prefix'],
    ['45x,Visa,,,,', 'prefix'],
    ['458109,,,,,', 'brand'],
    ['458109,A brand with a long name,,,,', 'brand'],
    ['458109,Vi\u0000sa,,,,', 'brand'],
    ['458109,Visa,Prepaid,,,', 'cardType'],
    ['458109,Visa,,Family,,', 'holderType'],
    [`458109,Visa,,,${'x'.repeat(101)},`, 'issuerName'],
    ['458109,Visa,,,,NO', 'countryCode'],
    ['458109,Visa,,,,1234', 'countryCode'],
    ['4.925E+10,Visa,,,,', 'spreadsheet'],
    ['458109,Vis\ufffd,,,,', 'UTF-8'],
  ])('is refused as %j', (line, word) => {
    expect(readCardRange(columns, line.split(','))).toContain(word);
  });
});
