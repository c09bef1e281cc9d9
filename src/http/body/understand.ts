import type { TSchema } from 'typebox';
import { foldAscii } from '../../kit/fold-ascii.ts';
import { isPlainNumber, nearestMultiple, readNumber, textOf } from './json-number.ts';

/** In which other ways than its schema says a value may be written. */
export interface Liberties {
  /** A word of a list is read without regard to the case of ASCII letters. */
  readonly words: boolean;
  /** A number may be a text, and a text a number, `true` or `false`. */
  readonly values: boolean;
}

/** For what is signed, for the portal and for files: everything is exactly as its schema says. */
export const NO_LIBERTIES: Liberties = { words: false, values: false };

/** Below these addresses are clients that were written for an older service, which took such values. */
export function libertiesAt(path: string): Liberties {
  const values = path.startsWith('/psp/');
  return { words: values || path.startsWith('/online/'), values };
}

/** The part of a schema that says how a value is understood. */
interface Shape {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly decimal?: boolean;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

/** Decimals of a quantity. */
const QUANTITY_DECIMALS = 4;

/**
 * A value with all that it holds as its schema wants it, where a client may write it otherwise. What cannot be understood
 * stays as it is, for the check to refuse. Each value is looked at once, and only where the schema has a place for it. A
 * list or an object is changed in place.
 */
export function understand(schema: TSchema, value: unknown, liberties: Liberties): unknown {
  if (Array.isArray(value)) return understandItems(schema as Shape, value, liberties);
  if (typeof value === 'object' && value !== null) return understandMembers(schema as Shape, value, liberties);
  const { type, enum: words, decimal } = schema as Shape;
  if (liberties.values) {
    if (type === 'integer') return asNumber(value, 0);
    if (decimal === true) return asNumber(value, QUANTITY_DECIMALS);
  }
  const isWord = words !== undefined;
  const text = liberties.values && (isWord || type === 'string') ? asText(value) : value;
  return isWord && liberties.words && typeof text === 'string' ? wordOf(words, text) : text;
}

function understandItems({ items }: Shape, list: unknown[], liberties: Liberties): unknown[] {
  if (items === undefined) return list;
  for (const [index, item] of list.entries()) list[index] = understand(items, item, liberties);
  return list;
}

/** Members by a name of the caller's own stay as they are: of these only texts are taken, and anything else is ignored. */
function understandMembers({ properties = {} }: Shape, object: object, liberties: Liberties): object {
  const members = object as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema !== undefined) members[name] = understand(schema, members[name], liberties);
  }
  return members;
}

/** A number, `true` or `false` as the JSON text that it was sent as. */
function asText(value: unknown): unknown {
  return typeof value === 'boolean' ? String(value) : (textOf(value) ?? value);
}

/** `"1500"`, `1500.0` and `1499.9999999999` as 1500. */
function asNumber(value: unknown, decimals: number): unknown {
  if (typeof value === 'number') return value;
  const text = textOf(value);
  if (text === undefined || (typeof value === 'string' && !isPlainNumber(text, decimals))) return value;
  const nearest = nearestMultiple(text, decimals);
  return nearest === undefined ? value : readNumber(nearest);
}

/** The word of a list that a text is, but for the case of its letters. */
function wordOf(words: readonly unknown[], text: string): unknown {
  const sameLength = words.filter((word) => typeof word === 'string' && word.length === text.length);
  if (sameLength.length === 0 || sameLength.includes(text)) return text;
  const folded = foldAscii(text);
  return sameLength.find((word) => foldAscii(word as string) === folded) ?? text;
}
