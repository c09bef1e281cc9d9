/** Ways in which a card number gets into a text, on purpose or not. All say the same number to a reader. */
export const DISGUISES: Readonly<Record<string, (number: string) => string>> = {
  bare: (number) => number,
  'in a sentence': (number) => `the card ${number}, as they said`,
  'beside an order number': (number) => `order 12 ${number}`,
  'before its expiry and code': (number) => `${number} 12/30 123`,
  'with letters around it': (number) => `order${number}x`,
  'with zeros before it': (number) => `000${number}`,
  'with zeros before it, in a list': (number) => `77, 0000${number}, 12`,
  'run together with its expiry': (number) => `${number}1230`,
  'run together with expiry and code': (number) => `${number}1230123`,
  'run together with a number before it': (number) => `77${number}`,
  'in groups, run together with its expiry': (number) => `${fours(number).join(' ')}1230`,
  'in groups, with a double blank': (number) => fours(number).join('  '),
  'in groups, in a table': (number) => `12 | ${fours(number).join(' | ')} | 12/30`,
  'as it is printed': (number) => `${printed(number).join(' ')} 12/30`,
  'as it is printed, with any signs': (number) => printed(number).join(' ~ '),
  'in halves': (number) => `${number.slice(0, 8)} ${number.slice(8)}`,
  'in uneven groups with blanks, dots and dashes': (number) =>
    `${number.slice(0, 6)} ${number.slice(6, 8)}-${number.slice(8, 11)}.${number.slice(11)}`,
  'with the letter O': (number) => number.slice(0, -1).replaceAll('0', 'O') + number.slice(-1),
  'with the letter o, in groups': (number) =>
    `${fours(number.slice(0, -1).replaceAll('0', 'o')).join(' ')}${number.slice(-1)}`,
  'with the letters l and I': (number) =>
    number.slice(0, 1) + number.slice(1, -1).replaceAll('1', 'l').replaceAll('0', 'O') + number.slice(-1),
  'as track 2': (number) => `;${number}=30121011234500001?`,
  'in groups, beside another number': (number) => `12, ${fours(number).join(' ')}, 12/30`,
  ...Object.fromEntries(
    Object.entries({
      'a blank': ' ',
      'a dash': '-',
      'a dot': '.',
      'an underscore': '_',
      'a slash': '/',
      'a backslash': '\\',
      'a comma': ',',
      'a colon': ':',
      'a plus': '+',
      'an asterisk': '*',
      'a percent sign': '%',
      'a tab': '\t',
      'a no-break space': '\u00a0',
      'a narrow no-break space': '\u202f',
      'an en dash': '\u2013',
      'a minus': '\u2212',
      'a middle dot': '\u00b7',
      'a zero-width space': '\u200b',
      'a zero-width joiner': '\u200d',
      'a byte order mark': '\ufeff',
      'a soft hyphen': '\u00ad',
      'a word joiner': '\u2060',
      'a Hangul filler': '\u3164',
      'a direction mark': '\u200f',
      'a combining mark': '\u0301',
      'a heart': '\u2764\ufe0f',
      'two signs': ' - ',
    }).flatMap(([name, separator]) => [
      [`${name} between groups`, (number: string) => fours(number).join(separator)],
      [`${name} between digits`, (number: string) => [...number].join(separator)],
    ]),
  ),
  'other signs between groups': (number) =>
    fours(number).reduce((text, four, index) => `${text}${' -._'[index]}${four}`),
  'full-width digits': (number) => inDigitsFrom(number, 0xff10),
  'mathematical digits': (number) => inDigitsFrom(number, 0x1d7ce),
  'Arabic digits': (number) => inDigitsFrom(number, 0x0660),
  'Devanagari digits': (number) => inDigitsFrom(number, 0x0966),
  'circled digits': (number) => number.replace(/\d/g, (digit) => (digit === '0' ? '\u24ea' : circled(digit))),
  'raised digits': (number) => number.replace(/\d/g, (digit) => RAISED[Number(digit)] ?? ''),
  'keycap digits': (number) => number.replace(/\d/g, '$&\ufe0f\u20e3'),
  'each digit percent-encoded': (number) => encoded(number),
  'each digit percent-encoded twice': (number) => encoded(number).replaceAll('%', '%25'),
  'one digit percent-encoded': (number) => number.slice(0, 5) + encoded(number.slice(5, 6)) + number.slice(6),
  'full-width digits, percent-encoded': (number) => encodeURIComponent(inDigitsFrom(number, 0xff10)),
  'zero-width spaces, percent-encoded': (number) => encodeURIComponent(fours(number).join('\u200b')),
  'in an address': (number) => `https://shop.example/pay?card=${fours(number).join('%20')}&to=1`,
};

/** 4-6-5 and 4-6-4 on the cards that are printed so. */
function printed(number: string): string[] {
  return number.length > 15 ? fours(number) : [number.slice(0, 4), number.slice(4, 10), number.slice(10)];
}

function fours(number: string): string[] {
  return number.match(/.{1,4}/g) ?? [];
}

function inDigitsFrom(number: string, zero: number): string {
  return number.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}

function circled(digit: string): string {
  return String.fromCodePoint(0x2460 + Number(digit) - 1);
}

const RAISED = [...'\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'];

function encoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');
}
