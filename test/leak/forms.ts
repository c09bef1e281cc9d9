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
    { name: 'percent-encoded', bytes: ascii([...plain].map((byte) => `%${byte.toString(16)}`).join('')) },
    { name: 'escapes of JSON', bytes: ascii([...plain].map((byte) => `\\u00${byte.toString(16)}`).join('')) },
    ...base64Forms(plain),
  ];
}

/** Ways to write a card number down: those of a text, those of a number, and digests that can be searched through. */
export function formsOfCardNumber(digits: string): Form[] {
  return [
    ...formsOfText(digits),
    // Part of a number is as good as all of it where no more than four digits must be guessed.
    { name: 'its first twelve digits', bytes: ascii(digits.slice(0, 12)) },
    { name: 'its last twelve digits', bytes: ascii(digits.slice(-12)) },
    ...binaryForms(digits),
    ...['md5', 'sha1', 'sha256', 'sha512'].flatMap((hash) => {
      const digest = createHash(hash).update(digits).digest();
      return [
        { name: `its ${hash}`, bytes: digest },
        ...hexForms(`its ${hash} in hex`, digest),
        { name: `its ${hash} in base64`, bytes: ascii(digest.toString('base64').replace(/=+$/, '')) },
      ];
    }),
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
