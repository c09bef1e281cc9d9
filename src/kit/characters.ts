/** What the other side can read: printable ASCII, or ISO 8859-1 (Latin-1) without its control characters. */
export type CharacterSet = 'ascii' | 'latin1';

/** All of them. */
export const CHARACTER_SETS = ['ascii', 'latin1'] as const satisfies readonly CharacterSet[];

const PRINTABLE: Readonly<Record<CharacterSet, RegExp>> = {
  ascii: /^[\x20-\x7e]$/,
  latin1: /^[\x20-\x7e\xa0-\xff]$/,
};

/** Letters and signs that Unicode does not take apart into one of ASCII and a mark. */
const SPELLINGS: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  ß: 'ss',
  ẞ: 'SS',
  Œ: 'OE',
  œ: 'oe',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Þ: 'TH',
  þ: 'th',
  Ł: 'L',
  ł: 'l',
  Ħ: 'H',
  ħ: 'h',
  Ŧ: 'T',
  ŧ: 't',
  Ŋ: 'N',
  ŋ: 'n',
  ı: 'i',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '⁄': '/',
  '×': 'x',
  '·': '.',
  '•': '.',
  '€': 'EUR',
};

/** More of a text is not looked at: to normalize a long row of combining marks takes quadratic time. */
const LOOKED_AT = 1_000;

/**
 * A name or address in characters that the other side can read: `Åses Kafé` becomes `Ases Kafe` in ASCII. A character that has no spelling
 * there is left out.
 *
 * @param most characters of the result; the rest is cut off, after the spelling and never within it
 */
export function spelled(text: string, characters: CharacterSet, most: number): string {
  let written = '';
  for (const character of text.slice(0, LOOKED_AT).normalize('NFC')) {
    const spelling = PRINTABLE[characters].test(character) ? character : inAscii(character);
    if (written.length + spelling.length > most) break;
    written += spelling;
  }
  return written;
}

/** Whether a name has a letter or digit that the other side can read. */
export function isSpelled(name: string, characters: CharacterSet): boolean {
  return /[A-Za-z0-9\xc0-\xff]/.test(spelled(name, characters, LOOKED_AT));
}

function inAscii(character: string): string {
  const parts = Array.from(SPELLINGS[character] ?? character.normalize('NFKD'));
  return parts.map((part) => (PRINTABLE.ascii.test(part) ? part : (SPELLINGS[part] ?? ''))).join('');
}

/** The first characters of a text. `slice` counts UTF-16 units, and leaves half of a character that has two. */
export function firstCharacters(text: string, most: number): string {
  // A character has two units at most.
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('');
}
