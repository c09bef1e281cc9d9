import { Trouble } from './work/trouble.ts';

/** A file of an operator's that does not say what it must. The message has the place and never the value. */
export class BadJson extends Trouble {
  override readonly name = 'BadJson';
  /** As in `acquirers[0].port`; empty for the whole. */
  readonly path: string;

  constructor(path: string, complaint: string) {
    super(`${path === '' ? 'the file' : path} ${complaint}`);
    this.path = path;
  }
}

/** Takes a value of a JSON document for what it must be, or throws `BadJson` with its place. */
export type ReadJson<Value> = (value: unknown, path: string) => Value;

/** A member that may be missing. */
export interface OptionalJson<Value> {
  readonly optional: ReadJson<Value>;
}

/** Marks a member that may be missing. */
export const maybe = <Value>(optional: ReadJson<Value>): OptionalJson<Value> => ({ optional });

type Members = Readonly<Record<string, ReadJson<unknown> | OptionalJson<unknown>>>;
type RequiredOf<M extends Members> = {
  [K in keyof M as M[K] extends OptionalJson<unknown> ? never : K]: ValueOf<M[K]>;
};
type OptionalOf<M extends Members> = {
  [K in keyof M as M[K] extends OptionalJson<unknown> ? K : never]?: ValueOf<M[K]>;
};
type ValueOf<R> = R extends ReadJson<infer Value> ? Value : R extends OptionalJson<infer Value> ? Value : never;

/** An object of these members: none unknown, none missing. */
export function objectOf<M extends Members>(members: M): ReadJson<Readonly<RequiredOf<M> & OptionalOf<M>>> {
  return (value, path) => {
    const given = plainObject(value, path);
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(members, name)) throw new BadJson(join(path, name), 'is not known here');
    }
    const read: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(members)) {
      const isGiven = Object.hasOwn(given, name);
      if (!isGiven && typeof member !== 'function') continue;
      if (!isGiven) throw new BadJson(join(path, name), 'is missing');
      read[name] = (typeof member === 'function' ? member : member.optional)(given[name], join(path, name));
    }
    return read as Readonly<RequiredOf<M> & OptionalOf<M>>;
  };
}

/** An object of any members that hold the same. */
export function recordOf<Value>(read: ReadJson<Value>, mostMembers: number): ReadJson<Readonly<Record<string, Value>>> {
  return (value, path) => {
    const entries = Object.entries(plainObject(value, path));
    if (entries.length > mostMembers) throw new BadJson(path, `has more than ${mostMembers} members`);
    return Object.fromEntries(entries.map(([name, one]) => [name, read(one, join(path, name))]));
  };
}

/** An object that has each of these names, and no other. */
export function eachOf<Name extends string, Value>(
  names: readonly Name[],
  read: ReadJson<Value>,
): ReadJson<Readonly<Record<Name, Value>>> {
  return objectOf(Object.fromEntries(names.map((name) => [name, read]))) as ReadJson<Readonly<Record<Name, Value>>>;
}

/** A list of such values. */
export function listOf<Value>(read: ReadJson<Value>, mostItems: number): ReadJson<readonly Value[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new BadJson(path, 'is no list');
    if (value.length > mostItems) throw new BadJson(path, `has more than ${mostItems} items`);
    return value.map((one, index) => read(one, `${path}[${index}]`));
  };
}

/** One of these texts. */
export function oneOf<Text extends string>(texts: readonly Text[]): ReadJson<Text> {
  return (value, path) => {
    const found = texts.find((text) => text === value);
    if (found === undefined) throw new BadJson(path, `is none of ${texts.join(', ')}`);
    return found;
  };
}

/** A text that looks so, and is no longer than this. `form` says in words what is asked for. */
export function textLike(pattern: RegExp, mostCharacters: number, form: string): ReadJson<string> {
  return (value, path) => {
    if (typeof value !== 'string' || value.length > mostCharacters || !pattern.test(value)) {
      throw new BadJson(path, `is not ${form}`);
    }
    return value;
  };
}

/** A whole number between these two. */
export function wholeNumber(least: number, most: number): ReadJson<number> {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most) {
      throw new BadJson(path, `is no whole number from ${least} to ${most}`);
    }
    return value;
  };
}

/** True or false. */
export const trueOrFalse: ReadJson<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new BadJson(path, 'is neither true nor false');
  return value;
};

/** Refuses the second of two that have one key, at its place. */
export function refuseTwice(keys: readonly (readonly [path: string, key: string])[]): void {
  const seen = new Set<string>();
  for (const [path, key] of keys) {
    if (seen.has(key)) throw new BadJson(path, 'is there twice');
    seen.add(key);
  }
}

function plainObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadJson(path, 'is no object');
  return value as Readonly<Record<string, unknown>>;
}

/** A name of the file's own may be long or strange: then it is not repeated. */
function join(path: string, name: string): string {
  const shown = /^[A-Za-z0-9_-]{1,40}$/.test(name) && !/[0-9]{6}/.test(name) ? name : '(a member)';
  return path === '' ? shown : `${path}.${shown}`;
}
