import { type ReadableText, readableText } from '../readable-text.ts';
import { type CardPrefixes, isCardNumber } from './card-number.ts';

/**
 * Card numbers in text (PCI DSS 4.0.1, 3.5.1): the one scanner for all that is stored, logged or shown in the clear.
 *
 * Read as a person or program would read it (percent-encoding, Unicode's NFKC, invisible characters), digits belong
 * together until a letter comes, whatever else stands between them. Such a run holds a card number
 * - where all of its digits are one, or
 * - where groups of it are one that the same separator joins: `4925 0000 0000 0004 12/30`, `2 x 19.90, 4925…`.
 * Leading zeros do not count. An unbroken group is one number: to look for others inside it would refuse nearly every
 * second order number of 19 digits, and a longer one is an id, not a card.
 *
 * No card numbers are UUIDs, other hexadecimal words of 24 and more characters with a letter, dates and times.
 */
const FEWEST_DIGITS = 13;
const MOST_DIGITS = 19;
/** `⅒` is read as `1/10`; no character is read as more digits. */
const MOST_DIGITS_OF_CHARACTER = 3;

const ID = /(?<![0-9a-z])(?:[0-9a-f]{24,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/gi;
/** One that says so by its version and variant (RFC 9562, section 4) is a UUID with digits alone too: of random ones one in a million is. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** A date or a time of day by itself: no part of a longer row of digits with the same separators. */
const DATE_OR_TIME = new RegExp(
  [
    '(?<!\\d[./-]?)(?:19|20)\\d\\d([./-])(?:0?[1-9]|1[0-2])\\1(?:0?[1-9]|[12]\\d|3[01])(?![./-]?\\d)',
    '(?<!\\d[./-]?)(?:0?[1-9]|[12]\\d|3[01])([./-])(?:0?[1-9]|1[0-2])\\2(?:19|20)\\d\\d(?![./-]?\\d)',
    '(?<!\\d[:.]?)(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?(?![:.,]?\\d)',
  ].join('|'),
  'g',
);
const DIGITS_OR_LETTERS = /[0-9]+|[A-Za-z]+/g;

/** Whether a text holds a card number. */
export function containsCardNumber(text: string, prefixes: CardPrefixes = []): boolean {
  // Most texts have too few digits in a row: to see that costs a fraction of a search.
  return (
    mayHoldCardNumber(text) && readings(text).some((isDecoded) => search(text, isDecoded, prefixes).found.length > 0)
  );
}

/** The text with all but the last four digits of each card number in it replaced by asterisks. */
export function maskCardNumbersIn(text: string, prefixes: CardPrefixes = []): string {
  if (!mayHoldCardNumber(text)) return text;
  let masked: string[] | undefined;
  for (const isDecoded of readings(text)) {
    const { origins, found } = search(text, isDecoded, prefixes);
    for (const at of found.flatMap(allButLastFour)) {
      masked ??= text.split('');
      const [from, to] = origins === undefined ? [at, at + 1] : [origins.from[at] ?? 0, origins.to[at] ?? 0];
      // Bytes that are encoded in one row are hidden together.
      if (masked[from] !== '*' || masked[to - 1] !== '*') masked.fill('*', from, to);
    }
  }
  return masked === undefined ? text : masked.join('');
}

/** Where the digits of these groups are, but for the last four. */
function allButLastFour(groups: readonly Span[]): number[] {
  return groups.flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => from + index)).slice(0, -4);
}

/** An address may have `%` between digits, or digits in its `%34`: it is read both ways. */
function readings(text: string): readonly boolean[] {
  return text.includes('%') ? [false, true] : [false];
}

/** Whether a text could hold one, for the price of a look at each character: at nearly every text no more is looked at. */
function mayHoldCardNumber(text: string): boolean {
  if (text.length * MOST_DIGITS_OF_CHARACTER < FEWEST_DIGITS) return false;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const worth = code < DIGITS_OF_CHARACTER.length ? DIGITS_OF_CHARACTER[code] : MOST_DIGITS_OF_CHARACTER;
    if (worth === 0) continue;
    digits = worth === PARTS ? 0 : digits + (worth ?? 0);
    // One id of a request in fifty has so many digits without a letter.
    if (digits >= FEWEST_DIGITS) return !UUID.test(text);
  }
  return false;
}

/** A letter: what comes before it and after it are two numbers. */
const PARTS = 0xff;
/** How many digits a character may be, for those of the Latin alphabets; a `%` may be anything. */
const DIGITS_OF_CHARACTER = Uint8Array.from({ length: 0x250 }, (_, code) => {
  if (code >= 0x30 && code <= 0x39) return 1;
  if (code === 0x25) return FEWEST_DIGITS;
  if (/[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]/.test(String.fromCharCode(code))) return PARTS;
  return code < 0x80 ? 0 : MOST_DIGITS_OF_CHARACTER;
});

/** A part of a text: from, and to which character. */
type Span = readonly [number, number];

interface Search extends Pick<ReadableText, 'origins'> {
  /** Of each card number the groups of its digits, as places in the text as it is read. */
  readonly found: readonly (readonly Span[])[];
}

function search(text: string, isDecoded: boolean, prefixes: CardPrefixes): Search {
  const { characters, origins } = readableText(text, isDecoded);
  const suspected = characters
    .replace(ID, (id) => (/[a-f]/i.test(id) || UUID.test(id) ? 'x'.repeat(id.length) : id))
    .replace(DATE_OR_TIME, (time) => 'x'.repeat(time.length));
  const found = [...digitRuns(suspected)].flatMap((run) => cardNumbersOf(run, suspected, prefixes));
  return { origins, found };
}

/** Groups of digits between which no letter stands, where they are enough for a card number. */
function* digitRuns(text: string): Generator<readonly Span[]> {
  let run: Span[] = [];
  let digits = 0;
  for (const { 0: piece, index } of text.matchAll(DIGITS_OR_LETTERS)) {
    if (piece.charCodeAt(0) <= 0x39) {
      run.push([index, index + piece.length]);
      digits += piece.length;
      continue;
    }
    if (digits >= FEWEST_DIGITS) yield run;
    run = [];
    digits = 0;
  }
  if (digits >= FEWEST_DIGITS) yield run;
}

/** The groups of each card number in a run. From each group on no more are looked at than one number can have. */
function cardNumbersOf(run: readonly Span[], text: string, prefixes: CardPrefixes): (readonly Span[])[] {
  const groups = run.map(([from, to]) => text.slice(from, to));
  const whole = groups.join('');
  if (isCardNumber(whole, prefixes) || isCardNumber(withoutPadding(whole), prefixes)) return [run];
  const gaps = run.slice(1).map(([from], index) => text.slice(run[index]?.[1], from));
  return groups.flatMap((group, first) => {
    const found: (readonly Span[])[] = [];
    let padded = group;
    let digits = withoutPadding(group);
    for (let last = first; digits.length <= MOST_DIGITS && last - first < MOST_DIGITS; ) {
      if (isCardNumber(digits, prefixes) || isCardNumber(padded, prefixes)) found.push(run.slice(first, last + 1));
      last++;
      if (last === groups.length || gaps[last - 1] !== gaps[first]) break;
      digits += groups[last];
      padded += groups[last];
    }
    return found;
  });
}

/** Fields of a fixed length have zeros before a number. A prefix of our own may begin with one: both are looked at. */
function withoutPadding(digits: string): string {
  return digits.replace(/^0+/, '');
}
