/** A text as a reader takes it, in ASCII as far as letters and digits go. */
export interface ReadableText {
  readonly characters: string;
  /** Which characters of the text each one came from; undefined where the two are the same. */
  readonly origins: Origins | undefined;
}

/** For each character the first one in the text, and the one after the last. */
interface Origins {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** These are invisible: they part nothing. */
const INVISIBLE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const PLAIN = /^[\0-\x7f]*$/;

/**
 * The text without what only looks different: in Unicode's form for comparison (NFKC), digits of all scripts as 0 to 9,
 * other letters as `x`, without invisible characters.
 *
 * Each character is put into that form by itself. To do so with the whole is quadratic in a long row of combining marks,
 * which are left out here anyway.
 *
 * @param isDecoded whether `%34` is read as 4; else as it stands
 */
export function readableText(text: string, isDecoded: boolean): ReadableText {
  if (isPlain(text, isDecoded)) return { characters: text, origins: undefined };
  const origins = { from: [] as number[], to: [] as number[] };
  let characters = '';
  read(text, isDecoded, (plain, from, to) => {
    characters += plain;
    for (let index = 0; index < plain.length; index++) {
      origins.from.push(from);
      origins.to.push(to);
    }
  });
  return { characters, origins };
}

/** The same without where its characters came from. */
export function readableCharacters(text: string, isDecoded: boolean): string {
  if (isPlain(text, isDecoded)) return text;
  let characters = '';
  read(text, isDecoded, (plain) => {
    characters += plain;
  });
  return characters;
}

function isPlain(text: string, isDecoded: boolean): boolean {
  return !(isDecoded && text.includes('%')) && PLAIN.test(text);
}

/** Tells each character in its plain form, and which of the text's it came from. */
function read(text: string, isDecoded: boolean, tell: (plain: string, from: number, to: number) => void): void {
  for (let at = 0, end = 0; at < text.length; at = end) {
    const decoded = isDecoded ? decodedAt(text, at) : undefined;
    if (decoded !== undefined) {
      end = decoded.end;
      for (const character of decoded.text) tell(plainCharacters(character.codePointAt(0) ?? 0), at, end);
      continue;
    }
    const codePoint = text.codePointAt(at) ?? 0;
    end = at + (codePoint > 0xffff ? 2 : 1);
    tell(plainCharacters(codePoint), at, end);
  }
}

/** What a row of encoded bytes says as UTF-8, and where it ends. */
function decodedAt(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const bytes: number[] = [];
  let end = at;
  for (let digits = encodedByteAt(text, end); digits > 0; digits = encodedByteAt(text, end)) {
    bytes.push(Number.parseInt(text.slice(digits, digits + 2), 16));
    end = digits + 2;
  }
  return bytes.length === 0 ? undefined : { text: Buffer.from(bytes).toString('utf8'), end };
}

/**
 * Where the two hexadecimal digits of an encoded byte stand; -1 if there is none at a place. `%2534` is `%34` encoded once more:
 * however often, it is read as the digit.
 */
function encodedByteAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== PERCENT || !areHexadecimal(text, at + 1)) return -1;
  let digits = at + 1;
  while (text.charCodeAt(digits) === TWO && text.charCodeAt(digits + 1) === FIVE && areHexadecimal(text, digits + 2)) {
    digits += 2;
  }
  return digits;
}

function areHexadecimal(text: string, at: number): boolean {
  return isHexadecimal(text.charCodeAt(at)) && isHexadecimal(text.charCodeAt(at + 1));
}

function isHexadecimal(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

const PERCENT = 0x25;
const TWO = 0x32;
const FIVE = 0x35;

/** What was found out about characters so far. Unicode has 1.1 million, of which texts use a few hundred. */
const KNOWN = new Map<number, string>();
const MOST_KNOWN = 10_000;

/** A character in its plain form, which is none where it is invisible. */
function plainCharacters(codePoint: number): string {
  if (codePoint <= 0x7f) return String.fromCharCode(codePoint);
  const known = KNOWN.get(codePoint);
  if (known !== undefined) return known;
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
  const plain = plainForm(String.fromCodePoint(codePoint));
  KNOWN.set(codePoint, plain);
  return plain;
}

function plainForm(character: string): string {
  if (INVISIBLE.test(character)) return '';
  const plain = character.normalize('NFKC');
  // Some stand for whole words: of those without digits one letter says as much.
  if (!/\p{Nd}/u.test(plain)) return /\p{L}/u.test(plain) ? 'x' : /\p{Pd}/u.test(plain) ? '-' : ' ';
  return Array.from(plain, plainCharacter).join('');
}

function plainCharacter(character: string): string {
  if (character <= '\x7f') return character;
  return /\p{Nd}/u.test(character) ? digitOf(character.codePointAt(0) ?? 0) : ' ';
}

/** Unicode has the digits of each script in rows of ten from zero (The Unicode Standard, section 4.6). */
function digitOf(codePoint: number): string {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - before - 1))) before++;
  return String(before % 10);
}
