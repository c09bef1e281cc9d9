import { createHash } from 'node:crypto';

/** One way in which a secret may lie somewhere. */
export interface Form {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Ways to write any text down: as it is, in other encodings, and encoded for transport. */
export function formsOfText(text: string): Form[] {
  const plain = Buffer.from(text, 'latin1');
  return [
    { name: 'plain', bytes: plain },
    { name: 'UTF-16, little end first', bytes: Buffer.from(text, 'utf16le') },
    { name: 'UTF-16, big end first', bytes: Buffer.from(text, 'utf16le').swap16() },
    { name: 'backwards', bytes: Buffer.from(plain).reverse() },
    ...hexForms('hex', plain),
    ...BYTE_BY_BYTE.map(([name, write, between = '']) => ({ name, bytes: ascii([...plain].map(write).join(between)) })),
    ...base64Forms(plain),
    ...letterForms(text),
    ...escapedForms(text),
  ];
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Ways to write each byte down by itself, and what stands between them. */
const BYTE_BY_BYTE: readonly (readonly [name: string, write: (byte: number) => string, between?: string])[] = [
  ['percent-encoded', (byte) => `%${hex(byte)}`],
  ['escapes of JSON', (byte) => `\\u00${hex(byte)}`],
  ['escapes of C', (byte) => `\\x${hex(byte)}`],
  ['quoted-printable', (byte) => `=${hex(byte).toUpperCase()}`],
  ['references of HTML', (byte) => `&#${byte};`],
  ['references of HTML, in hex', (byte) => `&#x${hex(byte)};`],
  // As JSON has a Buffer, and as a console shows one.
  ['a list of bytes', String, ','],
  ['a list of bytes, with blanks', String, ', '],
  ['hex with blanks', hex, ' '],
  ['hex with colons', hex, ':'],
];

/** Other characters for the same letters and digits. Texts with further ones have no such form. */
function letterForms(text: string): Form[] {
  const wide = /^[!-~]+$/.test(text)
    ? [
        {
          name: 'full-width',
          bytes: Buffer.from(text.replace(/./g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))),
        },
      ]
    : [];
  const places = [...text].map((one) => EBCDIC.get(one));
  return places.includes(undefined) ? wide : [...wide, { name: 'EBCDIC', bytes: Buffer.from(places.map(Number)) }];
}

/** Code page 37, as far as it has what is sought. */
const EBCDIC = new Map(
  Object.entries({
    64: ' ',
    75: '.',
    78: '+',
    96: '-/',
    109: '_',
    122: ':',
    124: '@',
    126: '="',
    129: 'abcdefghi',
    145: 'jklmnopqr',
    162: 'stuvwxyz',
    193: 'ABCDEFGHI',
    209: 'JKLMNOPQR',
    226: 'STUVWXYZ',
    240: '0123456789',
  }).flatMap(([first, letters]) => [...letters].map((letter, index) => [letter, Number(first) + index] as const)),
);

/** As a text stands in JSON, on a page and in an address, where that is not the text itself. */
function escapedForms(text: string): Form[] {
  const forms = {
    'in JSON': JSON.stringify(text).slice(1, -1),
    'in JSON in JSON': JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
    'on a page': text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
    'in an address': encodeURIComponent(text),
    'in a form': new URLSearchParams([['', text]]).toString().slice(1),
  };
  return Object.entries(forms)
    .filter(([, form]) => form !== text)
    .map(([name, form]) => ({ name, bytes: ascii(form) }));
}

/** Ways to write down what can be guessed: those of any text, and digests that can be searched through. */
export function formsOfGuessable(text: string): Form[] {
  return [...formsOfText(text), ...digestForms(text)];
}

function digestForms(text: string): Form[] {
  return ['md5', 'sha1', 'sha256', 'sha512'].flatMap((hash) => {
    const digest = createHash(hash).update(text).digest();
    return [
      { name: `its ${hash}`, bytes: digest },
      ...hexForms(`its ${hash} in hex`, digest),
      { name: `its ${hash} in base64`, bytes: ascii(digest.toString('base64').replace(/=+$/, '')) },
    ];
  });
}

/** Ways to write a card number down: those of a text, those of a number, and digests that can be searched through. */
export function formsOfCardNumber(digits: string): Form[] {
  return [
    ...formsOfText(digits),
    // Part of a number is as good as all of it where no more than four digits must be guessed.
    { name: 'its first twelve digits', bytes: ascii(digits.slice(0, 12)) },
    { name: 'its last twelve digits', bytes: ascii(digits.slice(-12)) },
    ...binaryForms(digits),
    ...digestForms(digits),
  ];
}

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function hexForms(name: string, bytes: Buffer): Form[] {
  const small = bytes.toString('hex');
  const large = small.toUpperCase();
  return [
    { name, bytes: ascii(small) },
    ...(large === small ? [] : [{ name: `${name}, capitals`, bytes: ascii(large) }]),
  ];
}

/** What stays the same in base64 wherever the text begins: three bytes make four characters, so there are three ways. */
function base64Forms(plain: Buffer): Form[] {
  return [0, 1, 2].flatMap((offset) => {
    const name = `base64 at offset ${offset}`;
    const before = Buffer.alloc(offset, 'x');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + plain.length) * 8) / 6);
    const standard = Buffer.concat([before, plain]).toString('base64').slice(first, last);
    const forUrls = standard.replaceAll('+', '-').replaceAll('/', '_');
    return [
      { name, bytes: ascii(standard) },
      ...(forUrls === standard ? [] : [{ name: `${name}, for URLs`, bytes: ascii(forUrls) }]),
    ];
  });
}

function binaryForms(digits: string): Form[] {
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  const shifted = digits.length % 2 === 0 ? `0${digits}f` : `${digits}f`;
  const integer = Buffer.alloc(8);
  integer.writeBigUInt64BE(BigInt(digits));
  const double = Buffer.alloc(8);
  double.writeDoubleBE(Number(digits));
  // Without what every number of this size begins with, or two half bytes that are only filling.
  const significant = integer.subarray(integer.findIndex((byte) => byte !== 0));
  return [
    { name: 'packed decimal', bytes: Buffer.from(even, 'hex') },
    { name: 'packed decimal, shifted', bytes: Buffer.from(shifted, 'hex').subarray(1, -1) },
    { name: 'packed decimal, halves swapped', bytes: Buffer.from(even.replace(/(.)(.)/g, '$2$1'), 'hex') },
    { name: 'integer, big end first', bytes: significant },
    { name: 'integer, little end first', bytes: Buffer.from(significant).reverse() },
    { name: 'double, big end first', bytes: double },
    { name: 'double, little end first', bytes: Buffer.from(double).reverse() },
    { name: 'numeric of PostgreSQL', bytes: numericOf(digits) },
  ];
}

/** PostgreSQL keeps `numeric` as groups of four decimal digits, each in two bytes, in the order of the machine. */
function numericOf(digits: string): Buffer {
  const padded = digits.padStart(Math.ceil(digits.length / 4) * 4, '0');
  const groups = padded.match(/\d{4}/g) ?? [];
  const bytes = Buffer.alloc(groups.length * 2);
  groups.forEach((group, index) => void bytes.writeUInt16LE(Number(group), index * 2));
  return bytes;
}
