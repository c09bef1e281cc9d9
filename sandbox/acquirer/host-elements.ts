import type {
  ComposedField,
  Dialect,
  DialectPacking,
  Element,
  Part,
  PrivateData,
  ValueName,
} from '../../src/iso8583/dialects/dialect.types.ts';

/** The test acquirer's own reading and writing of values: nothing of it is shared with the service. */

/** A frame that cannot be read: the host closes the line. */
export class UnreadableFrame extends Error {
  override readonly name = 'UnreadableFrame';
}

/** Values by their names. */
export type Values = Partial<Record<ValueName, string>>;

/** How the tags of an answer are written. */
export interface TagManner {
  readonly isBackwards: boolean;
  /** One that is written once more behind all others. */
  readonly repeats: ValueName | undefined;
  readonly padding: string;
}

const PLAIN: DialectPacking = { type: false, lengths: false, numbers: 'no' };
const IN_ORDER: TagManner = { isBackwards: false, repeats: undefined, padding: '' };

/** How a dialect packs. */
export function packingOf({ packing }: Dialect): DialectPacking {
  return packing ?? PLAIN;
}

/** Bytes that are read from the left to the right. */
export class Bytes {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  next(count: number): Buffer {
    const end = this.#at + count;
    if (!(end <= this.#bytes.length)) throw new UnreadableFrame('short');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** The numbers of the bits that are set in the next eight bytes. */
  bits(isHex: boolean): number[] {
    const hex = isHex ? this.next(16).toString('latin1') : this.next(8).toString('hex');
    const bits = BigInt(`0x${hex}`).toString(2).padStart(64, '0');
    return [...bits].flatMap((bit, index) => (bit === '1' ? [index + 1] : []));
  }
}

/** How many characters, digits or bytes follow. */
function lengthOf(size: Element | ComposedField, bytes: Bytes, packing: DialectPacking): number {
  if ('length' in size) return size.length;
  const told = packing.lengths
    ? bytes.next(Math.ceil(size.lengthDigits / 2)).toString('hex')
    : bytes.next(size.lengthDigits).toString('latin1');
  if (!/^[0-9]+$/.test(told)) throw new UnreadableFrame('length');
  return Number(told);
}

function rawText(element: Element, bytes: Bytes, packing: DialectPacking): string {
  const count = lengthOf(element, bytes, packing);
  if (element.form === 'b') return bytes.next(count).toString('hex');
  const packed = element.packed ?? packing.numbers;
  if (element.form !== 'n' || packed === 'no') return bytes.next(count).toString('latin1');
  const nibbles = bytes.next(Math.ceil(count / 2)).toString('hex');
  return packed === 'left' ? nibbles.slice(-count) : nibbles.slice(0, count);
}

function readElement(element: Element, bytes: Bytes, packing: DialectPacking): string {
  const text = rawText(element, bytes, packing);
  if (element.form === 'n' && !/^[0-9]*$/.test(text)) throw new UnreadableFrame('digits');
  if (element.codes !== undefined) {
    const found = Object.entries(element.codes).find(([, code]) => code === text.trimEnd());
    if (found === undefined) throw new UnreadableFrame('code');
    return found[0];
  }
  if (element.as === 'century') return text.slice(2);
  if (element.as === 'base64') return Buffer.from(text, 'hex').toString('base64');
  if (element.digits !== undefined) return text.slice(-element.digits);
  return 'length' in element && element.form !== 'n' ? text.trimEnd() : text;
}

function printElement(element: Element, value: string, packing: DialectPacking): Buffer {
  let text = element.codes?.[value] ?? value;
  if (element.as === 'century') text = `20${text}`;
  if (element.as === 'base64') text = Buffer.from(text, 'base64').toString('hex');
  if ('length' in element) {
    if (element.form === 'n') text = text.padStart(element.length, '0');
    else
      text = text.padEnd(element.form === 'b' ? 2 * element.length : element.length, element.form === 'b' ? '0' : ' ');
  }
  const packed = element.form === 'n' ? (element.packed ?? packing.numbers) : 'no';
  const odd = text.length % 2 === 1;
  const nibbles = odd && packed === 'left' ? `0${text}` : odd && packed === 'right' ? `${text}F` : text;
  // A value of another form than the dialect says is written as it is: some hosts do.
  const isHex = element.form === 'b' || (packed !== 'no' && /^[0-9]*F?$/.test(nibbles));
  const content = Buffer.from(nibbles, isHex ? 'hex' : 'latin1');
  if ('length' in element) return content;
  const units = element.form === 'b' ? content.length : text.length;
  return Buffer.concat([printLength(element.lengthDigits, units, packing), content]);
}

function printLength(digits: number, length: number, packing: DialectPacking): Buffer {
  if (!packing.lengths) return Buffer.from(String(length).padStart(digits, '0'));
  return Buffer.from(String(length).padStart(2 * Math.ceil(digits / 2), '0'), 'hex');
}

/** What one field says, by names. */
export function readField(
  field: ({ name: ValueName } & Element) | ComposedField,
  bytes: Bytes,
  packing: DialectPacking,
): Values {
  if ('name' in field) return { [field.name]: readElement(field, bytes, packing) };
  const isBytes = field.form === 'b';
  const content = isBytes
    ? bytes.next(lengthOf(field, bytes, packing))
    : Buffer.from(rawText(spanOf(field), bytes, packing), 'latin1');
  const inside = new Bytes(content);
  if ('tags' in field) return readTags(field.tags, content.toString('latin1'));
  const parts = 'parts' in field ? field.parts : inside.bits(false).map((bit) => field.bits[String(bit)]);
  const values: Values = {};
  for (const part of parts) {
    if (part === undefined) throw new UnreadableFrame('bit');
    const value = readElement({ codes: undefined, ...part } as Element, inside, isBytes ? packing : PLAIN);
    if ('name' in part) values[part.name] = value;
  }
  return values;
}

/** The bytes of one field; undefined where the message has nothing for it. */
export function printField(
  field: ({ name: ValueName } & Element) | ComposedField,
  values: Values,
  packing: DialectPacking,
  manner = IN_ORDER,
): Buffer | undefined {
  if ('name' in field) {
    const value = values[field.name];
    return value === undefined ? undefined : printElement(field, value, packing);
  }
  const content = contentOf(field, values, field.form === 'b' ? packing : PLAIN, manner);
  if (content === undefined) return undefined;
  if (field.form !== 'b') return printElement(spanOf(field), content.toString('latin1'), packing);
  if ('length' in field) return content;
  return Buffer.concat([printLength(field.lengthDigits, content.length, packing), content]);
}

function contentOf(
  field: ComposedField,
  values: Values,
  packing: DialectPacking,
  manner: TagManner,
): Buffer | undefined {
  if ('tags' in field) {
    const text = printTags(field.tags, values, manner);
    return text === '' ? undefined : Buffer.from(text, 'latin1');
  }
  const textOf = (part: Part) => ('literal' in part ? part.literal : values[part.name]);
  if ('parts' in field) {
    if (field.parts.some((part) => textOf(part) === undefined)) return undefined;
    return Buffer.concat(field.parts.map((part) => printElement(part, textOf(part) ?? '', packing)));
  }
  const there = Object.entries(field.bits)
    .filter(([, part]) => textOf(part) !== undefined)
    .sort(([a], [b]) => Number(a) - Number(b));
  if (!there.some(([, part]) => 'name' in part)) return undefined;
  const bitmap = there.reduce((sum, [bit]) => sum | (1n << BigInt(64 - Number(bit))), 0n);
  const printed = there.map(([, part]) => printElement(part, textOf(part) ?? '', packing));
  return Buffer.concat([Buffer.from(bitmap.toString(16).padStart(16, '0'), 'hex'), ...printed]);
}

/** A field with several values, as if it held one text. */
function spanOf({ form, packed, ...size }: ComposedField): Element {
  const spanned = 'length' in size ? { length: size.length } : { lengthDigits: size.lengthDigits, most: size.most };
  return { form, ...spanned, ...(packed === undefined ? {} : { packed }) };
}

function readTags({ tags: known, tagCharacters, lengthDigits }: PrivateData, value: string): Values {
  const names = new Map(Object.entries(known).map(([name, { tag }]) => [tag, name as ValueName]));
  const tags: Values = {};
  let last = '';
  for (let at = 0; at < value.length; ) {
    const tag = value.slice(at, at + tagCharacters);
    at += tagCharacters;
    const length = Number(value.slice(at, at + lengthDigits));
    at += lengthDigits;
    if (!Number.isInteger(length) || at + length > value.length || tag <= last) throw new UnreadableFrame('tags');
    const name = names.get(tag);
    if (name !== undefined) tags[name] = value.slice(at, at + length);
    at += length;
    last = tag;
  }
  return tags;
}

function printTags({ tags, lengthDigits }: PrivateData, values: Values, manner: TagManner): string {
  const sorted = Object.entries(tags)
    .flatMap(([name, { tag }]) => {
      const value = values[name as ValueName];
      return value === undefined ? [] : [{ name, tag, value }];
    })
    .sort((a, b) => (a.tag < b.tag === manner.isBackwards ? 1 : -1));
  const repeated = sorted.filter(({ name }) => name === manner.repeats);
  const printed = [...sorted, ...repeated].map(
    ({ tag, value }) => tag + String(value.length).padStart(lengthDigits, '0') + value,
  );
  return printed.length === 0 ? '' : printed.join('') + manner.padding;
}
