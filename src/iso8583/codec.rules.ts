import { Secret } from '../kit/secret.ts';
import { bitsIn, composedCodec, type FieldCodec, revealed, setBit, type ValueIn } from './composed.rules.ts';
import {
  type Dialect,
  FIELD_NAMES,
  type FieldForm,
  type FieldName,
  type FrameHeader,
  type ValueName,
} from './dialects/dialect.types.ts';
import { type ElementCodec, elementCodec, isDigits, type Reader, readerOf, UNPACKED } from './elements.rules.ts';
import { EncodeError, FRAME_BYTES, framed, frameSplitter, ProtocolError } from './frames.rules.ts';
import type { Codec, FrameNotes, Message, MessageMac, TagHabit, Value } from './messages.types.ts';
import { sealOf } from './seal.rules.ts';

/** A field at work, with its number. */
type NumberedField = FieldCodec & { readonly number: number };

/** What no dialect may show: PCI DSS 4.0.1, 3.3 and 3.4. */
const SECRETS: readonly ValueName[] = ['cardNumber', 'updatedNumber', 'cvc', 'authenticationValue'];

/** Characters of a type, which are half as many bytes where they are packed. */
const TYPE_CHARACTERS = 4;
/** Bytes of one bitmap. */
const BITMAP_BYTES = 8;

/**
 * A dialect as what encodes and decodes. Each message takes time and memory as it is long.
 *
 * @param mac with which messages are sealed, where the dialect says so
 */
export function codecFor(dialect: Dialect, mac?: MessageMac): Codec {
  const { header, packing = UNPACKED, repeatDigit } = dialect;
  const fields = fieldsOf(dialect);
  const readFields = fieldReader(dialect, fields);
  const seal = sealOf(mac);
  const typeBytes = packing.type ? TYPE_CHARACTERS / 2 : TYPE_CHARACTERS;
  const typeForm = packing.type ? 'hex' : 'latin1';
  const typeAt = header.lengthBytes + header.prefix.length / 2;
  const answerPrefix = header.answerPrefix ?? header.prefix;

  function encode(message: Message): Buffer {
    const valueIn: ValueIn = (name) =>
      message.fields[name as keyof Message['fields']] ?? message.tags[name as keyof Message['tags']];
    const written = fields.flatMap((field) => {
      const bytes = field.write(valueIn);
      return bytes === undefined ? [] : [{ number: field.number, bytes }];
    });
    const body = Buffer.concat([
      Buffer.from(message.type, typeForm),
      writeBitmap(header, seal.with(written.map(({ number }) => number))),
      ...written.map(({ bytes }) => bytes),
      ...seal.room,
    ]);
    if (body.length > FRAME_BYTES) throw new EncodeError('the message', `has more than ${FRAME_BYTES} bytes`);
    return seal.close(framed(header, body), typeAt);
  }

  function repeatOf(first: Buffer): Buffer {
    const bytes = Buffer.from(first);
    const place = typeAt + typeBytes - 1;
    if (packing.type) bytes[place] = ((bytes[place] ?? 0) & 0xf0) | Number(repeatDigit);
    else bytes.write(repeatDigit, place, 'latin1');
    return seal.close(bytes, typeAt);
  }

  function decode(frame: Buffer): Message {
    if (
      readerOf(frame)
        .take(answerPrefix.length / 2)
        .toString('hex') !== answerPrefix
    ) {
      throw new ProtocolError('another prefix');
    }
    const reader = readerOf(seal.open(frame.subarray(answerPrefix.length / 2)));
    const type = reader.take(typeBytes).toString(typeForm);
    if (!isDigits(type)) throw new ProtocolError('no type');
    const { values, notes } = readFields(seal.without(readBitmap(header, reader)), reader);
    if (!reader.isAtEnd()) throw new ProtocolError('bytes left over');
    const message: Message = { type, ...sorted(values) };
    const isPlain = Object.values(notes).every((noted) => noted.length === 0);
    return isPlain ? message : { ...message, notes };
  }

  return { encode, decode, repeatOf, splitter: (note) => frameSplitter(header, note) };
}

type Values = Readonly<Partial<Record<ValueName, Value>>>;

/** Reads the fields of a message, and notes what is odd in them. */
function fieldReader(dialect: Dialect, fields: readonly NumberedField[]) {
  const { otherFields, characters, packing = UNPACKED } = dialect;
  const elements = elementCodec({ ...packing, characters });
  const byNumber = new Map(fields.map((field) => [field.number, field]));
  const spans = new Map(otherFields.map((span) => [span.number, span]));

  function skip(number: number, reader: Reader): void {
    const span = spans.get(number);
    if (span === undefined) throw new ProtocolError('field not known', number);
    if ('length' in span) return void reader.take(span.length, number);
    const units = elements.readLength(span.lengthDigits, reader, number);
    reader.take(span.packed === true ? (units + 1) >> 1 : units, number);
  }

  return (numbers: readonly number[], reader: Reader): { readonly values: Values; readonly notes: FrameNotes } => {
    const values: Partial<Record<ValueName, Value>> = {};
    const others: number[] = [];
    const unreadable: number[] = [];
    const tagHabits: TagHabit[] = [];
    for (const number of numbers) {
      const field = byNumber.get(number);
      if (field === undefined) {
        skip(number, reader);
        others.push(number);
        continue;
      }
      const read = field.read(reader);
      if (read === undefined) unreadable.push(number);
      for (const [name, value] of Object.entries(read?.values ?? {}) as [ValueName, string][]) {
        values[name] ??= SECRETS.includes(name) ? new Secret(value) : value;
      }
      tagHabits.push(...(read?.habits ?? []));
    }
    return { values, notes: { others, unreadable, tagHabits } };
  };
}

/** All fields of a dialect that have names, in the order of their numbers. */
function fieldsOf(dialect: Dialect): readonly NumberedField[] {
  const { f48, fields, composed = [], characters, packing = UNPACKED } = dialect;
  const writing = { ...packing, characters };
  const elements = elementCodec(writing);
  const single = FIELD_NAMES.flatMap((name): NumberedField[] => {
    const form = fields[name];
    if (form === undefined) return [];
    const place = `fields.${name}`;
    if (name !== 'privateData' || f48 === undefined)
      return [{ number: form.number, ...singleField(name, form, elements) }];
    return [
      { number: form.number, ...composedCodec({ ...form, tags: f48 }, writing, { field: place, values: 'f48' }) },
    ];
  });
  const several = composed.map((field, index) => {
    const place = `composed[${index}]`;
    return { number: field.number, ...composedCodec(field, writing, { field: place, values: place }) };
  });
  return [...single, ...several].sort((a, b) => a.number - b.number);
}

function singleField(name: FieldName, form: FieldForm, elements: ElementCodec): FieldCodec {
  return {
    write(valueIn) {
      const value = revealed(valueIn(name));
      return value === undefined ? undefined : elements.write(form, value, `fields.${name}`);
    },
    read(reader) {
      const value = elements.read(form, reader, form.number);
      return value === undefined ? undefined : { values: { [name]: value }, habits: [] };
    },
  };
}

/** Values as a message has them: tags by themselves. */
function sorted(values: Values): Pick<Message, 'fields' | 'tags'> {
  const fields: Record<string, Value> = {};
  const tags: Record<string, Value> = {};
  for (const [name, value] of Object.entries(values)) (FIELDS.has(name) ? fields : tags)[name] = value;
  return { fields, tags };
}

const FIELDS: ReadonlySet<string> = new Set(FIELD_NAMES);

/** The numbers of the fields that follow. Bit 1 says that there is a second bitmap. */
function readBitmap({ bitmap }: FrameHeader, reader: Reader): readonly number[] {
  const one = (): Buffer => {
    if (bitmap === 'binary') return reader.take(BITMAP_BYTES);
    const digits = reader.take(2 * BITMAP_BYTES).toString('latin1');
    if (!/^[0-9A-Fa-f]{16}$/.test(digits)) throw new ProtocolError('not digits', 1);
    return Buffer.from(digits, 'hex');
  };
  const first = bitsIn(one());
  if (first[0] !== 1) return first;
  return [...first.slice(1), ...bitsIn(one()).map((bit) => bit + 8 * BITMAP_BYTES)];
}

function writeBitmap({ bitmap }: FrameHeader, numbers: readonly number[]): Buffer {
  const isLong = numbers.some((number) => number > 8 * BITMAP_BYTES);
  const bytes = Buffer.alloc(isLong ? 2 * BITMAP_BYTES : BITMAP_BYTES);
  for (const number of isLong ? [1, ...numbers] : numbers) setBit(bytes, number);
  return bitmap === 'binary' ? bytes : Buffer.from(bytes.toString('hex').toUpperCase(), 'latin1');
}
