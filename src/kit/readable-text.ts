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

/** Bytes as addresses write them. `%2534` is `%34` encoded once more: however often, it is read as the digit. */
const ENCODED_BYTES = /(?:%(?:25)*[0-9a-f]{2})+/giy;
const ENCODED_BYTE = /%(?:25)*([0-9a-f]{2})/gi;
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
  const decodes = isDecoded && text.includes('%');
  if (!decodes && PLAIN.test(text)) return { characters: text, origins: undefined };
  const characters: string[] = [];
  const origins = { from: [] as number[], to: [] as number[] };
  const add = (piece: string, from: number, to: number): void => {
    for (const character of piece) {
      for (const plain of plainCharacters(character)) {
        characters.push(plain);
        origins.from.push(from);
        origins.to.push(to);
      }
    }
  };
  for (let at = 0, end = 0; at < text.length; at = end) {
    const decoded = decodes ? decodedAt(text, at) : undefined;
    const piece = decoded?.text ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
    end = decoded?.end ?? at + piece.length;
    add(piece, at, end);
  }
  return { characters: characters.join(''), origins };
}

/** What a row of encoded bytes says as UTF-8, and where it ends. */
function decodedAt(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  if (text.charCodeAt(at) !== PERCENT) return undefined;
  ENCODED_BYTES.lastIndex = at;
  const [encoded] = ENCODED_BYTES.exec(text) ?? [];
  if (encoded === undefined) return undefined;
  const bytes = Array.from(encoded.matchAll(ENCODED_BYTE), ([, byte = '']) => byte).join('');
  return { text: Buffer.from(bytes, 'hex').toString('utf8'), end: at + encoded.length };
}

const PERCENT = 0x25;

/** A character in its plain form, which is none where it is invisible. */
function plainCharacters(character: string): string {
  if (character <= '\x7f') return character;
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

/** Unicode has the digits of each script in one row from zero (The Unicode Standard, section 4.6). */
function digitOf(codePoint: number): string {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value++;
  return String(value);
}
