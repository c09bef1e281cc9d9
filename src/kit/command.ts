import { isDay } from './instants.ts';
import { Trouble } from './work/trouble.ts';

/**
 * Commands of the command line as data: words, what they take, what they do, what they print. A slice lists its own;
 * `wiring/commands/frame.ts` makes them known to `kontor`, reads what they are given, and adds `--json`.
 */

/**
 * What a command gets of this machine. It prints through this and throws what goes wrong; only `main.ts` exits. Each slice says
 * in its own types which service its commands need.
 */
export interface CommandRuntime<Service> {
  /** Opens the database (starts the embedded one where none runs), does the work, and closes it again. */
  withService<Result>(work: (service: Service) => Promise<Result>): Promise<Result>;
  /** Writes one piece of text and a line end to the standard output. */
  print(text: string): void;
}

/** An option or an argument: what it is, and how what was typed becomes a value. */
export interface Taken<Value> {
  /** What stands for its value in the help, as in `<day>`. Absent: an option that is there or not. */
  readonly takes?: string;
  readonly about: string;
  readonly isNeeded?: true;
  /** @throws Trouble where it is no such value; the frame says of which option */
  readonly read?: (text: string) => Value;
  /** In place of `read` where it may be given again. */
  readonly readMore?: (text: string, before: readonly unknown[]) => Value;
  /** Its value where it is left out; the help shows it. */
  readonly usually?: Value;
  readonly choices?: readonly string[];
}

/** An option that is there or not. */
export function flag(about: string): Taken<boolean> {
  return { about, usually: false };
}

/** What may be left out. */
export function optional(takes: string, about: string): Taken<string | undefined>;
export function optional<Value>(takes: string, about: string, read: (text: string) => Value): Taken<Value | undefined>;
export function optional(takes: string, about: string, read?: (text: string) => unknown): Taken<unknown> {
  return { takes, about, ...(read !== undefined && { read }) };
}

/** What must be there. */
export function needed(takes: string, about: string): Taken<string>;
export function needed<Value>(takes: string, about: string, read: (text: string) => Value): Taken<Value>;
export function needed(takes: string, about: string, read?: (text: string) => unknown): Taken<unknown> {
  return { ...optional(takes, about, read as (text: string) => unknown), isNeeded: true };
}

/** What has a value where it is left out. */
export function usually(takes: string, about: string, value: string): Taken<string>;
export function usually<Value>(takes: string, about: string, value: Value, read: (text: string) => Value): Taken<Value>;
export function usually(
  takes: string,
  about: string,
  value: unknown,
  read?: (text: string) => unknown,
): Taken<unknown> {
  return { ...optional(takes, about, read as (text: string) => unknown), usually: value };
}

/** One of some words; what is usual, or undefined, where it is left out. */
export function oneOf<Word extends string, Usual extends Word | undefined = undefined>(
  takes: string,
  about: string,
  choices: readonly Word[],
  usual?: Usual,
): Taken<Word | Usual> {
  return { takes, about, choices, ...(usual !== undefined && { usually: usual }) };
}

/** What may be given again and again: all of them. */
export function several(takes: string, about: string): Taken<readonly string[]>;
export function several<Value>(takes: string, about: string, read: (text: string) => Value): Taken<readonly Value[]>;
export function several(
  takes: string,
  about: string,
  read: (text: string) => unknown = (text) => text,
): Taken<readonly unknown[]> {
  return { takes, about, usually: [], readMore: (text, before) => [...before, read(text)] };
}

/** All words that are left, none among them. */
export function rest(takes: string, about: string): Taken<readonly string[]> {
  return { takes, about };
}

/** The option that says whose, for the one payee of most installations. */
export function payeeOption(whose: string): Taken<string | undefined> {
  return optional('<id>', `${whose}; may be left out while there is one payee`);
}

/** A day of the calendar, as people write it. */
export function readDay(text: string): string {
  if (!isDay(text)) throw new Trouble('A day is written as in 2026-03-09.');
  return text;
}

/** A number as it was written, without a sign. Whether it is one that can be, a rule says. */
export function readWhole(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new Trouble('It must be a whole number.');
  return Number(text);
}

/** By its name in the code: `issuedFrom` is written `--issued-from`. */
export type Takes = Readonly<Record<string, Taken<unknown>>>;

/** The values of options and arguments by their names, and whether the answer is wanted as JSON. */
export type Given<T extends Takes> = {
  readonly [Name in keyof T]: T[Name] extends Taken<infer Value> ? Value : never;
} & {
  readonly json: boolean;
};

/** A command: its words, what it takes, what it does, and what it prints. */
export interface CommandParts<Runtime, T extends Takes, Result> {
  /** Its last word, as in `list`. */
  readonly name: string;
  readonly about: string;
  /** Those of `takes` that are typed without a name, in their order. */
  readonly args?: readonly (keyof T & string)[];
  /** In the order of the help; `json` is the frame's. */
  readonly takes?: T;
  /** What `--json` prints, for the help. Absent: there is no such option. */
  readonly json?: string;
  /** With which status it ends where it was not asked well; 1 where it is absent. */
  readonly misuse?: number;
  readonly run: (runtime: Runtime, given: Given<T>) => Promise<Result> | Result;
  /** What `--json` prints: the result where it is absent. */
  readonly asJson?: (result: Result, given: Given<T>) => unknown;
  /** What a person reads, an empty list for nothing. Absent: `run` has printed all that there is. */
  readonly show?: (result: Result, given: Given<T>) => string | readonly string[];
  /**
   * Looks at what came of it when all is printed.
   *
   * @throws Trouble where it did not go well
   */
  readonly judge?: (result: Result, given: Given<T>) => void;
}

/** A command whose parts fit each other. */
export interface Command<Runtime> {
  readonly name: string;
  readonly about: string;
  readonly args: readonly string[];
  readonly takes: Takes;
  readonly json: string | undefined;
  readonly misuse: number | undefined;
  /** Does it, and prints what came of it. */
  start(runtime: Runtime & Pick<CommandRuntime<unknown>, 'print'>, given: Given<Takes>): Promise<void>;
}

/** Puts the parts of a command together. */
export function command<Runtime, T extends Takes, Result>(parts: CommandParts<Runtime, T, Result>): Command<Runtime> {
  const { name, about, args = [], json, misuse, run, asJson = (result) => result, show, judge } = parts;
  return {
    name,
    about,
    args,
    takes: parts.takes ?? {},
    json,
    misuse,
    async start(runtime, values) {
      const given = values as Given<T>;
      const result = await run(runtime, given);
      if (show !== undefined) {
        const shown = given.json ? JSON.stringify(asJson(result, given)) : show(result, given);
        for (const text of [shown].flat()) runtime.print(text);
      }
      judge?.(result, given);
    },
  };
}
