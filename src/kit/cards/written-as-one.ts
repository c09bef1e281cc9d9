import type { DigitRun } from './digit-runs.ts';

/** Groups of the numbers of American Express and short Diners cards, as they are printed. */
const PRINTED = ['4 6 5', '4 6 4'];
/** A number in groups of different lengths with different separators has few groups. */
const MOST_GROUPS = 5;

/** Digits of a run, from one to before another. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * Whether digits of a run are written as one number. Two product numbers, phone numbers or prices beside each other pass the
 * check digit as often as any digits do, so what stands in different groups is one number only
 *
 * - in groups of four, or as it is printed on the card (4-6-5, 4-6-4), or digit by digit, whatever separates them;
 * - in three whole groups and more with the same separator throughout;
 * - in a few whole groups with blanks, dots and dashes between them.
 *
 * In one unbroken group any digits are, unless the whole group is a time. In printed groups and groups of four, more digits may
 * follow the last one, as an expiry does that runs on.
 */
export function isWrittenAsOne(text: string, run: DigitRun, { from, to }: Part): boolean {
  const first = run.groups[from] ?? 0;
  const last = run.groups[to - 1] ?? 0;
  if (first === last) return !isTime(run, first);
  if (!beginsGroup(run, from, first)) return false;
  const isWhole = to === run.starts[last + 1];
  // A group in which more digits follow ends a number of groups of four, or a printed one: each begins with four digits.
  if (!isWhole && (run.starts[first + 1] ?? 0) - from !== 4) return false;
  const lengths = lengthsOf(run, from, to);
  if (lengths.slice(0, -1).every((length) => length === 4) && (lengths.at(-1) ?? 0) <= 4) return true;
  if (PRINTED.includes(lengths.join(' '))) return true;
  if (!isWhole) return false;
  if (lengths.every((length) => length === 1)) return true;
  const gaps = gapsOf(text, run, first, last);
  const isSimple = gaps.every((gap) => /^[ .-]+$/.test(gap));
  if (gaps.every((gap) => gap === gaps[0])) return isSimple || gaps.length > 1;
  return isSimple && lengths.length <= MOST_GROUPS && lengths.every((length) => length > 1);
}

/** A group that is a time to the second or finer, as programs name orders: `20261127184201123`. */
function isTime({ digits, starts }: DigitRun, group: number): boolean {
  const start = starts[group] ?? 0;
  const end = starts[group + 1] ?? 0;
  return end - start >= 14 && end - start <= 20 && TIME.test(digits.subarray(start, end).join(''));
}

const TIME = /^20[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]/;

/** Fields of a fixed length have zeros before a number. */
function beginsGroup({ digits, starts }: DigitRun, from: number, group: number): boolean {
  const start = starts[group] ?? 0;
  // No field is so long that more zeros than these matter.
  if (from - start > MOST_ZEROS) return false;
  for (let at = start; at < from; at++) if (digits[at] !== 0) return false;
  return true;
}

const MOST_ZEROS = 16;

/** How many of the digits stand in each group. */
function lengthsOf({ groups }: DigitRun, from: number, to: number): readonly number[] {
  const lengths: number[] = [];
  const first = groups[from] ?? 0;
  for (let at = from; at < to; at++) {
    const group = (groups[at] ?? 0) - first;
    lengths[group] = (lengths[group] ?? 0) + 1;
  }
  return lengths;
}

/** What stands between the groups. */
function gapsOf(text: string, { places, starts }: DigitRun, first: number, last: number): readonly string[] {
  return Array.from({ length: last - first }, (_, index) => {
    const start = starts[first + 1 + index] ?? 0;
    return text.slice((places[start - 1] ?? 0) + 1, places[start]);
  });
}
