import { type ReadableText, readableCharacters, readableText } from '../readable-text.ts';
import type { CardPrefixes } from './card-number.ts';
import { type DigitRun, digitRuns } from './digit-runs.ts';
import { FEWEST_DIGITS, indexOf, issuedLengths } from './issued-numbers.ts';
import { isWrittenAsOne } from './written-as-one.ts';

/**
 * Card numbers in text (PCI DSS 4.0.1, 3.5.1): the one scan for all that is stored, logged or shown in the clear.
 *
 * A text is read as a person or program would read it (percent-encoding, Unicode's NFKC, invisible characters, letters for
 * digits). A card number is 14 to 19 consecutive digits that begin with a prefix that is issued in this length and pass the
 * check digit, whatever stands beside them: in one unbroken group of digits, or in groups that are written as one number. The
 * scan takes a few steps for each digit, whatever the text is.
 *
 * No card numbers are UUIDs and other hexadecimal words of 24 and more characters with a letter.
 */
const ID = /(?<![0-9a-z])(?:[0-9a-f]{24,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/gi;
/** One that says so by its version and variant (RFC 9562, section 4) is a UUID with digits alone too: of random ones one in a million is. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** `⅒` is read as `1/10`; no character is read as more digits. */
const MOST_DIGITS_OF_CHARACTER = 3;

/** Characters that a card number is seldom longer than, whatever separates its digits: for texts that are cut before they are masked. */
export const CARD_NUMBER_CHARACTERS = 200;

/** Whether a text holds a card number. */
export function containsCardNumber(text: string, prefixes: CardPrefixes = []): boolean {
  return formsOf(text).some((form) =>
    readings(form).some((isDecoded) => {
      for (const _ of cardNumbers(readableCharacters(form, isDecoded), prefixes)) return true;
      return false;
    }),
  );
}

/** The text with all but the last four digits of each card number in it replaced by asterisks. */
export function maskCardNumbersIn(text: string, prefixes: CardPrefixes = []): string {
  let masked: string[] | undefined;
  for (const form of formsOf(text)) {
    for (const isDecoded of readings(form)) {
      const { characters, origins } = readableText(form, isDecoded);
      for (const place of hiddenPlaces(characters, prefixes)) {
        masked ??= text.split('');
        hide(masked, place, origins);
      }
    }
  }
  return masked === undefined ? text : masked.join('');
}

/**
 * The text as it stands, and without the escapes of JSON, in which programs answer: what they stand for parts digits as blanks do.
 * Each has as many characters. Of most texts there is none to look at: they have too few digits in a row, and to see that costs a
 * fraction of a scan.
 */
function formsOf(text: string): readonly string[] {
  const forms = text.includes('\\') ? [text, text.replace(ESCAPE, (found) => ' '.repeat(found.length))] : [text];
  return forms.filter(mayHoldCardNumber);
}

const ESCAPE = /\\(?:[bfnrt]|u[0-9a-f]{4})/gi;

/** Where the digits of card numbers stand, but for the last four of each: each place once. */
function* hiddenPlaces(characters: string, prefixes: CardPrefixes): Generator<number> {
  // The place behind the last one that was hidden, and the digit that stands there or behind it.
  let place = 0;
  let digit = 0;
  for (const { run, from, to } of cardNumbers(characters, prefixes)) {
    const isBehind = (run.places[from] ?? 0) >= place;
    for (let at = isBehind ? from : digit; at < to - 4; at++) {
      yield run.places[at] ?? 0;
      place = (run.places[at] ?? 0) + 1;
      digit = at + 1;
    }
  }
}

function hide(masked: string[], place: number, origins: ReadableText['origins']): void {
  const [from, to] = origins === undefined ? [place, place + 1] : [origins.from[place] ?? 0, origins.to[place] ?? 0];
  // Bytes that are encoded in one row are hidden together.
  if (masked[from] !== '*' || masked[to - 1] !== '*') masked.fill('*', from, to);
}

/** An address may have `%` between digits, or digits in its `%34`: it is read both ways. */
function readings(text: string): readonly boolean[] {
  return text.includes('%') ? [false, true] : [false];
}

/** Digits of a run from one to before another. */
interface Found {
  readonly run: DigitRun;
  readonly from: number;
  readonly to: number;
}

/** Each card number of a text, by where it begins. */
function* cardNumbers(characters: string, prefixes: CardPrefixes): Generator<Found> {
  const own = indexOf(prefixes);
  // Looked for once a number was found: most texts have none.
  let ids: Iterator<readonly [number, number]> | undefined;
  let id: readonly [number, number] | undefined;
  for (const run of digitRuns(characters, FEWEST_DIGITS)) {
    for (let from = 0; from + FEWEST_DIGITS <= run.length; from++) {
      const lengths = issuedLengths(run.digits, from, own);
      for (let index = 0; index < lengths.length; index++) {
        const to = from + (lengths[index] ?? 0);
        if (to > run.length || !passesLuhn(run, from, to)) continue;
        if (!isWrittenAsOne(characters, run, { from, to })) continue;
        ids ??= idsIn(characters);
        const first = run.places[from] ?? 0;
        const end = (run.places[to - 1] ?? 0) + 1;
        while (id === undefined || id[1] <= first) id = ids.next().value ?? NO_ID;
        if (id[0] >= end) yield { run, from, to };
      }
    }
  }
}

const NO_ID = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

function* idsIn(characters: string): Generator<readonly [number, number], undefined> {
  for (const { 0: id, index } of characters.matchAll(ID)) {
    if (/[a-f]/i.test(id) || UUID.test(id)) yield [index, index + id.length];
  }
  return undefined;
}

/** The Luhn check of any part of a run: the last digit is not doubled, the one before it is. */
function passesLuhn({ oddDoubled, evenDoubled }: DigitRun, from: number, to: number): boolean {
  const sums = (to - 1) % 2 === 0 ? oddDoubled : evenDoubled;
  return ((sums[to] ?? 0) - (sums[from] ?? 0)) % 10 === 0;
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
  const character = String.fromCharCode(code);
  if (/[0-9OoIl]/.test(character)) return 1;
  if (character === '%') return FEWEST_DIGITS;
  if (/[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]/.test(character)) return PARTS;
  return code < 0x80 ? 0 : MOST_DIGITS_OF_CHARACTER;
});
