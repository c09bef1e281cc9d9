import { Secret } from '../kit/secret.ts';
import type { ComposedField, Element, Part, ValueName } from './dialects/dialect.types.ts';
import { type ElementCodec, elementCodec, type Reader, readerOf, UNPACKED, type Writing } from './elements.rules.ts';
import { ProtocolError } from './frames.rules.ts';
import type { TagHabit, Value } from './messages.types.ts';
import { privateDataCodec } from './private-data.rules.ts';

/** Finds a value of a message. */
export type ValueIn = (name: ValueName) => Value | undefined;

/** What a field has said. */
export interface ReadValues {
  readonly values: Readonly<Partial<Record<ValueName, string>>>;
  readonly habits: readonly TagHabit[];
}

/** The bytes of one field that holds several values. */
export interface FieldCodec {
  /** Undefined where there is nothing to write. */
  write(valueIn: ValueIn): Buffer | undefined;
  /** Undefined where it is of another form. */
  read(reader: Reader): ReadValues | undefined;
}

const BITMAP_BYTES = 8;

/** @param place where the dialect describes the field, and what is in it */
export function composedCodec(
  field: ComposedField,
  writing: Writing,
  place: { readonly field: string; readonly values: string },
): FieldCodec {
  const elements = elementCodec(writing);
  const text = asText(field);
  /** Parts of a text are text. */
  const inside = text === undefined ? elements : elementCodec({ ...UNPACKED, characters: writing.characters });
  const content = contentCodec(field, inside, place.values);
  return {
    write(valueIn) {
      const bytes = content.write(valueIn);
      if (bytes === undefined) return undefined;
      return text === undefined
        ? elements.writeBytes(field, bytes, place.field)
        : elements.write(text, bytes.toString('latin1'), place.field);
    },
    read(reader) {
      const isBytes = text === undefined || 'tags' in field;
      const bytes = isBytes ? elements.readBytes(field, reader, field.number) : textIn(text, reader);
      return bytes === undefined ? undefined : unlessTorn(() => content.read(bytes));
    },
  };

  function textIn(element: Element, reader: Reader): Buffer | undefined {
    const read = elements.read(element, reader, field.number);
    // Blanks at the end are those of its last part.
    return read === undefined
      ? undefined
      : Buffer.from('length' in element ? read.padEnd(element.length) : read, 'latin1');
  }
}

/** As one value, where its parts make a text. */
function asText({ form, packed, ...size }: ComposedField): Element | undefined {
  if (form === 'b') return undefined;
  const spanned = 'length' in size ? { length: size.length } : { lengthDigits: size.lengthDigits, most: size.most };
  return { form, ...spanned, ...(packed === undefined ? {} : { packed }) };
}

function contentCodec(field: ComposedField, elements: ElementCodec, place: string): ContentCodec {
  if ('tags' in field) return tagsCodec(field.tags, place);
  return 'bits' in field ? bitsCodec(field.bits, elements, place) : partsCodec(field.parts, elements, place);
}

interface ContentCodec {
  write(valueIn: ValueIn): Buffer | undefined;
  read(bytes: Buffer): ReadValues | undefined;
}

function tagsCodec(tags: Extract<ComposedField, { tags: unknown }>['tags'], place: string): ContentCodec {
  const codec = privateDataCodec(tags, place);
  return {
    write(valueIn) {
      const text = codec.write(valueIn);
      return text === undefined ? undefined : Buffer.from(text, 'latin1');
    },
    read: (bytes) => codec.read(bytes.toString('latin1')),
  };
}

function partsCodec(parts: readonly Part[], elements: ElementCodec, place: string): ContentCodec {
  return {
    write(valueIn) {
      const values = parts.map((part) => valueOfPart(part, valueIn));
      if (values.includes(undefined)) return undefined;
      return Buffer.concat(parts.map((part, index) => elements.write(part, values[index] ?? '', placeOf(part, place))));
    },
    read(bytes) {
      const reader = readerOf(bytes);
      return readParts(parts, reader, elements);
    },
  };
}

function bitsCodec(bits: Readonly<Record<string, Part>>, elements: ElementCodec, place: string): ContentCodec {
  const known = Object.entries(bits)
    .map(([bit, part]) => ({ bit: Number(bit), part }))
    .sort((a, b) => a.bit - b.bit);
  const byBit = new Map(known.map(({ bit, part }) => [bit, part]));
  return {
    write(valueIn) {
      const there = known.filter(({ part }) => valueOfPart(part, valueIn) !== undefined);
      if (there.every(({ part }) => 'literal' in part)) return undefined;
      const bitmap = Buffer.alloc(BITMAP_BYTES);
      for (const { bit } of there) setBit(bitmap, bit);
      const written = there.map(({ part }) =>
        elements.write(part, valueOfPart(part, valueIn) ?? '', placeOf(part, place)),
      );
      return Buffer.concat([bitmap, ...written]);
    },
    read(bytes) {
      const reader = readerOf(bytes);
      const there = bitsIn(reader.take(BITMAP_BYTES)).map((bit) => byBit.get(bit));
      // How far an unknown one reaches is not known either.
      return there.includes(undefined)
        ? undefined
        : readParts(
            there.filter((part) => part !== undefined),
            reader,
            elements,
          );
    },
  };
}

function valueOfPart(part: Part, valueIn: ValueIn): string | undefined {
  if ('literal' in part) return part.literal;
  return revealed(valueIn(part.name));
}

/** What is sent of a value, secret or not. */
export function revealed(value: Value | undefined): string | undefined {
  return value instanceof Secret ? value.reveal() : value;
}

function placeOf(part: Part, place: string): string {
  return 'name' in part ? `${place}.${part.name}` : place;
}

function readParts(parts: readonly Part[], reader: Reader, elements: ElementCodec): ReadValues | undefined {
  const values: Partial<Record<ValueName, string>> = {};
  for (const part of parts) {
    const value = elements.read(part, reader, 0);
    if ('literal' in part) continue;
    if (value === undefined) return undefined;
    values[part.name] = value;
  }
  return reader.isAtEnd() ? { values, habits: [] } : undefined;
}

/** What is wrong inside a field whose end is known is no fault of the frame. */
function unlessTorn<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

/** The bits that are set, from 1. */
export function bitsIn(bitmap: Buffer): readonly number[] {
  const bits: number[] = [];
  for (let bit = 1; bit <= bitmap.length * 8; bit++) {
    if (((bitmap[(bit - 1) >> 3] ?? 0) & (0x80 >> ((bit - 1) & 7))) !== 0) bits.push(bit);
  }
  return bits;
}

/** Sets a bit, from 1. */
export function setBit(bitmap: Buffer, bit: number): void {
  const place = (bit - 1) >> 3;
  bitmap[place] = (bitmap[place] ?? 0) | (0x80 >> ((bit - 1) & 7));
}
