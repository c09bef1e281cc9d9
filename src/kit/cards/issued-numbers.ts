import { type CardPrefixes, SCHEME_RANGES, UATP_RANGE } from './card-number.ts';

/** How long a card number may be that is looked for in a text. Shorter ones are product numbers, order numbers and phones. */
export const FEWEST_DIGITS = 14;
export const MOST_DIGITS = 19;

/** Digits by which the table knows how a number begins, and how many beginnings there are. */
const START_DIGITS = 4;
const STARTS = 10 ** START_DIGITS;
/** Each set of lengths, by its bits: bit 0 stands for 14 digits, bit 5 for 19. */
const LENGTHS = Array.from({ length: 2 ** (MOST_DIGITS - FEWEST_DIGITS + 1) }, (_, bits): readonly number[] =>
  Array.from({ length: MOST_DIGITS - FEWEST_DIGITS + 1 }, (__, place) => FEWEST_DIGITS + place).filter(
    (length) => (bits & bitOf(length)) !== 0,
  ),
);
/** Numbers of our own prefixes may have any length: the card ranges do not say which. */
const ANY_LENGTH = LENGTHS.length - 1;

/** For the first four digits of a number, the lengths that schemes issue, as bits. */
const SCHEME_LENGTHS = Uint8Array.from({ length: STARTS }, (_, start) => {
  const digits = String(start).padStart(START_DIGITS, '0');
  return [...SCHEME_RANGES, UATP_RANGE]
    .filter(({ from, to }) => {
      const prefix = digits.slice(0, from.length);
      return prefix >= from && prefix <= to;
    })
    .flatMap(({ lengths }) => lengths)
    .reduce((bits, length) => bits | bitOf(length), 0);
});

/** Prefixes beside the schemes', so that a look-up does not depend on how many there are. */
interface OwnPrefixes {
  /** 1 for each beginning that one of them may have. */
  readonly starts: Uint8Array;
  readonly prefixes: ReadonlySet<string>;
  readonly lengths: readonly number[];
}

const INDEXES = new WeakMap<CardPrefixes, OwnPrefixes>();

/** The lengths that a card number may have whose digits begin at a place, the shortest first. */
export function issuedLengths(digits: Uint8Array, from: number, own: OwnPrefixes | undefined): readonly number[] {
  const start = startAt(digits, from);
  const isOwn = own?.starts[start] === 1 && beginsWithOwn(digits, from, own);
  return LENGTHS[isOwn ? ANY_LENGTH : (SCHEME_LENGTHS[start] ?? 0)] ?? [];
}

function beginsWithOwn(digits: Uint8Array, from: number, { lengths, prefixes }: OwnPrefixes): boolean {
  const first = digits.slice(from, from + MOST_DIGITS).join('');
  return lengths.some((length) => prefixes.has(first.slice(0, length)));
}

function bitOf(length: number): number {
  return length < FEWEST_DIGITS || length > MOST_DIGITS ? 0 : 1 << (length - FEWEST_DIGITS);
}

function startAt(digits: Uint8Array, from: number): number {
  let start = 0;
  for (let at = from; at < from + START_DIGITS; at++) start = 10 * start + (digits[at] ?? 0);
  return start;
}

/** The prefixes as they are looked up. Made once for each list, which is never changed. */
export function indexOf(prefixes: CardPrefixes): OwnPrefixes | undefined {
  if (prefixes.length === 0) return undefined;
  const known = INDEXES.get(prefixes);
  if (known !== undefined) return known;
  const starts = new Uint8Array(STARTS);
  for (const prefix of prefixes) {
    const low = Number(prefix.slice(0, START_DIGITS).padEnd(START_DIGITS, '0'));
    const high = Number(prefix.slice(0, START_DIGITS).padEnd(START_DIGITS, '9'));
    starts.fill(1, low, high + 1);
  }
  const lengths = [...new Set(prefixes.map(({ length }) => length))];
  const made = { starts, prefixes: new Set(prefixes), lengths };
  INDEXES.set(prefixes, made);
  return made;
}
