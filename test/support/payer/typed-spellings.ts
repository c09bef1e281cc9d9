/** Ways in which people and browsers write the same digits. Each says the same to a reader. */
export const DIGIT_SPELLINGS: Readonly<Record<string, (digits: string) => string>> = {
  plain: (digits) => digits,
  'with blanks around': (digits) => `  ${digits}\t`,
  'full-width digits': (digits) => inScript(digits, 0xff10),
  'Arabic digits': (digits) => inScript(digits, 0x0660),
  'Persian digits': (digits) => inScript(digits, 0x06f0),
  'Devanagari digits': (digits) => inScript(digits, 0x0966),
  'digits beyond the first plane': (digits) => inScript(digits, 0x1e950),
  'mathematical digits': (digits) => inScript(digits, 0x1d7ec),
  'behind a direction mark': (digits) => `\u200e${digits}`,
  'between direction marks': (digits) => `\u200f${digits}\u200e`,
  'in an embedding': (digits) => `\u202a${digits}\u202c`,
  'in an override': (digits) => `\u202d${digits}\u202c`,
  'in an isolate': (digits) => `\u2066${digits}\u2069`,
  'behind a byte order mark': (digits) => `\ufeff${digits}`,
  'with zero-width spaces': (digits) => [...digits].join('\u200b'),
  'with word joiners': (digits) => [...digits].join('\u2060'),
  'keycap digits': (digits) => [...digits].map((digit) => `${digit}\ufe0f\u20e3`).join(''),
};

/** What stands between the groups of a number. */
export const NUMBER_SEPARATORS: Readonly<Record<string, string>> = {
  blanks: ' ',
  'no-break spaces': '\u00a0',
  'narrow no-break spaces': '\u202f',
  'ideographic spaces': '\u3000',
  dashes: '-',
  'en dashes': '\u2013',
  'minus signs': '\u2212',
  'full-width dashes': '\uff0d',
  dots: '.',
  'middle dots': '\u00b7',
  'full-width dots': '\uff0e',
  'two blanks': '  ',
  'a dash between blanks': ' - ',
  'a tab': '\t',
};

/** All ways to write a number. */
export function numberSpellings(number: string): readonly (readonly [name: string, text: string])[] {
  const groups = number.match(/.{1,4}/g) ?? [];
  return [
    ...Object.entries(DIGIT_SPELLINGS).map(([name, spell]) => [name, spell(number)] as const),
    ...Object.entries(NUMBER_SEPARATORS).map(([name, separator]) => [name, groups.join(separator)] as const),
    ['full-width digits with blanks', inScript(groups.join(' '), 0xff10)],
  ];
}

/** Ways to write the month 12 of the year 2039, each with the month and year that are read. */
const EXPIRY_FORMS: readonly string[] = [
  '12/39',
  '1239',
  '12/2039',
  '122039',
  '12 / 39',
  '12 / 2039',
  '12-39',
  '12.39',
  '12 39',
  '12\uff0f39',
  '12\u204439',
  '12\u221539',
  '12\u201339',
  '2039-12',
  '2039/12',
  '2039.12',
  '2039 12',
  '203912',
  '2039-12 ',
];

/** All ways to write an expiry of December 2039. */
export function expirySpellings(): readonly (readonly [name: string, text: string])[] {
  const spelled = Object.entries(DIGIT_SPELLINGS).flatMap(([name, spell]) =>
    ['12/39', '2039-12'].map((form) => [`${form} ${name}`, spell(form)] as const),
  );
  return [...EXPIRY_FORMS.map((form) => [form, form] as const), ...spelled];
}

function inScript(text: string, zero: number): string {
  return text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}
