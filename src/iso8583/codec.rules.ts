import type { CharacterSet } from '../kit/characters.ts';
import { Secret } from '../kit/secret.ts';
import type { Dialect, FieldForm, FieldName, FrameHeader } from './dialects/dialect.types.ts';
import { FIELD_NAMES } from './dialects/dialect.types.ts';
import { EncodeError, FRAME_BYTES, framed, frameSplitter, ProtocolError } from './frames.rules.ts';
import type { Codec, Message, Value } from './messages.types.ts';
import { hasControl, privateDataCodec, type ReadTags } from './private-data.rules.ts';

/** A field with its name. */
type Field = FieldForm & { readonly name: FieldName };

/** What no dialect may show: PCI DSS 4.0.1, 3.4. */
const SECRET_FIELDS: readonly FieldName[] = ['cardNumber'];

const TYPE_CHARACTERS = 4;
/** Bytes of one bitmap. */
const BITMAP_BYTES = 8;

/** A dialect as what encodes and decodes. Each message takes time and memory as it is long. */
export function codecFor(dialect: Dialect): Codec {
  const { header } = dialect;
  const fields = FIELD_NAMES.map((name): Field => ({ name, ...dialect.fields[name] })).sort(
    (a, b) => a.number - b.number,
  );
  const byNumber = new Map(fields.map((field) => [field.number, field]));
  const spans = new Map(dialect.otherFields.map((span) => [span.number, span]));
  const privateData = privateDataCodec(dialect.f48);

  function encode(message: Message): Buffer {
    const texts = new Map<Field, string>();
    for (const field of fields) {
      const text = field.name === 'privateData' ? privateData.write(message.tags) : reveal(message.fields[field.name]);
      if (text !== undefined) texts.set(field, write(field, text, dialect.characters));
    }
    const bitmap = writeBitmap(
      header,
      [...texts.keys()].map(({ number }) => number),
    );
    const body = Buffer.concat([
      Buffer.from(message.type, 'latin1'),
      bitmap,
      Buffer.from([...texts.values()].join(''), 'latin1'),
    ]);
    if (body.length > FRAME_BYTES) throw new EncodeError('the message', `has more than ${FRAME_BYTES} bytes`);
    return framed(header, body);
  }

  function decode(frame: Buffer): Message {
    const reader = readerOf(frame);
    if (reader.take(header.prefix.length / 2).toString('hex') !== header.prefix) {
      throw new ProtocolError('another prefix');
    }
    const type = reader.take(TYPE_CHARACTERS).toString('latin1');
    if (!isDigits(type)) throw new ProtocolError('no type');
    const values: Partial<Record<FieldName, Value>> = {};
    const others: number[] = [];
    const unreadable: number[] = [];
    let tags: ReadTags | undefined;
    for (const number of readBitmap(header, reader)) {
      const field = byNumber.get(number);
      const span = field ?? spans.get(number);
      if (span === undefined) throw new ProtocolError('field not known', number);
      const bytes = reader.take('length' in span ? span.length : readLength(span, reader), number);
      if (field === undefined) {
        others.push(number);
        continue;
      }
      if (field.name === 'privateData') {
        tags = privateData.read(bytes.toString('latin1'));
        if (tags === undefined) unreadable.push(number);
        continue;
      }
      const text = read(field, bytes);
      if (text === undefined) unreadable.push(number);
      else values[field.name] = SECRET_FIELDS.includes(field.name) ? new Secret(text) : text;
    }
    if (!reader.isAtEnd()) throw new ProtocolError('bytes left over');
    const message = { type, fields: values, tags: tags?.values ?? {} };
    const tagHabits = tags?.habits ?? [];
    const isPlain = others.length === 0 && unreadable.length === 0 && tagHabits.length === 0;
    return isPlain ? message : { ...message, notes: { others, unreadable, tagHabits } };
  }

  return { encode, decode, splitter: (note) => frameSplitter(header, note) };
}

/** Reads pieces of a frame, one after another. */
interface Reader {
  take(bytes: number, field?: number): Buffer;
  isAtEnd(): boolean;
}

function readerOf(frame: Buffer): Reader {
  let at = 0;
  return {
    take(bytes, field) {
      if (at + bytes > frame.length) throw new ProtocolError('bytes missing', field);
      at += bytes;
      return frame.subarray(at - bytes, at);
    },
    isAtEnd: () => at === frame.length,
  };
}

/** The numbers of the fields that follow. Bit 1 says that there is a second bitmap. */
function readBitmap({ bitmap }: FrameHeader, reader: Reader): readonly number[] {
  const one = (): Buffer => {
    if (bitmap === 'binary') return reader.take(BITMAP_BYTES);
    const digits = reader.take(2 * BITMAP_BYTES).toString('latin1');
    if (!/^[0-9A-Fa-f]{16}$/.test(digits)) throw new ProtocolError('not digits', 1);
    return Buffer.from(digits, 'hex');
  };
  const first = one();
  const bytes = hasBit(first, 1) ? Buffer.concat([first, one()]) : first;
  const numbers: number[] = [];
  for (let number = 2; number <= bytes.length * 8; number++) if (hasBit(bytes, number)) numbers.push(number);
  return numbers;
}

function hasBit(bytes: Buffer, number: number): boolean {
  return ((bytes[(number - 1) >> 3] ?? 0) & (0x80 >> ((number - 1) & 7))) !== 0;
}

function writeBitmap({ bitmap }: FrameHeader, numbers: readonly number[]): Buffer {
  const isLong = numbers.some((number) => number > 8 * BITMAP_BYTES);
  const bytes = Buffer.alloc(isLong ? 2 * BITMAP_BYTES : BITMAP_BYTES);
  for (const number of isLong ? [1, ...numbers] : numbers) {
    const place = (number - 1) >> 3;
    bytes[place] = (bytes[place] ?? 0) | (0x80 >> ((number - 1) & 7));
  }
  return bitmap === 'binary' ? bytes : Buffer.from(bytes.toString('hex').toUpperCase(), 'latin1');
}

/** What a field says; undefined where it is of another form. */
function read(field: Field, bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1');
  if ('most' in field && text.length > field.most) return undefined;
  if (field.form === 'n') return isDigits(text) ? text : undefined;
  if (hasControl(text)) return undefined;
  return 'length' in field ? withoutBlanks(text) : text;
}

function readLength({ lengthDigits, number }: { lengthDigits: number; number: number }, reader: Reader): number {
  const digits = reader.take(lengthDigits, number).toString('latin1');
  if (!isDigits(digits)) throw new ProtocolError('not digits', number);
  return Number(digits);
}

function write(field: Field, text: string, characters: CharacterSet): string {
  const { form, name } = field;
  const most = 'length' in field ? field.length : field.most;
  if (text.length > most) {
    throw new EncodeError(`fields.${name}`, `has room for ${most} characters, and ${text.length} are needed`);
  }
  if (form === 'n' && !isDigits(text)) throw new EncodeError(`fields.${name}`, 'takes digits, and text is needed');
  if ('length' in field) return form === 'n' ? text.padStart(most, '0') : printable(text, characters).padEnd(most);
  return String(text.length).padStart(field.lengthDigits, '0') + printable(text, characters);
}

function reveal(value: Value | undefined): string | undefined {
  return value instanceof Secret ? value.reveal() : value;
}

function isDigits(text: string): boolean {
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
