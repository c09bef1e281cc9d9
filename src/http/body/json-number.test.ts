import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digitsOf, readNumber } from './json-number.ts';

describe('readNumber', () => {
  test.each(['0', '7', '-1', '100', '999999999999', '9007199254740991', '-9007199254740991'])(
    '%s is a number',
    (text) => {
      expect(readNumber(text)).toBe(Number(text));
    },
  );

  test.each([
    '-0',
    '100.0',
    '1e2',
    '1E2',
    '0.5',
    '0.0',
    '9007199254740992',
    '9007199254740993',
    '1e400',
    '1234567890'.repeat(3),
  ])('%s keeps its text', (text) => {
    const number = readNumber(text);
    expect(typeof number === 'symbol' && number.description).toBe(text);
  });

  test('what keeps its text fits no schema', () => {
    const ajv = new Ajv2020({ allowUnionTypes: true });
    for (const type of ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']) {
      expect(ajv.validate({ type }, readNumber('100.0')), type).toBe(false);
    }
    expect(ajv.validate({ const: 100 }, readNumber('100.0'))).toBe(false);
  });

  test('what keeps its text cannot slip into a message', () => {
    const number = readNumber('9007199254740993');
    expect(() => `${number as unknown as string}`).toThrow(TypeError);
  });
});

describe('digitsOf', () => {
  test.each([
    ['a string', '0123', '0123'],
    ['a number', 123, '123'],
    ['zero', 0, '0'],
    ['a long number', readNumber('1234567890123456789'), '1234567890123456789'],
    ['a longer string', '12345678901234567890123', '12345678901234567890123'],
  ])('reads %s', (_what, value, digits) => {
    expect(digitsOf(value)).toBe(digits);
  });

  test.each([
    '',
    ' 1',
    '1\n',
    '-1',
    '1.0',
    '١٢٣',
    -1,
    1.5,
    1e21,
    2 ** 53,
    Number.NaN,
    readNumber('-0'),
    readNumber('100.0'),
    readNumber('1e2'),
    readNumber('-9007199254740993'),
    Symbol(),
    null,
    undefined,
    true,
    {},
    [1],
    12n,
  ])('finds no digits in value %#', (value) => {
    expect(digitsOf(value)).toBeUndefined();
  });

  test('gives back the digits of any whole number that was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (number) => {
        expect(digitsOf(readNumber(String(number)))).toBe(String(number));
      }),
    );
  });
});
