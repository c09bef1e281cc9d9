import { isUtf8 } from 'node:buffer';
import { inputError, type Refusal } from '../../kit/errors.ts';
import { type JsonNumber, readNumber } from './json-number.ts';

/** Levels of objects and arrays in a JSON body. The deepest legal body has five. */
const JSON_DEPTH = 8;
/** Members of one JSON object: no schema of ours has more than forty. */
const JSON_MEMBERS = 200;

/** How large a JSON text may be in other ways than bytes. */
export interface JsonLimits {
  /** Levels of objects and arrays; a text that is no more than `{}` has one. */
  readonly maxDepth?: number;
  /** Members of one object. Items of an array are limited by the bytes of the body, and by its schema. */
  readonly maxMembers?: number;
}

/**
 * Reads a body as JSON (RFC 8259), more strictly than `JSON.parse`, so that no two readers can understand it
 * differently. Refused: what is not UTF-8 or begins with a byte order mark, a name twice in one object,
 * `__proto__`, `constructor` and `prototype` as names, halves of surrogate pairs, NUL, and what is too deep.
 *
 * - Objects have no prototype, so that every member came from the caller.
 * - A member that is `null` is left out; a `null` in an array stays, for the schema to refuse.
 * - A number is a JavaScript number where it is a plain safe integer, else a `JsonNumber`: see `digitsOf`.
 *
 * @throws Refusal `inputerror`, which names the member where it can, and never repeats what was sent
 */
export function parseJson(body: Buffer, limits: JsonLimits = {}): unknown {
  if (body.length === 0) throw inputError('body', 'must not be empty');
  if (!isUtf8(body)) throw inputError('body', 'must be encoded in UTF-8');
  return new JsonReader(body.toString('utf8'), limits).readDocument();
}

/** EF BB BF: U+FEFF in UTF-8. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** A body without the byte order mark that some programs begin a text with (RFC 8259, section 8.1). */
export function withoutByteOrderMark(body: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return BYTE_ORDER_MARK.equals(body.subarray(0, length)) ? body.subarray(length) : body;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

// RFC 8259, section 6.
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const NUL_OR_HALF_PAIR = /[\0\ud800-\udfff]/u;

/** One pass over one text, from left to right. Each `read` method begins at `#at` and leaves it behind what it read. */
class JsonReader {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #maxMembers: number;
  /** Where in the document the reader is. Entries beyond the present depth are left over from earlier members. */
  readonly #path: JsonStep[] = [];
  #at = 0;

  constructor(text: string, { maxDepth = JSON_DEPTH, maxMembers = JSON_MEMBERS }: JsonLimits) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#maxMembers = maxMembers;
  }

  readDocument(): unknown {
    const value = this.#readValue(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#malformed();
    return value;
  }

  #readValue(depth: number): unknown {
    switch (this.#skipBlanks()) {
      case OPEN_OBJECT:
        return this.#readObject(depth);
      case OPEN_ARRAY:
        return this.#readArray(depth);
      case QUOTE:
        return this.#readString(depth);
      case 0x74:
        return this.#readWord('true', true);
      case 0x66:
        return this.#readWord('false', false);
      case 0x6e:
        return this.#readWord('null', null);
      default:
        return this.#readNumber();
    }
  }

  #readObject(depth: number): Record<string, unknown> {
    if (depth === this.#maxDepth) throw this.#tooDeep(depth);
    const object: Record<string, unknown> = Object.create(null);
    const names = new Set<string>();
    this.#at++;
    if (this.#skipBlanks() === CLOSE_OBJECT) {
      this.#at++;
      return object;
    }
    for (let members = 1; ; members++) {
      if (members > this.#maxMembers) throw this.#tooManyMembers(depth);
      if (this.#skipBlanks() !== QUOTE) throw this.#malformed();
      const name = this.#readString(depth);
      this.#path[depth] = name;
      if (names.has(name) || isReserved(name)) throw this.#badName(name, depth + 1);
      names.add(name);
      if (this.#skipBlanks() !== COLON) throw this.#malformed();
      this.#at++;
      const value = this.#readValue(depth + 1);
      if (value !== null) object[name] = value;
      if (this.#endsAt(CLOSE_OBJECT)) return object;
    }
  }

  #readArray(depth: number): unknown[] {
    if (depth === this.#maxDepth) throw this.#tooDeep(depth);
    const items: unknown[] = [];
    this.#at++;
    if (this.#skipBlanks() === CLOSE_ARRAY) {
      this.#at++;
      return items;
    }
    for (;;) {
      this.#path[depth] = items.length;
      items.push(this.#readValue(depth + 1));
      if (this.#endsAt(CLOSE_ARRAY)) return items;
    }
  }

  /** After a member or an item: whether the object or array ends here. If not, a comma and another one follow. */
  #endsAt(close: number): boolean {
    const code = this.#skipBlanks();
    if (code !== close && code !== COMMA) throw this.#malformed();
    this.#at++;
    return code === close;
  }

  #readString(depth: number): string {
    const text = this.#text;
    const from = this.#at + 1;
    for (let index = from; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        this.#at = index + 1;
        return text.slice(from, index);
      }
      if (code === BACKSLASH) return this.#readEscapedString(depth);
      if (code < BLANK) throw this.#malformed(index);
    }
    throw this.#malformed(text.length);
  }

  /** Escapes are rare: here `JSON.parse` decodes them. Only by an escape can a string hold NUL or half a pair. */
  #readEscapedString(depth: number): string {
    const text = this.#text;
    let end = this.#at + 1;
    while (end < text.length && text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
    const string = decodeString(text.slice(this.#at, end + 1));
    if (string === undefined) throw this.#malformed();
    if (NUL_OR_HALF_PAIR.test(string)) {
      throw this.#refusal(depth, 'must not hold NUL or one half of a surrogate pair');
    }
    this.#at = end + 1;
    return string;
  }

  #readNumber(): number | JsonNumber {
    NUMBER.lastIndex = this.#at;
    if (!NUMBER.test(this.#text)) throw this.#malformed();
    const number = readNumber(this.#text.slice(this.#at, NUMBER.lastIndex));
    this.#at = NUMBER.lastIndex;
    return number;
  }

  #readWord<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) throw this.#malformed();
    this.#at += word.length;
    return value;
  }

  /** Moves to the next character that is no blank. @returns its code, or NaN at the end of the text */
  #skipBlanks(): number {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code !== BLANK && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return code;
      this.#at++;
    }
  }

  #malformed(at = this.#at): Refusal {
    return inputError('body', `must be JSON (RFC 8259); it is not from character ${at + 1} on`);
  }

  #tooDeep(depth: number): Refusal {
    return this.#refusal(depth, `must not lie deeper than ${this.#maxDepth} levels of objects and arrays`);
  }

  #tooManyMembers(depth: number): Refusal {
    return this.#refusal(depth, `must not have more than ${this.#maxMembers} members`);
  }

  #badName(name: string, depth: number): Refusal {
    return this.#refusal(depth, isReserved(name) ? 'is a name that no member may have' : 'must not be there twice');
  }

  #refusal(depth: number, description: string): Refusal {
    return inputError(jsonPath(this.#path.slice(0, depth)), description);
  }
}

/** Names that reach the prototype of an object, in code that copies members without care. */
function isReserved(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}

function decodeString(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

/** A member's name, or an item's position. */
export type JsonStep = string | number;

// Letters, and at most two digits at the end: no schema of ours has other names, and no card number fits in.
const SHOWN_NAME = /^[A-Za-z_]{1,40}[0-9]{0,2}$/;

/**
 * The place of a value as a problem names it: `payment.prices[0].amount`, or `body` for the whole.
 *
 * The caller chose these names, and a problem never repeats what a caller sent. So the path ends before the first name
 * that does not look like a name: the nearest member around the place is named instead.
 */
export function jsonPath(steps: readonly JsonStep[]): string {
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`;
    else if (SHOWN_NAME.test(step)) path += path === '' ? step : `.${step}`;
    else break;
  }
  return path || 'body';
}
