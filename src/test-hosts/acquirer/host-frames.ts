import type { Dialect, FieldName, TagName } from '../../iso8583/dialects/dialect.types.ts';

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

/** A frame that cannot be read: the host closes the line. */
export class UnreadableFrame extends Error {
  override readonly name = 'UnreadableFrame';
}

const LONGEST = 4096;

/** Takes whole frames out of what has come so far, and gives back the rest. */
export function cutFrames(
  dialect: Dialect,
  pending: Buffer,
): { readonly frames: readonly Buffer[]; readonly rest: Buffer } {
  const { lengthBytes, countsItself } = dialect.header;
  const frames: Buffer[] = [];
  let start = 0;
  while (pending.length - start >= lengthBytes) {
    const length = pending.readUIntBE(start, lengthBytes) - (countsItself ? lengthBytes : 0);
    if (length > LONGEST) throw new UnreadableFrame('too long');
    if (length <= 0) start += lengthBytes;
    else if (pending.length - start - lengthBytes < length) break;
    else {
      frames.push(pending.subarray(start + lengthBytes, start + lengthBytes + length));
      start += lengthBytes + length;
    }
  }
  return { frames, rest: pending.subarray(start) };
}

/** What a frame says. */
export function parseFrame(dialect: Dialect, frame: Buffer): HostMessage {
  const text = frame.toString('latin1');
  let at = dialect.header.prefix.length / 2;
  if (frame.subarray(0, at).toString('hex') !== dialect.header.prefix) throw new UnreadableFrame('prefix');
  const next = (count: number): string => {
    if (at + count > text.length) throw new UnreadableFrame('short');
    at += count;
    return text.slice(at - count, at);
  };
  const message: HostMessage = { type: next(4), fields: {}, tags: {} };
  const table = new Map(Object.entries(dialect.fields).map(([name, form]) => [form.number, { name, form }]));
  const bits = (): string => {
    const raw = dialect.header.bitmap === 'hex' ? next(16) : Buffer.from(next(8), 'latin1').toString('hex');
    return BigInt(`0x${raw}`).toString(2).padStart(64, '0');
  };
  let bitmap = bits();
  if (bitmap[0] === '1') bitmap += bits();
  for (let number = 2; number <= bitmap.length; number++) {
    if (bitmap[number - 1] !== '1') continue;
    const entry = table.get(number);
    if (entry === undefined) throw new UnreadableFrame(`field ${number}`);
    const { form } = entry;
    const value = next('length' in form ? form.length : Number(next(form.lengthDigits)));
    if (form.form === 'n' && !/^[0-9]*$/.test(value)) throw new UnreadableFrame(`field ${number}`);
    if (entry.name === 'privateData') message.tags = parseTags(dialect, value);
    else message.fields[entry.name as FieldName] = 'length' in form && form.form !== 'n' ? value.trimEnd() : value;
  }
  if (at !== text.length) throw new UnreadableFrame('long');
  return message;
}

function parseTags({ f48 }: Dialect, value: string): HostMessage['tags'] {
  const names = new Map(Object.entries(f48.tags).map(([name, { tag }]) => [tag, name as TagName]));
  const tags: HostMessage['tags'] = {};
  let last = '';
  for (let at = 0; at < value.length; ) {
    const tag = value.slice(at, at + f48.tagCharacters);
    at += f48.tagCharacters;
    const length = Number(value.slice(at, at + f48.lengthDigits));
    at += f48.lengthDigits;
    if (!Number.isInteger(length) || at + length > value.length || tag <= last) throw new UnreadableFrame('tags');
    const name = names.get(tag);
    if (name !== undefined) tags[name] = value.slice(at, at + length);
    at += length;
    last = tag;
  }
  return tags;
}

/** The bytes of a message, with its header. */
export function printFrame(dialect: Dialect, printed: HostMessage): Buffer {
  const { type, fields, tags, others = {}, hasTagsBackwards = false, repeatsTag, tagPadding = '' } = printed;
  const { header, f48 } = dialect;
  const sorted = Object.entries(tags)
    .map(([name, value]) => ({ tag: f48.tags[name as TagName].tag, value }))
    .sort((a, b) => (a.tag < b.tag === hasTagsBackwards ? 1 : -1));
  const repeated = sorted.filter(({ tag }) => repeatsTag !== undefined && tag === f48.tags[repeatsTag].tag);
  const tagText =
    [...sorted, ...repeated]
      .map(({ tag, value }) => tag + String(value.length).padStart(f48.lengthDigits, '0') + value)
      .join('') + tagPadding;
  const named = Object.entries({ ...fields, ...(tagText === '' ? {} : { privateData: tagText }) }).map(
    ([name, value]) => ({ form: dialect.fields[name as FieldName], value }),
  );
  const added = dialect.otherFields.flatMap((span) => {
    const value = others[span.number];
    return value === undefined ? [] : [{ form: { form: 'ans', ...span } as const, value }];
  });
  const present = [...named, ...added].sort((a, b) => a.form.number - b.form.number);
  let bitmap = 0n;
  const width = present.some(({ form }) => form.number > 64) ? 128 : 64;
  if (width === 128) bitmap |= 1n << 127n;
  for (const { form } of present) bitmap |= 1n << BigInt(width - form.number);
  const bitmapHex = bitmap.toString(16).padStart(width / 4, '0');
  const body = present
    .map(({ form, value }) => {
      if (!('length' in form)) return String(value.length).padStart(form.lengthDigits, '0') + value;
      return form.form === 'n' ? value.padStart(form.length, '0') : value.padEnd(form.length);
    })
    .join('');
  const message = Buffer.concat([
    Buffer.from(header.prefix, 'hex'),
    Buffer.from(type, 'latin1'),
    header.bitmap === 'hex' ? Buffer.from(bitmapHex.toUpperCase()) : Buffer.from(bitmapHex, 'hex'),
    Buffer.from(body, 'latin1'),
  ]);
  const length = Buffer.alloc(header.lengthBytes);
  length.writeUIntBE(message.length + (header.countsItself ? header.lengthBytes : 0), 0, header.lengthBytes);
  return Buffer.concat([length, message]);
}
