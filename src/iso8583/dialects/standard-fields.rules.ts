import type { Dialect, FieldSpan } from './dialect.types.ts';

/** Fields of one length: number, characters or bytes (ISO 8583:1993, table 2). */
const FIXED: readonly (readonly [number: number, length: number])[] = [
  ...([
    [3, 6],
    [4, 12],
    [5, 12],
    [6, 12],
    [7, 10],
    [8, 8],
    [9, 8],
    [10, 8],
    [11, 6],
    [12, 12],
  ] as const),
  ...([
    [13, 4],
    [14, 4],
    [15, 6],
    [16, 4],
    [17, 4],
    [18, 4],
    [19, 3],
    [20, 3],
    [21, 3],
    [22, 12],
  ] as const),
  ...([
    [23, 3],
    [24, 3],
    [25, 4],
    [26, 4],
    [27, 1],
    [28, 6],
    [29, 3],
    [30, 24],
    [37, 12],
    [38, 6],
  ] as const),
  ...([
    [39, 3],
    [40, 3],
    [41, 8],
    [42, 15],
    [49, 3],
    [50, 3],
    [51, 3],
    [52, 8],
    [57, 3],
    [64, 8],
  ] as const),
  ...([
    [65, 8],
    [67, 2],
    [68, 3],
    [69, 3],
    [70, 3],
    [71, 8],
    [73, 6],
    [74, 10],
    [75, 10],
    [76, 10],
  ] as const),
  ...([
    [77, 10],
    [78, 10],
    [79, 10],
    [80, 10],
    [81, 10],
    [82, 10],
    [83, 10],
    [84, 10],
    [85, 10],
  ] as const),
  ...([
    [86, 16],
    [87, 16],
    [88, 16],
    [89, 16],
    [90, 10],
    [91, 3],
    [92, 3],
    [97, 17],
    [98, 25],
  ] as const),
  ...([
    [105, 16],
    [106, 16],
    [107, 10],
    [108, 10],
    [128, 8],
  ] as const),
];

/** Fields behind two and behind three digits that tell their length. */
const TWO_DIGITS: readonly number[] = [
  ...[2, 31, 32, 33, 34, 35, 43, 44, 45, 53, 56, 58, 93, 94, 95, 99, 100, 101, 102, 103, 109, 110],
];
const THREE_DIGITS: readonly number[] = [
  ...[36, 46, 47, 48, 54, 55, 59, 60, 61, 62, 63, 66, 72, 96, 104],
  ...[111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127],
];

/** How long each field of ISO 8583:1993 is, from 2 to 128: enough to read past those that nothing here needs. */
const STANDARD_FIELDS: readonly FieldSpan[] = [
  ...FIXED.map(([number, length]) => ({ number, length })),
  ...TWO_DIGITS.map((number) => ({ number, lengthDigits: 2 })),
  ...THREE_DIGITS.map((number) => ({ number, lengthDigits: 3 })),
];

/** Those of them that a dialect has no name for. */
export function standardFieldsBeside({
  fields,
  composed = [],
}: Pick<Dialect, 'fields' | 'composed'>): readonly FieldSpan[] {
  const named = new Set([...Object.values(fields), ...composed].map(({ number }) => number));
  return STANDARD_FIELDS.filter(({ number }) => !named.has(number));
}
