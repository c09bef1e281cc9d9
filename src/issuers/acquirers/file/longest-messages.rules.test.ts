import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Dialect, FieldName } from '../../../iso8583/dialects/dialect.types.ts';
import { readDialect } from '../../../iso8583/dialects/dialect-file.rules.ts';
import { ISO93 } from '../../../iso8583/dialects/iso93.rules.ts';
import { refuseUnwritable } from './longest-messages.rules.ts';

const INSTITUTIONS = { acquiringInstitution: '12345678901', forwardingInstitution: '12345678901' };

function refusalOf(dialect: Dialect): string {
  try {
    refuseUnwritable(dialect, INSTITUTIONS);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'it was taken';
}

type Named = keyof typeof ISO93.fields;

function withField(name: Named, others: object): Dialect {
  const form = { ...ISO93.fields[name], ...others } as Dialect['fields'][FieldName];
  return { ...ISO93, fields: { ...ISO93.fields, [name]: form } };
}

const EXAMPLES = ['south', 'iso87', 'cmf2003', 'h2h93'];

test.each(EXAMPLES)('the dialect %s that comes along has room for all that is written', (name) => {
  const dialect = readDialect(JSON.parse(readFileSync(`examples/dialect-${name}.json`, 'utf8')));
  expect([dialect.name, refusalOf(dialect)]).toEqual([name, 'it was taken']);
});

test('so has the one that needs no file', () => {
  expect(refusalOf(ISO93)).toBe('it was taken');
});

/** What only answers have, and what is as long as the acquirer's own answer or agreement says. */
const NOT_WRITTEN: readonly FieldName[] = [
  ...(['acquirerReference', 'additionalText', 'approvalCode', 'terminalId', 'merchantId'] as const),
];

describe('a field that is a character too short is refused', () => {
  const written = Object.keys(ISO93.fields).filter((name) => !NOT_WRITTEN.includes(name as FieldName)) as Named[];
  test.each(written)('%s', (name) => {
    const form = ISO93.fields[name];
    // The longest row of tags that there is has less than the field has room for.
    const room = name === 'privateData' ? 304 : 'length' in form ? form.length : form.most;
    const less = 'length' in form ? { length: room - 1 } : { most: room - 1 };
    expect(refusalOf(withField(name, less))).toMatch(
      new RegExp(
        `^fields\\.${name} has room for ${room - 1} characters, and \\d+ are needed for messages\\.[A-Z]\\w+$`,
      ),
    );
  });
});

test.each(['pointOfService', 'merchantPlace', 'netAmount'] as const)('so is %s as digits', (name) => {
  expect(refusalOf(withField(name, { form: 'n' }))).toContain(`fields.${name} takes digits, and text is needed`);
});

test.each(['attemptId', 'authenticationValue', 'payerAddress', 'captureSequence', 'cvc'] as const)(
  'so is a tag %s that is too short',
  (name) => {
    const tag = { ...ISO93.f48.tags[name], most: ISO93.f48.tags[name].most - 1 };
    const dialect = { ...ISO93, f48: { ...ISO93.f48, tags: { ...ISO93.f48.tags, [name]: tag } } };
    expect(refusalOf(dialect)).toContain(`f48.tags.${name} has room for ${tag.most} characters`);
  },
);

test('so are codes that their fields have no room for', () => {
  const networkManagement = { ...ISO93.networkManagement, accepted: '8000' };
  expect(refusalOf({ ...ISO93, networkManagement })).toContain('fields.actionCode has room for 3 characters');
});
