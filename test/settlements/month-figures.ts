import { csvCells } from '../../src/kit/csv.ts';

/** A figure as one place shows it: of which currency, how much, in minor units. */
export type Shown = Readonly<Record<string, number>>;
/** A line of a table. */
export type Row = Readonly<Record<string, string>>;

/** Sums what rows come to in each currency. */
export function sum<One extends { readonly currency: string }>(
  rows: readonly One[],
  amountOf: (row: One) => number,
): Shown {
  const sums: Record<string, number> = {};
  for (const row of rows) {
    const amount = amountOf(row);
    if (amount !== 0) sums[row.currency] = (sums[row.currency] ?? 0) + amount;
  }
  return sums;
}

/** Both together. */
export const add = (one: Shown, other: Shown): Shown =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((currency) => [
      currency,
      (one[currency] ?? 0) + (other[currency] ?? 0),
    ]),
  );

/** A decimal number in minor units. */
export const minor = (text = '0', currency = 'NOK') => Math.round(Number(text) * (currency === 'JPY' ? 1 : 100));

/** The lines of a table by its heading. */
export function linesOf(text: string): readonly (Row & { readonly currency: string })[] {
  const [heading = [], ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => csvCells(line, ',') ?? []);
  return rows.map((cells) => Object.fromEntries(heading.map((name, place) => [name, cells[place] ?? ''])) as never);
}

/** Each pair of places that show a figure; a figure has the places that show it, with what each shows. */
export function pairsOf(shown: Readonly<Record<string, Readonly<Record<string, Shown>>>>) {
  return Object.entries(shown).flatMap(([figure, places]) => {
    const all = Object.entries(places);
    return all.flatMap(([one, its], place) =>
      all.slice(place + 1).map(([other, others]) => ({ figure, one, other, its, others })),
    );
  });
}

/** The pairs of them that do not show the same. */
export const differing = (shown: Parameters<typeof pairsOf>[0]) =>
  pairsOf(shown).filter(({ its, others }) =>
    [...new Set([...Object.keys(its), ...Object.keys(others)])].some(
      (currency) => (its[currency] ?? 0) !== (others[currency] ?? 0),
    ),
  );
