import { describe, expect, test } from 'vitest';
import { Secret } from '../kit/secret.ts';
import { FIELD_NAMES, TAG_NAMES, type ValueName } from './dialects/dialect.types.ts';
import { ISO93 } from './dialects/iso93.rules.ts';
import type { Message, Value } from './messages.types.ts';
import { NOT_SHOWN, traced, tracedValue } from './traced.rules.ts';

const NUMBER = '4925000000000004';
const NAMES: readonly ValueName[] = [...FIELD_NAMES, ...TAG_NAMES];

/** A message in which one value alone is said. */
function saying(name: ValueName, value: Value, others: Partial<Message> = {}): Message {
  const isField = (FIELD_NAMES as readonly string[]).includes(name);
  return { type: '1100', fields: isField ? { [name]: value } : {}, tags: isField ? {} : { [name]: value }, ...others };
}

const shown = (message: Message, isOurs: boolean, name: ValueName) =>
  tracedValue(traced(ISO93, { message, isOurs }), name);

test('what no list allows is hidden, and a new value of a dialect is on no list', () => {
  const hidden = NAMES.filter((name) => shown(saying(name, 'abc'), true, name) === NOT_SHOWN);
  expect(hidden).toEqual([
    'cardNumber',
    'expiry',
    'additionalText',
    'privateData',
    'authenticationValue',
    'cvc',
    'billingAddress',
    'payerAddress',
    'billingPostalCode',
    'billingStreet',
    'updatedNumber',
    'updatedExpiry',
  ]);
  expect(shown(saying('aNewOne' as ValueName, 'abc'), true, 'aNewOne' as ValueName)).toBe(NOT_SHOWN);
});

test.each(['Sent', 'Received'])('a secret is hidden whatever its name, and its length too: %s', (way) => {
  for (const name of NAMES) {
    const [short, long] = ['123', '1234'].map((value) => shown(saying(name, new Secret(value)), way === 'Sent', name));
    if (name !== 'cardNumber') expect([short, long], name).toEqual([NOT_SHOWN, NOT_SHOWN]);
  }
});

test.each([
  [NUMBER, '492500******0004'],
  ['36148200000008', '**********0008'],
  ['4925000000000000004', '492500*********0004'],
])('of a number no more than the first six and the last four are shown: %s', (number, masked) => {
  expect(shown(saying('cardNumber', new Secret(number)), true, 'cardNumber')).toBe(masked);
});

describe('a number that a host writes elsewhere', () => {
  test.each(NAMES.filter((name) => name !== 'cardNumber'))('is not shown in %s', (name) => {
    for (const value of [NUMBER, `A ${NUMBER} B`, '4925 0000 0000 0004', '4925-0000-0000-0004']) {
      expect(shown(saying(name, value), false, name)?.replace(/[ -]/g, '')).not.toContain('49250000');
    }
  });

  test('is not shown in what we say after it either', () => {
    for (const name of ['approvalCode', 'acquirerReference', 'retrievalReference', 'schemeTransactionId'] as const) {
      expect(shown(saying(name, NUMBER), true, name), name).toBe('************0004');
    }
  });
});

test('of fields without a name, and of those that cannot be read, the number is shown', () => {
  const notes = { others: [63, 35], unreadable: [55], tagHabits: [] };
  const { fields } = traced(ISO93, { message: saying('stan', '000001', { notes }), isOurs: false });
  expect(fields).toEqual([
    [11, 'stan', '000001'],
    [35, '', NOT_SHOWN],
    [55, '', NOT_SHOWN],
    [63, '', NOT_SHOWN],
  ]);
});

test('a repeat has its type, and messages of the line say who the host is', () => {
  const advice = saying('stan', '000001', { type: '1220' });
  expect(traced(ISO93, { message: advice, isOurs: true, isRepeat: true }).type).toBe('1221');
  expect(shown(saying('additionalText', 'KONTOR-TEST', { type: '1814' }), false, 'additionalText')).toBe('KONTOR-TEST');
});
