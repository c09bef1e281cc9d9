/**
 * Digits of a text between which no letter stands, with the groups in which they are written. `O`, `o`, `l` and `I` are digits
 * where digits stand before and after them and they are part of no word.
 *
 * The arrays are as long as the text, and used again for its next run: a scan makes nothing anew for each digit.
 */
export interface DigitRun {
  readonly digits: Uint8Array;
  /** How many digits the run has. */
  readonly length: number;
  /** Of each digit its place in the text. */
  readonly places: Int32Array;
  /** Of each digit the group that it belongs to. */
  readonly groups: Int32Array;
  /** Of each group its first digit, and behind the last group the length of the run. */
  readonly starts: Int32Array;
  /** Sums of the digits before each one, with every second one doubled as the Luhn check does: the odd ones, and the even ones. */
  readonly oddDoubled: Int32Array;
  readonly evenDoubled: Int32Array;
}

/** The runs of a text that have enough digits. */
export function* digitRuns(text: string, fewest: number): Generator<DigitRun> {
  const run = emptyRun(text.length);
  for (let at = 0; at < text.length; ) {
    const kind = KINDS[text.charCodeAt(at)] ?? SEPARATOR;
    if (kind <= 9) {
      add(run, kind, at++);
      run.certain = run.length;
    } else if (kind === SEPARATOR) {
      run.isBroken = true;
      at++;
    } else {
      const end = endOfLookalikes(text, at);
      if (end > at && run.length > 0) {
        for (; at < end; at++) add(run, digitLike(text.charCodeAt(at)), at);
        continue;
      }
      if (run.certain >= fewest) yield closed(run);
      clear(run);
      at = Math.max(end, at + 1);
    }
  }
  if (run.certain >= fewest) yield closed(run);
}

interface OpenRun extends DigitRun {
  length: number;
  groupCount: number;
  /** Digits up to the last one that is written as a digit: letters behind it are none. */
  certain: number;
  /** Whether the next digit begins a group. */
  isBroken: boolean;
}

function emptyRun(most: number): OpenRun {
  return {
    digits: new Uint8Array(most),
    places: new Int32Array(most),
    groups: new Int32Array(most),
    starts: new Int32Array(most + 1),
    oddDoubled: new Int32Array(most + 1),
    evenDoubled: new Int32Array(most + 1),
    length: 0,
    groupCount: 0,
    certain: 0,
    isBroken: true,
  };
}

function clear(run: OpenRun): void {
  run.length = 0;
  run.groupCount = 0;
  run.certain = 0;
  run.isBroken = true;
}

function add(run: OpenRun, digit: number, place: number): void {
  const at = run.length++;
  if (run.isBroken) run.starts[run.groupCount++] = at;
  run.isBroken = false;
  run.digits[at] = digit;
  run.places[at] = place;
  run.groups[at] = run.groupCount - 1;
  const doubled = digit > 4 ? 2 * digit - 9 : 2 * digit;
  const isOdd = at % 2 === 1;
  run.oddDoubled[at + 1] = (run.oddDoubled[at] ?? 0) + (isOdd ? doubled : digit);
  run.evenDoubled[at + 1] = (run.evenDoubled[at] ?? 0) + (isOdd ? digit : doubled);
}

function closed(run: OpenRun): DigitRun {
  run.length = run.certain;
  run.starts[(run.groups[run.length - 1] ?? 0) + 1] = run.length;
  return run;
}

/** Where a row of letters that are taken for digits ends, if it is no part of a word; else where it begins. */
function endOfLookalikes(text: string, from: number): number {
  let end = from;
  while (digitLike(text.charCodeAt(end)) >= 0) end++;
  return isLetter(text.charCodeAt(from - 1)) || isLetter(text.charCodeAt(end)) ? from : end;
}

/** The digit that a letter is taken for; -1 if it is taken for none. */
function digitLike(code: number): number {
  if (code === 0x4f || code === 0x6f) return 0;
  return code === 0x49 || code === 0x6c ? 1 : -1;
}

function isLetter(code: number): boolean {
  return KINDS[code] === LETTER;
}

const LETTER = 10;
const SEPARATOR = 11;
/** Of each ASCII character its digit, or that it is a letter, or neither. */
const KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[0-9]/.test(character)) return Number(character);
  return /[A-Za-z]/.test(character) ? LETTER : SEPARATOR;
});
