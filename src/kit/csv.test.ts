import { expect, test } from 'vitest';
import { csvCells, csvLine } from './csv.ts';

test.each([
  [['a', 1, '2.50'], 'a,1,2.50\n'],
  [['a,b', 'say "no"', 'two\nlines'], '"a,b","say ""no""","two\nlines"\n'],
  [['-12.50', '-12'], '-12.50,-12\n'],
  [['=1+1', '+1', '-1+1', '@sum', '\tx', '\rx'], `'=1+1,'+1,'-1+1,'@sum,'\tx,"'\rx"\n`],
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
