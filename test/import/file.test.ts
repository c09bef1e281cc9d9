import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKOUT } from '../support/database/embedded.ts';
import { importFile, settingsOf } from '../support/shop/tokens-command.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';
import { openShop, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
let settings: Readonly<Record<string, string>>;
beforeAll(async () => {
  shop = await openShop();
  settings = settingsOf(shop);
});
afterAll(() => shop.stop());

it('takes over the example of this repository, and nothing a second time', async () => {
  const example = await readFile(join(CHECKOUT, 'examples/token-migration.ndjson'));
  const first = await importFile(example, settings);
  expect(first.code).toBe(1);
  expect(first.summary).toEqual({ lines: 14, imported: 8, unchanged: 0, rejected: 6 });
  expect(first.rejected.map(({ line, member }) => [line, member])).toEqual([
    [10, 'token'],
    [11, 'pan'],
    [12, 'expiryDate'],
    [13, 'payerReference'],
    [14, 'archiveReason'],
    [15, 'line'],
  ]);
  const second = await importFile(example, settings);
  expect([second.code, second.summary]).toEqual([1, { lines: 14, imported: 0, unchanged: 8, rejected: 6 }]);
  expect(second.rejectedText).toBe(first.rejectedText);
  expect(await shop.list('Åse Ødegård')).toEqual(['6f1f5a0e-7c3b-4d0a-9a53-1c1c3a0d5e02']);
});

describe('the form of the file', () => {
  const line = (index: number) => JSON.stringify(cardLine(index, { payerReference: 'form' }));

  it('counts blank lines for the numbers and not as lines; CRLF, tabs and a last line without end are fine', async () => {
    const text = `\r\n${line(1)}\r\n   \t\r\n\n${line(2)}\r\n{}\r\n\n${line(3)}`;
    const { summary, rejected } = await importFile(text, settings);
    expect(summary).toEqual({ lines: 4, imported: 3, unchanged: 0, rejected: 1 });
    expect(rejected).toHaveLength(1);
    expect(rejected[0]?.line).toBe(6);
  });

  it('passes over a byte order mark at the beginning, and refuses it elsewhere', async () => {
    const { summary, rejected } = await importFile(`\ufeff${line(4)}\n\ufeff${line(5)}\n`, settings);
    expect(summary).toEqual({ lines: 2, imported: 1, unchanged: 0, rejected: 1 });
    expect(rejected[0]).toMatchObject({ line: 2, member: 'line' });
  });

  it('refuses a line that is too long, at whatever place a chunk ends, and reads on behind it', async () => {
    const long = JSON.stringify({ ...cardLine(6), padding: 'x'.repeat(16 * 1024) });
    const longer = 'y'.repeat(700_000);
    const { summary, rejected } = await importFile(
      [line(7), long, line(8), longer, line(9), longer].join('\n'),
      settings,
    );
    expect(summary).toEqual({ lines: 6, imported: 3, unchanged: 0, rejected: 3 });
    expect(rejected.map(({ line: number }) => number)).toEqual([2, 4, 6]);
    for (const { member, reason } of rejected)
      expect([member, reason]).toEqual(['line', 'must not be longer than 16 KiB']);
  });

  it('refuses what is not UTF-8, not JSON, not an object, or has a member twice', async () => {
    const broken = Buffer.from(line(10).replace('form', 'f~rm'));
    broken[broken.indexOf('~')] = 0xff;
    const wrong = ['nonsense', '[]', '"text"', '1', 'null', line(11).slice(0, -9), `{"token":"x","token":"y"}`];
    const file = Buffer.concat([broken, Buffer.from(`\n${wrong.join('\n')}\n${line(12)}\n`)]);
    const { summary, rejected } = await importFile(file, settings);
    expect(summary).toEqual({ lines: 9, imported: 1, unchanged: 0, rejected: 8 });
    expect(rejected.map(({ line: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(rejected.slice(0, 6).map(({ member }) => member)).toEqual(Array(6).fill('line'));
  });

  it.each(['', '\n\n', '   '])('may be empty: %j', async (text) => {
    const { code, summary, rejectedText } = await importFile(text, settings);
    expect([code, summary]).toEqual([0, { lines: 0, imported: 0, unchanged: 0, rejected: 0 }]);
    expect(rejectedText).toBe('');
  });

  it.each<[string, Buffer]>([
    ['UTF-16', Buffer.from(`\ufeff${line(20)}\n`, 'utf16le')],
    ['UTF-16', Buffer.from(`\ufeff${line(20)}\n`, 'utf16le').swap16()],
    ['UTF-16', Buffer.from(`${line(20)}\n`, 'utf16le')],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0])],
  ])('in %s is refused by that name, and leaves the refused lines of an earlier run', async (encoding, content) => {
    const { code, summary, rejectedText, stderr } = await importFile(content, settings);
    expect([code, summary, rejectedText]).toEqual([1, undefined, undefined]);
    expect(stderr).toContain(`tokens.ndjson is ${encoding}, and must be UTF-8. Save it as UTF-8`);
  });
});
