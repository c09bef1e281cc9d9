import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtCheck, digestOfSchema } from '../src/http/body/built-checks.ts';
import { checksAsText, compileCheck } from '../src/http/body/compile-checks.ts';
import { readNumber } from '../src/http/body/json-number.ts';
import type { AskedBy } from '../src/http/body/text-keywords.ts';
import { checkedSchemas } from '../src/wiring/checked-schemas.ts';
import { builtCommand } from './support/shop/tokens-command.ts';

let schemas: readonly TSchema[];
beforeAll(async () => {
  builtCommand();
  schemas = await checkedSchemas();
});

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
}

const PLAIN = [
  undefined,
  null,
  true,
  0,
  -1,
  1500,
  'x',
  '',
  ' ',
  '4925000000000004',
  'x'.repeat(5000),
  [],
  {},
  ['x'],
  { a: 'b' },
];
/** Values that most members do not take, and some do. */
const VALUES = [
  ...PLAIN,
  readNumber('1.5'),
  'a@b.example',
  'https://example.com/',
  '2030-12-31',
  'NOK',
  'nb-NO',
  '12/30',
];

/** Values of a schema: each of its members in turn has one of the values, beside others that are well-formed or not. */
function* valuesOf(schema: TSchema, depth = 0): Generator<unknown> {
  const { properties = {}, items } = schema as Shape;
  yield* PLAIN;
  for (const [index, [name, member]] of Object.entries(properties).entries()) {
    const values = depth < 3 ? [...VALUES, ...valuesOf(member, depth + 1)] : VALUES;
    for (const value of values) yield { [name]: value, ...(index % 2 === 0 && { more: value }) };
  }
  if (items !== undefined && depth < 3) for (const value of valuesOf(items, depth + 1)) yield [value, value];
}

describe('the checks that the build has made', () => {
  test('are those that the compiler makes of the schemas of these sources, to the last character', () => {
    expect(readFileSync('dist/checks.cjs', 'utf8') === checksAsText(schemas)).toBe(true);
  });

  test('find the same faults as those that are compiled here', () => {
    const asked: AskedBy = { prefixes: () => ['9925'] };
    const different: string[] = [];
    let faults = 0;
    for (const schema of new Map(schemas.map((one) => [digestOfSchema(one), one])).values()) {
      const [built, compiled] = [builtCheck(schema), compileCheck(schema)];
      for (const value of valuesOf(schema)) {
        const taken = [built.call(asked, value), compiled.call(asked, value)];
        const said = [built, compiled].map(({ errors }) =>
          errors?.map(({ keyword, instancePath }) => `${instancePath} ${keyword}`).join(),
        );
        faults += built.errors?.length ?? 0;
        if (taken[0] !== taken[1] || said[0] !== said[1]) different.push(JSON.stringify(schema));
      }
    }
    expect(different).toEqual([]);
    expect(faults).toBeGreaterThan(10_000);
  });

  test('are of no other schema: one that differs in a word has none', () => {
    const [schema] = schemas;
    expect(() => builtCheck({ ...schema, description: 'another one' } as TSchema)).toThrow('a check of each schema');
  });
});
