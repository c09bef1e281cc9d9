import { expect, test } from 'vitest';
import { readPreparationAnswer } from './messages.rules.ts';

const BYTES = 16_777_216;
const ID = '11111111-1111-4111-8111-111111111111';
const HEAD = `"messageType":"PRes","messageVersion":"2.2.0","dsStartProtocolVersion":"2.1.0","dsEndProtocolVersion":"2.2.0",
  "dsTransID":"${ID}","threeDSServerTransID":"${ID}","serialNum":"7"`;
const RANGE = {
  startRange: '4000000000000',
  endRange: '4000000000000',
  actionInd: 'A',
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: '2.2.0',
};
const FULL = { ...RANGE, acsInfoInd: ['01', '02'], threeDSMethodURL: 'https://a.example/' };

/** An answer of the most bytes that are read, or of so many members or elements. */
function answer(before: string, unit: (index: number) => string, after: string, most = BYTES): string {
  const parts: string[] = [];
  for (let bytes = HEAD.length + 100; bytes < BYTES && parts.length < most; bytes += (parts.at(-1)?.length ?? 0) + 1) {
    parts.push(unit(parts.length));
  }
  return `{${HEAD},${before}${parts.join(',')}${after}}`;
}

test.each([
  ['members', answer('', (index) => `"m${index}":1`, '')],
  ['members of a range', answer('"cardRangeData":[{', (index) => `"m${index}":1`, '}]')],
  ['names', answer('"messageExtension":[', (index) => `{"m${index}":1}`, ']', 300)],
  ['brackets in each other', answer(`"x":${'['.repeat(20)}`, () => '1', ']'.repeat(20), 1)],
  ['empty objects', answer('"cardRangeData":[', () => '{}', ']')],
  ['numbers', answer('"cardRangeData":[', () => '1', ']')],
  ['texts with signs of their own', answer('"cardRangeData":[', (index) => `"\\"${index}]}"`, ']')],
])('an answer of little but %s is not taken apart', (_what, text) => {
  expect(readPreparationAnswer(text)).toEqual({ fault: { code: '203', detail: 'message' } });
});

test.each([
  ['the shortest ranges', RANGE],
  ['ranges with all members', FULL],
])('an answer with as many of %s as there is room for is read', (_what, range) => {
  const text = answer('"cardRangeData":[', () => JSON.stringify(range), ']');
  const read = readPreparationAnswer(text);
  expect(read.fault === undefined && read.message.ranges.length).toBeGreaterThan(80_000);
});

test('signs inside of texts are none of the message', () => {
  const sign = JSON.stringify({ ...RANGE, comment: `\\"${'[{,:'.repeat(100)}` });
  expect(readPreparationAnswer(answer('"cardRangeData":[', () => sign, ']', 5_000)).fault).toBeUndefined();
});
