import type { CharacterSet } from '../kit/characters.ts';
import type { DialectPacking, Element, Packing, Size } from './dialects/dialect.types.ts';
import { EncodeError, ProtocolError } from './frames.rules.ts';
import { hasControl } from './private-data.rules.ts';

/** Reads pieces of a frame or of a field, one after another. */
export interface Reader {
  take(bytes: number, field?: number): Buffer;
  isAtEnd(): boolean;
}

/** @throws ProtocolError, when it is read from, where bytes are missing */
export function readerOf(bytes: Buffer): Reader {
  let at = 0;
  return {
    take(count, field) {
      if (at + count > bytes.length) throw new ProtocolError('bytes missing', field);
      at += count;
      return bytes.subarray(at - count, at);
    },
    isAtEnd: () => at === bytes.length,
  };
}

/** Where digits are characters, and so are lengths. */
export const UNPACKED: DialectPacking = { type: false, lengths: false, numbers: 'no' };

/** The bytes of single values. */
export interface ElementCodec {
  /** @throws EncodeError where the element has no room for the value. `place` is where the dialect describes it */
  write(element: Element, value: string, place: string): Buffer;
  /**
   * The next value; undefined where it is of another form.
   *
   * @throws ProtocolError where it is not known how far it reaches
   */
  read(element: Element, reader: Reader, field: number): string | undefined;
  /** Bytes behind their length, where the size wants one. */
  writeBytes(size: Size, bytes: Buffer, place: string): Buffer;
  readBytes(size: Size, reader: Reader, field: number): Buffer;
  readLength(lengthDigits: number, reader: Reader, field: number): number;
}

/** How a dialect writes values. */
export interface Writing extends DialectPacking {
  readonly characters: CharacterSet;
}

/** Values as a dialect writes them. */
export function elementCodec({ lengths, numbers, characters }: Writing): ElementCodec {
  const packingOf = ({ form, packed }: Element): Packing => (form === 'n' ? (packed ?? numbers) : 'no');

  function writeLength(lengthDigits: number, length: number): Buffer {
    const digits = String(length).padStart(lengthDigits, '0');
    return lengths ? pack(digits, 'left') : Buffer.from(digits, 'latin1');
  }

  function readLength(lengthDigits: number, reader: Reader, field: number): number {
    const bytes = reader.take(lengths ? (lengthDigits + 1) >> 1 : lengthDigits, field);
    const digits = bytes.toString(lengths ? 'hex' : 'latin1');
    if (!isDigits(digits)) throw new ProtocolError('not digits', field);
    return Number(digits);
  }

  const lengthOf = (size: Size, reader: Reader, field: number) =>
    'length' in size ? size.length : readLength(size.lengthDigits, reader, field);

  return {
    readLength,
    write(element, value, place) {
      const text = filledUp(element, printable(written(element, value, place), characters), place);
      const packing = packingOf(element);
      const bytes = packing === 'no' ? bytesOf(element, text) : pack(text, packing);
      const units = element.form === 'b' ? bytes.length : text.length;
      return 'length' in element ? bytes : Buffer.concat([writeLength(element.lengthDigits, units), bytes]);
    },
    read(element, reader, field) {
      const units = lengthOf(element, reader, field);
      const packing = packingOf(element);
      const bytes = reader.take(packing === 'no' ? units : (units + 1) >> 1, field);
      const text =
        packing === 'no' ? bytes.toString(element.form === 'b' ? 'hex' : 'latin1') : unpack(bytes, units, packing);
      if ('most' in element && units > element.most) return undefined;
      return ofForm(element, text) ? meantBy(element, text) : undefined;
    },
    writeBytes(size, bytes, place) {
      const most = 'length' in size ? size.length : size.most;
      if (bytes.length > most) throw noRoom(place, most, bytes.length);
      if (!('length' in size)) return Buffer.concat([writeLength(size.lengthDigits, bytes.length), bytes]);
      return Buffer.concat([bytes], size.length);
    },
    readBytes: (size, reader, field) => reader.take(lengthOf(size, reader, field), field),
  };
}

/** What stands on the wire for a value of Kontor's. */
function written({ as, codes }: Element, value: string, place: string): string {
  if (codes !== undefined) {
    const code = Object.hasOwn(codes, value) ? codes[value] : undefined;
    if (code === undefined) throw new EncodeError(place, 'has no code for a value that is needed');
    return code;
  }
  if (as === 'century') return `20${value}`;
  return as === 'base64' ? Buffer.from(value, 'base64').toString('hex') : value;
}

/** The value of Kontor's for what stands on the wire; undefined where there is none. */
function meantBy({ as, codes, digits, form, ...size }: Element, text: string): string | undefined {
  if (codes !== undefined) return Object.keys(codes).find((value) => codes[value] === text);
  if (as === 'century') return text.startsWith('20') ? text.slice(2) : undefined;
  if (as === 'base64') return Buffer.from(text, 'hex').toString('base64');
  if (digits !== undefined && text.length > digits) {
    return /[^0]/.test(text.slice(0, -digits)) ? undefined : text.slice(-digits);
  }
  return 'length' in size && form !== 'n' && form !== 'b' ? withoutBlanks(text) : text;
}

function filledUp({ form, cut = false, ...size }: Element, value: string, place: string): string {
  const most = 'length' in size ? size.length : size.most;
  const text = cut ? value.slice(0, most) : value;
  const units = form === 'b' ? text.length / 2 : text.length;
  if (units > most) throw noRoom(place, most, Math.ceil(units));
  if (form === 'b') {
    if (/[^0-9a-f]/.test(text) || text.length % 2 !== 0)
      throw new EncodeError(place, 'takes bytes, and text is needed');
    return 'length' in size ? text.padEnd(2 * most, '0') : text;
  }
  if (form === 'n' && !isDigits(text)) throw new EncodeError(place, 'takes digits, and text is needed');
  if (form === 'n') return 'length' in size ? text.padStart(most, '0') : text;
  return 'length' in size ? text.padEnd(most) : text;
}

function noRoom(place: string, most: number, needed: number): EncodeError {
  return new EncodeError(place, `has room for ${most} characters, and ${needed} are needed`);
}

function ofForm({ form }: Element, text: string): boolean {
  if (form === 'b') return true;
  return form === 'n' ? isDigits(text) : !hasControl(text);
}

function bytesOf({ form }: Element, text: string): Buffer {
  return Buffer.from(text, form === 'b' ? 'hex' : 'latin1');
}

/** Two digits in a byte. */
export function pack(digits: string, packing: 'left' | 'right'): Buffer {
  const isOdd = digits.length % 2 !== 0;
  if (!isOdd) return Buffer.from(digits, 'hex');
  return Buffer.from(packing === 'left' ? `0${digits}` : `${digits}f`, 'hex');
}

/** So many digits out of bytes. What fills the last byte up is not looked at: some have a zero where others have an F. */
export function unpack(bytes: Buffer, count: number, packing: 'left' | 'right'): string {
  const text = bytes.toString('hex');
  return packing === 'left' ? text.slice(text.length - count) : text.slice(0, count);
}

/** Whether a text has no other characters than digits. */
export function isDigits(text: string): boolean {
  return !/[^0-9]/.test(text);
}

/** Names are spelled when a message is composed. What is left, such as what a host told us and we repeat, keeps its length. */
function printable(text: string, characters: CharacterSet): string {
  return text.replace(characters === 'latin1' ? /[^\x20-\x7e\xa0-\xff]/g : /[^\x20-\x7e]/g, '?');
}

/** Without the blanks at its end. A pattern would look at a row of blanks in the middle again and again. */
function withoutBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(0, end);
}
