import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../kit/csv.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { readRows } from './csv-rows.ts';

async function* inPieces(bytes: Buffer, size = bytes.length || 1): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(text: string | Buffer, size?: number) {
  const found: (readonly [number, ...string[]])[] = [];
  for await (const rows of readRows(inPieces(Buffer.from(text), size))) {
    for (const { number, cells } of rows) found.push([number, ...cells]);
  }
  return found;
}

describe('a table', () => {
  it.each([
    [
      'commas',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons',
      'a;b\n1,5;2\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1,5\t2\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'CRLF and no last end',
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CR',
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a byte order mark',
      '\ufeff"a",b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quotes',
      'a;b\n"1;""x""";"two\nlines"\n',
      [
        ['a', 'b'],
        ['1;"x"', 'two\nlines'],
      ],
    ],
    [
      'empty cells',
      'a,b,c\n,,\n',
      [
        ['a', 'b', 'c'],
        ['', '', ''],
      ],
    ],
    ['rows of other lengths', 'a,b\n1\n1,2,3\n', [['a', 'b'], ['1'], ['1', '2', '3']]],
    ['nothing', '', []],
  ])('with %s, at whatever place a chunk ends', async (_, text, rows) => {
    for (const size of [1, 2, 5, undefined]) {
      expect((await rowsOf(text, size)).map(([, ...cells]) => cells)).toEqual(rows);
    }
  });

  it('numbers rows as a spreadsheet does: empty ones count, and line breaks within cells do not', async () => {
    expect(await rowsOf('a,b\r\n\r\n"1\r\n2",3\r\n\r\n\r\n4,5')).toEqual([
      [1, 'a', 'b'],
      [3, '1\r\n2', '3'],
      [6, '4', '5'],
    ]);
  });

  it('is read as csvLine writes it', async () => {
    // An apostrophe is put before a formula, and a row of one empty cell is an empty line.
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', 'ø', '1', ' ') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constant('x'), cell, cell)),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const text = `x,y,z\n${rows.map((row) => csvLine(row)).join('')}`;
          const cells = (await rowsOf(text, size)).slice(1).map(([, ...row]) => row);
          expect(cells).toEqual(rows);
        },
      ),
    );
  });
});

describe('what cannot be read', () => {
  it.each([
    ['a quote that is not closed', 'a,b\n1,2\n3,"4\n5,6\n', 'Row 3 has a quote that is not closed'],
    ['a quote behind a cell', 'a,b\n"1"2,3\n', 'Row 2 has a quote in the wrong place'],
    ['a quote within a cell', 'a,b\n1"2,3\n', 'Row 2 has a quote in the wrong place'],
    ['a long row', `a,b\n1,2\n\n${'x'.repeat(17 * 1024)},2\n`, 'Row 4 is longer than 16 KiB'],
  ])('%s is named with its row, and without a value', async (_, text, message) => {
    for (const size of [7, undefined]) {
      const error = await rowsOf(text, size).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Trouble);
      expect((error as Trouble).message).toContain(message);
    }
  });

  it.each([
    ['a quote that is never closed', 'a,b\n"', 'x\n'],
    ['a row of empty cells', 'a,b\n', ','],
    ['a first line without an end', '', ','],
    ['quoted line ends between empty cells', 'a,b\n', `${','.repeat(1000)}"\n"`],
  ])('%s costs no more than a row, however long the file is', async (_, start, repeated) => {
    let read = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from(start);
      const chunk = Buffer.from(repeated.repeat(64 * 1024).slice(0, 64 * 1024));
      for (;;) {
        read += chunk.length;
        yield chunk;
      }
    }
    await expect(async () => {
      for await (const _rows of readRows(endless()));
    }).rejects.toThrow('is longer than 16 KiB, or a quote in it is not closed');
    expect(read).toBeLessThan(512 * 1024);
  });
});
