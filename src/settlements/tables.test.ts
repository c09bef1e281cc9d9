import { expect, test } from 'vitest';
import { tableOf } from './tables.ts';

/** A table of so many rows that has this many lines at most. */
async function lines(rows: number, most: number): Promise<readonly string[]> {
  const numbers = Array.from({ length: rows }, (_, place) => place + 1);
  const table = tableOf({
    heading: ['number', 'twice'],
    cellsOf: (row: number) => [row, 2 * row],
    readPage: async (after, limit) => numbers.filter((row) => row > Number(after ?? 0)).slice(0, limit),
    idOf: String,
    most,
  });
  let text = '';
  for await (const piece of table) text += piece;
  return text.trim().split(/\r?\n/);
}

test('a table that is cut off says so in its last line', async () => {
  const cut = await lines(401, 400);
  expect(cut).toHaveLength(402);
  expect(cut.at(-1)).toBe('Not all: this table ends after 400 lines. Ask for a shorter period.,');
});

test.each([0, 1, 200, 399, 400])('one with all of %i rows does not', async (rows) => {
  const whole = await lines(rows, 400);
  expect(whole).toHaveLength(rows + 1);
  expect(whole.at(-1)).not.toContain('Not all');
});
