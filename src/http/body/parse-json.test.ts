import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { parseJson, withoutByteOrderMark } from './parse-json.ts';

const parse = (text: string): unknown => parseJson(Buffer.from(text));

/** The problem that a body is refused with; fails where it is not refused, or with anything but a refusal. */
function problemOf(body: Buffer | string): { name: string; description: string } {
  try {
    parseJson(Buffer.from(body as string));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.code).toBe('inputerror');
    expect(error.problems).toHaveLength(1);
    const [problem] = error.problems;
    if (problem !== undefined) return problem;
  }
  throw new Error('it was not refused');
}

describe('what it reads', () => {
  test.each([
    ['{}', {}],
    ['[]', []],
    [' \t\r\n{ "a" : [ 1 , true , false , "x" ] } \n', { a: [1, true, false, 'x'] }],
    ['"text"', 'text'],
    ['7', 7],
    ['null', null],
    ['{"a":null,"b":{"c":null}}', { b: {} }],
    ['{"a":[null,1]}', { a: [null, 1] }],
    ['{"":1," ":2}', { '': 1, ' ': 2 }],
    ['{"1":1,"0":0}', { 0: 0, 1: 1 }],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e6"', '"\\/\b\f\n\r\tAæ'],
    ['{"a":"\\\\","b":"\\""}', { a: '\\', b: '"' }],
    ['{"\\u0061":1}', { a: 1 }],
    ['"\\ud83d\\ude00😀 æøå \u007f\u2028"', '😀😀 æøå \u007f\u2028'],
    ['{"hasOwnProperty":1,"toString":2,"__proto":3}', { hasOwnProperty: 1, toString: 2, __proto: 3 }],
    ['[[[[[[[[]]]]]]]]', [[[[[[[[]]]]]]]]],
  ])('%s', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  test('objects hold nothing but what was sent', () => {
    const object = parse('{"a":1}') as Record<string, unknown>;
    expect(Object.getPrototypeOf(object)).toBeNull();
    expect(object['toString']).toBeUndefined();
    expect(object['constructor']).toBeUndefined();
    expect(Object.keys(object)).toEqual(['a']);
    expect('b' in (parse('{"b":null}') as object)).toBe(false);
  });

  test('numbers keep what a double would lose', () => {
    const numbers = parse('[100,1234567890123456789,100.0]') as (number | symbol)[];
    const texts = numbers.map((number) => (typeof number === 'symbol' ? number.description : number));
    expect(texts).toEqual([100, '1234567890123456789', '100.0']);
  });

  test('as many levels and members as allowed, and not one more', () => {
    const members = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"m${at}":null`).join()}}`;
    expect(parse(members(200))).toEqual({});
    expect(problemOf(members(201))).toEqual({ name: 'body', description: 'must not have more than 200 members' });
    expect(problemOf('[[[[[[[[[]]]]]]]]]').name).toBe('[0][0][0][0][0][0][0][0]');
    expect(problemOf('{"a":{"b":[[[[[[{}]]]]]]}}').name).toBe('a.b[0][0][0][0][0][0]');
    expect(() => parseJson(Buffer.from('[[]]'), { maxDepth: 1 })).toThrow(Refusal);
    expect(() => parseJson(Buffer.from('{"a":1,"b":2}'), { maxMembers: 1 })).toThrow(Refusal);
    expect(parseJson(Buffer.from('[{"a":1}]'), { maxDepth: 2, maxMembers: 1 })).toEqual([{ a: 1 }]);
  });
});

test.each([
  ['\ufeff{}', '{}'],
  ['\ufeff\ufeff{}', '\ufeff{}'],
  ['{}', '{}'],
  ['\ufeff', ''],
  ['', ''],
  ['1', '1'],
  [' \ufeff{}', ' \ufeff{}'],
])('one byte order mark is taken from the beginning of %j', (text, expected) => {
  expect(withoutByteOrderMark(Buffer.from(text)).toString()).toBe(expected);
});

describe('what it refuses', () => {
  test.each([
    ['', 'body', 'must not be empty'],
    ['{"a":1,"a":1}', 'a', 'must not be there twice'],
    ['{"a":null,"a":1}', 'a', 'must not be there twice'],
    ['{"a":1,"a":null}', 'a', 'must not be there twice'],
    ['{"a":null,"b":null,"b":null}', 'b', 'must not be there twice'],
    ['{"a":1,"\\u0061":2}', 'a', 'must not be there twice'],
    ['{"toString":1,"toString":1}', 'toString', 'must not be there twice'],
    ['{"payment":{"prices":[{},{"amount":1,"amount":2}]}}', 'payment.prices[1].amount', 'must not be there twice'],
    ['{"a":{"b":{"c":1}},"d":1,"d":2}', 'd', 'must not be there twice'],
    ['{"4925000000000004":1,"4925000000000004":1}', 'body', 'must not be there twice'],
    ['{"a":{"__proto__":1}}', 'a.__proto__', 'is a name that no member may have'],
    ['{"__proto__":null}', '__proto__', 'is a name that no member may have'],
    ['{"\\u005f_proto__":{}}', '__proto__', 'is a name that no member may have'],
    ['[{"constructor":1}]', '[0].constructor', 'is a name that no member may have'],
    ['{"prototype":1}', 'prototype', 'is a name that no member may have'],
    ['{"a":["\\u0000"]}', 'a[0]', 'must not hold NUL or one half of a surrogate pair'],
    ['{"a":{"b":"x\\ud800"}}', 'a.b', 'must not hold NUL or one half of a surrogate pair'],
    ['{"a":"\\udc00\\ud800"}', 'a', 'must not hold NUL or one half of a surrogate pair'],
    ['{"a":"\\ud83d😀"}', 'a', 'must not hold NUL or one half of a surrogate pair'],
    ['{"a":{"b":1,"\\u0000":1}}', 'a', 'must not hold NUL or one half of a surrogate pair'],
    ['{"\\ud800":1}', 'body', 'must not hold NUL or one half of a surrogate pair'],
  ])('%s', (text, name, description) => {
    expect(problemOf(text)).toEqual({ name, description });
  });

  test.each([
    ['blanks alone', '  ', 3],
    ['a byte order mark', '\ufeff{}', 1],
    ['text behind the end', '{} x', 4],
    ['a second value', '1 2', 3],
    ['a missing value', '{"a":}', 6],
    ['a missing colon', '{"a" 1}', 6],
    ['a missing comma', '{"a":1 "b":2}', 8],
    ['a comma too many in an object', '{"a":1,}', 8],
    ['a comma too many in an array', '[1,]', 4],
    ['a comma alone', '[,]', 2],
    ['a name without quotes', '{a:1}', 2],
    ['single quotes', "{'a':1}", 2],
    ['a number as a name', '{1:1}', 2],
    ['an object that does not end', '{"a":1', 7],
    ['an array that does not end', '[1', 3],
    ['the wrong bracket', '[1}', 3],
    ['a string that does not end', '"abc', 5],
    ['a string that ends in a backslash', '"abc\\', 1],
    ['a string that ends in an escaped quote', '"abc\\"', 1],
    ['an unknown escape', '"\\x41"', 1],
    ['a short escape', '"\\u41"', 1],
    ['a line feed in a string', '"a\nb"', 3],
    ['NUL in a string', '"\0"', 2],
    ['a control character behind an escape', '"\\n\u0001"', 1],
    ['a word', 'yes', 1],
    ['half a word', 'tru', 1],
    ['a word in capitals', 'True', 1],
    ['a word that goes on', 'truely', 5],
    ['NaN', 'NaN', 1],
    ['Infinity', '-Infinity', 1],
    ['a leading zero', '01', 2],
    ['a plus sign', '+1', 1],
    ['a leading point', '.5', 1],
    ['a trailing point', '1.', 2],
    ['an empty exponent', '1e', 2],
    ['a minus sign alone', '-', 1],
    ['a hexadecimal number', '0x1', 2],
    ['a comment', '/**/{}', 1],
    ['a no-break space', '\u00a0{}', 1],
    ['a vertical tab', '\v{}', 1],
  ])('%s', (_what, text, character) => {
    const description = `must be JSON (RFC 8259); it is not from character ${character} on`;
    expect(problemOf(text)).toEqual({ name: 'body', description });
  });

  test.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a character that breaks off', [0x22, 0xc3]],
    ['beyond Unicode', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('what is not UTF-8: %s', (_what, bytes) => {
    expect(problemOf(Buffer.from(bytes))).toEqual({ name: 'body', description: 'must be encoded in UTF-8' });
  });

  test('without repeating what was sent', () => {
    for (const body of ['{"cvc":@123', '{"cvc":"123\n"}', '{"n4925000000000004":"\\u0000"}', '4925000000000004x']) {
      const problem = problemOf(body);
      expect(JSON.stringify(problem)).not.toMatch(/123\b|4925/);
    }
  });

  test('the deepest and the widest body in little time', () => {
    const nulls = Array.from({ length: 200 }, (_, at) => `"n${at}":null`).join();
    expect(problemOf('['.repeat(65_536)).description).toContain('deeper');
    expect(parse(`[${Array.from({ length: 30 }, () => `{${nulls}}`).join()}]`)).toHaveLength(30);
    expect(problemOf(`"${'\\u0041'.repeat(10_000)}`).name).toBe('body');
  });
});

/** A value without members that are null, and with every number as a double: so the two readers' results compare. */
function plain(value: unknown): unknown {
  if (typeof value === 'symbol') return Number(value.description);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

const RESERVED = /"(?:__proto__|constructor|prototype)":/;
const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((string) => string.replaceAll('\0', '')),
  fc.constantFrom('"', '\\', '\\"', '\u007f', '\u2028', '\n', '/', 'æ', '😀'),
);
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    fc.oneof(text, fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(text, tie('value'), { maxKeys: 8 }),
  ),
})).value;
const layout = fc.constantFrom('', ' ', '\t', '\n', '  ');

describe('compared with JSON.parse', () => {
  test('it reads every sound document in the same way', () => {
    fc.assert(
      fc.property(document, layout, (value, indent) => {
        const written = JSON.stringify(value, null, indent);
        fc.pre(!RESERVED.test(written));
        expect(plain(parse(written))).toEqual(plain(JSON.parse(written)));
      }),
      { numRuns: 500 },
    );
  });

  test('it reads every text with escapes in the same way', () => {
    const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (string) => {
        fc.pre(!string.includes('\0'));
        expect(parse(`"${string.split('').map(escaped).join('')}"`)).toBe(string);
      }),
    );
  });

  test('it accepts nothing that JSON.parse refuses, and throws nothing but refusals', () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0d8e1-+.tfn \n') }).map((string) => Buffer.from(string)),
    );
    fc.assert(fc.property(noise, agreesOn), { numRuns: 2000 });
  });

  test('also where one place of a sound document was changed', () => {
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      remove: fc.nat(2),
      insert: fc.string({ maxLength: 2 }),
    });
    fc.assert(
      fc.property(document, edit, (value, { at, remove, insert }) => {
        const written = JSON.stringify(value);
        const place = Math.floor(at * written.length);
        agreesOn(Buffer.from(written.slice(0, place) + insert + written.slice(place + remove)));
      }),
      { numRuns: 1000 },
    );
  });
});

/** A body is refused, or read as `JSON.parse` reads it. */
function agreesOn(body: Buffer): void {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return;
  }
  expect(plain(value)).toEqual(plain(JSON.parse(body.toString())));
}
