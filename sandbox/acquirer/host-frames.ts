import type {
  ComposedField,
  Dialect,
  Element,
  FieldName,
  TagName,
  ValueName,
} from '../../src/iso8583/dialects/dialect.types.ts';
import { TAG_NAMES } from '../../src/iso8583/dialects/dialect.types.ts';
import { Bytes, packingOf, printField, readField, UnreadableFrame, type Values } from './host-elements.ts';

/**
 * The test acquirer's own reading and writing of frames. It shares the dialect's table with the service and none of its
 * code, so that a mistake there is not one here too.
 */

/** A message as the host has it: everything is text. */
export interface HostMessage {
  type: string;
  fields: Partial<Record<FieldName, string>>;
  tags: Partial<Record<TagName, string>>;
  /** Fields that the dialect has no name for, by their numbers. */
  others?: Readonly<Record<number, string>>;
  hasTagsBackwards?: boolean;
  /** A tag that is written once more behind all others. */
  repeatsTag?: TagName;
  /** What stands behind the last tag. */
  tagPadding?: string;
}

/** The message authentication code of some bytes, where a key is agreed. */
export type HostMac = (message: Buffer) => Buffer;

const LONGEST = 4096;

/** Takes whole frames out of what has come so far, and gives back the rest. */
export function cutFrames(
  { header }: Dialect,
  pending: Buffer,
): { readonly frames: readonly Buffer[]; readonly rest: Buffer } {
  const { lengthBytes, countsItself, lengthForm } = header;
  const frames: Buffer[] = [];
  let start = 0;
  while (pending.length - start >= lengthBytes) {
    const told =
      lengthForm === 'digits'
        ? Number(pending.toString('latin1', start, start + lengthBytes))
        : pending.readUIntBE(start, lengthBytes);
    const length = told - (countsItself ? lengthBytes : 0);
    if (!(length <= LONGEST)) throw new UnreadableFrame('too long');
    if (length <= 0) start += lengthBytes;
    else if (pending.length - start - lengthBytes < length) break;
    else {
      frames.push(pending.subarray(start + lengthBytes, start + lengthBytes + length));
      start += lengthBytes + length;
    }
  }
  return { frames, rest: pending.subarray(start) };
}

type Field = { readonly number: number } & (({ readonly name: ValueName } & Element) | ComposedField);

/** All fields of a dialect that hold values. */
function fieldsOf({ fields, composed = [], f48 }: Dialect): readonly Field[] {
  const named = Object.entries(fields).map(
    ([name, form]): Field =>
      name === 'privateData' && f48 !== undefined ? { ...form, tags: f48 } : { ...form, name: name as FieldName },
  );
  return [...named, ...composed].sort((a, b) => a.number - b.number);
}

/** What a frame says. */
export function parseFrame(dialect: Dialect, frame: Buffer, mac?: HostMac): HostMessage {
  const { header, mac: sealing } = dialect;
  const packing = packingOf(dialect);
  const prefixBytes = header.prefix.length / 2;
  if (frame.subarray(0, prefixBytes).toString('hex') !== header.prefix) throw new UnreadableFrame('prefix');
  const end = frame.length - (mac === undefined ? 0 : (sealing?.bytes ?? 0));
  const sealed = frame.subarray(prefixBytes, Math.max(prefixBytes, end));
  if (mac !== undefined && !mac(sealed).equals(frame.subarray(end))) throw new UnreadableFrame('mac');
  const bytes = new Bytes(sealed);
  const type = packing.type ? bytes.next(2).toString('hex') : bytes.next(4).toString('latin1');
  const isHex = header.bitmap === 'hex';
  const first = bytes.bits(isHex);
  const numbers = first.includes(1) ? [...first, ...bytes.bits(isHex).map((bit) => bit + 64)] : first;
  const table = new Map(fieldsOf(dialect).map((field) => [field.number, field]));
  const values: Values = {};
  for (const number of numbers) {
    if (number === 1 || (mac !== undefined && number === numbers.at(-1))) continue;
    const field = table.get(number);
    if (field === undefined) throw new UnreadableFrame(`field ${number}`);
    Object.assign(values, { ...readField(field, bytes, packing), ...values });
  }
  if (!bytes.isAtEnd) throw new UnreadableFrame('long');
  return { type, ...splitValues(values) };
}

function splitValues(values: Values): Pick<HostMessage, 'fields' | 'tags'> {
  const isTag = ([name]: readonly [string, unknown]) => (TAG_NAMES as readonly string[]).includes(name);
  const entries = Object.entries(values);
  return {
    fields: Object.fromEntries(entries.filter((entry) => !isTag(entry))),
    tags: Object.fromEntries(entries.filter(isTag)),
  };
}

/** The bytes of a message, with its header. */
export function printFrame(dialect: Dialect, printed: HostMessage, mac?: HostMac): Buffer {
  const { type, fields, tags, others = {}, hasTagsBackwards = false, repeatsTag, tagPadding = '' } = printed;
  const { header } = dialect;
  const packing = packingOf(dialect);
  const manner = { isBackwards: hasTagsBackwards, repeats: repeatsTag, padding: tagPadding };
  const named = fieldsOf(dialect).map((field) => ({
    number: field.number,
    bytes: printField(field, { ...tags, ...fields }, packing, manner),
  }));
  const added = dialect.otherFields.map((span) => {
    const value = others[span.number];
    const sized = 'length' in span ? span : { lengthDigits: span.lengthDigits, most: LONGEST };
    const field = { form: 'ans', name: 'additionalText', ...sized } as const;
    return { number: span.number, bytes: value && printField(field, { additionalText: value }, packing) };
  });
  const present = [...named, ...added].filter(({ bytes }) => bytes).sort((a, b) => a.number - b.number);
  const numbers = present.map(({ number }) => number);
  const isLong = numbers.some((number) => number > 64);
  if (mac !== undefined) numbers.push(isLong ? 128 : 64);
  const width = isLong ? 128 : 64;
  const bitmap = numbers.reduce((sum, number) => sum | (1n << BigInt(width - number)), isLong ? 1n << 127n : 0n);
  const bitmapHex = bitmap.toString(16).padStart(width / 4, '0');
  const body = Buffer.concat([
    Buffer.from(type, packing.type ? 'hex' : 'latin1'),
    header.bitmap === 'hex' ? Buffer.from(bitmapHex.toUpperCase()) : Buffer.from(bitmapHex, 'hex'),
    ...present.map(({ bytes }) => bytes as Buffer),
  ]);
  const message = Buffer.concat([
    Buffer.from(header.answerPrefix ?? header.prefix, 'hex'),
    body,
    ...(mac === undefined ? [] : [mac(body)]),
  ]);
  const length = message.length + (header.countsItself ? header.lengthBytes : 0);
  return Buffer.concat([printFrameLength(header, length), message]);
}

/** What stands before a frame. */
export function printFrameLength({ lengthBytes, lengthForm }: Dialect['header'], length: number): Buffer {
  if (lengthForm === 'digits') return Buffer.from(String(length).padStart(lengthBytes, '0'));
  const bytes = Buffer.alloc(lengthBytes);
  bytes.writeUIntBE(length, 0, lengthBytes);
  return bytes;
}
