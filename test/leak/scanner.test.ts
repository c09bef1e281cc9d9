import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import { formsOfCardNumber, formsOfText } from '../support/prober/forms.ts';
import { type Sought, scanFolder, scannerFor } from '../support/prober/scanner.ts';

/** One of 16, of 15 and of 14 digits, and others that must not be mistaken for them. */
const NUMBERS = [31_415_920, 31_415_923, 31_415_927].map(testCardNumber);
const OTHERS = [27_182_816, 27_182_819, 27_182_823].map(testCardNumber);
const TOKEN = `kt_test_${'0'.repeat(32)}_Ab9Z${'q8w7e6r5t4y3u2i1o0p'.repeat(2)}_abcdef`;

const SOUGHT: readonly Sought[] = [
  ...NUMBERS.map((value, index): Sought => ({ name: `number ${index}`, value, kind: 'card number' })),
  { name: 'a token', value: TOKEN, kind: 'secret' },
];
const scanner = scannerFor(SOUGHT);

const around = (bytes: Buffer) => Buffer.concat([randomBytes(4099), bytes, randomBytes(301)]);

describe('the scanner', () => {
  test('finds nothing where nothing is', () => {
    expect(scanner.scan(randomBytes(1_000_000))).toEqual([]);
    const others = OTHERS.flatMap((number) => formsOfCardNumber(number).map(({ bytes }) => bytes));
    expect(scanner.scan(Buffer.concat(others))).toEqual([]);
  });

  test.each(SOUGHT)('finds $kind $name in each of its forms', ({ name, value, kind }) => {
    for (const form of kind === 'secret' ? formsOfText(value) : formsOfCardNumber(value)) {
      expect(scanner.scan(around(form.bytes))).toContain(`${kind} (${name}) as ${form.name}`);
    }
  });

  test.each([' ', '-', '.', '_', '\t', '\u00a0', '\u2013', '%20', '&nbsp;', ' - '])(
    'finds groups of digits with %j between them',
    (separator) => {
      for (const number of NUMBERS) {
        for (const grouping of [/(\d{4})(?=\d)/g, /(\d)(?=\d)/g, /^(\d{4})(\d{6})/]) {
          const text = number.replace(grouping, (...groups) => groups.slice(1, -2).join(separator) + separator);
          expect(scanner.scan(around(Buffer.from(text)))).not.toEqual([]);
        }
      }
    },
  );

  test('finds base64 wherever the number begins in the text that is encoded', () => {
    for (const before of ['', 'a', 'bc', 'def', 'ghij']) {
      const encoded = Buffer.from(`${before}${NUMBERS[0]} and more`).toString('base64');
      expect(scanner.scan(Buffer.from(encoded))).not.toEqual([]);
    }
  });

  test('finds what stands at the very beginning and at the very end', () => {
    const number = Buffer.from(NUMBERS[0] ?? '');
    expect(scanner.scan(Buffer.concat([number, randomBytes(9)]))).not.toEqual([]);
    expect(scanner.scan(Buffer.concat([randomBytes(9), number]))).not.toEqual([]);
  });

  test('looks into all files of a folder, and at their names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kontor-scan-'));
    try {
      mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
      writeFileSync(join(folder, 'deep', 'er', 'file'), around(Buffer.from(TOKEN)));
      writeFileSync(join(folder, `${NUMBERS[1]}.txt`), '');
      writeFileSync(join(folder, 'skipped'), TOKEN);
      const found = scanFolder(folder, scanner, (path) => path === 'skipped');
      expect(found).toEqual(
        expect.arrayContaining(['deep/er/file: secret (a token) as plain', expect.stringMatching(/number 1.*plain/)]),
      );
      expect(found.join()).not.toContain('skipped');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
