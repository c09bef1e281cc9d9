import { expect, test } from 'vitest';
import { csvCells, csvLine } from './csv.ts';

test.each([
  [['a', 1, '2.50'], 'a,1,2.50\n'],
  [['a,b', 'say "no"', 'two\nlines'], '"a,b","say ""no""","two\nlines"\n'],
  [['-12.50', '-12'], '-12.50,-12\n'],
  [['=1+1', '+1', '-1+1', '@sum', '\tx', '\rx'], `'=1+1,'+1,'-1+1,'@sum,"'\tx","'\rx"\n`],
  [['a;b', '5-3', 'a=b', '2026-11-27', 'x@y.example'], '"a;b",5-3,a=b,2026-11-27,x@y.example\n'],
  [['=1,2'], `"'=1,2"\n`],
  [[''], '\n'],
])('%j', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});

test.each([
  ['a,b', ',', ['a', 'b']],
  ['a;"b;""c""";', ';', ['a', 'b;"c"', '']],
  ['', ',', ['']],
  ['"a', ',', undefined],
  ['"a"b', ',', undefined],
  ['a"b', ',', undefined],
] as const)('the cells of %s parted by %s', (line, separator, cells) => {
  expect(csvCells(line, separator)).toEqual(cells);
});

const COMMANDS = ["=cmd|' /C calc'!A0", '+1+1', '-1+1', '@SUM(1)', '＝1+1', '＋1', '－1', '＠x', '﹦1', '\u22121+1'];
const INVISIBLE = ['', ' ', '\u00a0', '\u200b', '\u200e', '\ufeff', '\u202e', '"', '\u00ad'];
const BEFORE = ['', 'x;', 'x;;', 'x\t', 'x|', 'x\n', 'x\r\n', '\t', '\n'];

/** The cells that a program for tables makes of a line by a separator of its own, with or without a care for our quotes. */
function cellsAsRead(line: string, separator: string): string[] {
  const rows = line.split(/[\r\n]/).flatMap((row) => row.split(separator));
  return rows.map((cell) => cell.replaceAll('"', ''));
}

test.each(BEFORE)('a formula behind %j is none for a program with whichever separator', (before) => {
  for (const command of COMMANDS) {
    for (const mark of INVISIBLE) {
      const line = csvLine(['2026-11-27', `${before}${mark}${command}`, 'x']);
      for (const separator of [',', ';', '\t', '|']) {
        for (const cell of cellsAsRead(line, separator)) {
          const shown = cell.normalize('NFKC').replace(/^[\s\p{Cf}]+/u, '');
          expect(shown, JSON.stringify(line)).not.toMatch(/^[=+@\u2212-]/);
        }
      }
    }
  }
});

test('what it writes is read again as it was written, but for apostrophes', () => {
  const cells = ['a;b', 'say "no"', '2026-11-27', '', '-12.5', 'x;y=1'];
  expect(csvCells(csvLine(cells).trimEnd(), ',')).toEqual(cells);
});
