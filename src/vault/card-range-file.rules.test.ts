import { describe, expect, it } from 'vitest';
import { type CardRangeColumns, readCardRange, readHeader, splitCsv } from './card-range-file.rules.ts';

const columns = readHeader('prefix,brand,cardType,holderType,issuerName,countryCode') as CardRangeColumns;

describe('a line of comma-separated values', () => {
  it.each([
    ['a,b', ['a', 'b']],
    ['', ['']],
    [',', ['', '']],
    ['"a,b",c', ['a,b', 'c']],
    ['"say ""hi""",', ['say "hi"', '']],
    ['a"b,c', undefined],
    ['"a', undefined],
    ['"a"b,c', undefined],
  ])('%j is %j', (line, fields) => {
    expect(splitCsv(line)).toEqual(fields);
  });
});

describe('the first line', () => {
  it('names the columns in any order and case, after a byte order mark, with others between them', () => {
    expect(readHeader('\ufeffBRAND,note, Prefix ,countrycode')).toEqual({
      prefix: 2,
      brand: 0,
      cardType: undefined,
      holderType: undefined,
      issuerName: undefined,
      countryCode: 3,
    });
  });

  it.each(['', 'prefix', 'brand,type', '"prefix,brand'])('is refused as %j', (line) => {
    expect(readHeader(line)).toEqual(expect.any(String));
  });
});

describe('a range', () => {
  it('is read from its fields', () => {
    expect(readCardRange(columns, '45810912, visa ,debit,CORPORATE,"Bank, Oslo",8')).toEqual({
      prefix: '45810912',
      brand: 'Visa',
      cardType: 'Debit',
      holderType: 'Corporate',
      issuerName: 'Bank, Oslo',
      countryCode: '008',
    });
    expect(readCardRange(columns, '4,Visa')).toMatchObject({ cardType: null, issuerName: null, countryCode: null });
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
    ['458109,"Visa', 'quotes'],
  ])('is refused as %j', (line, word) => {
    expect(readCardRange(columns, line)).toContain(word);
  });
});
