import { type Command as Commander, CommanderError, Option } from 'commander';
import type { Command, Taken, Takes } from '../../kit/command.ts';
import { Trouble } from '../../kit/work/trouble.ts';

/**
 * Makes commands known behind a word of `kontor`.
 *
 * @param runtime puts them on this machine
 */
export function addCommands<R extends { print(text: string): void }>(
  group: Commander,
  commands: readonly Command<R>[],
  runtime: R,
): void {
  for (const one of commands) addCommand(group, one, runtime);
}

function addCommand<R extends { print(text: string): void }>(group: Commander, one: Command<R>, runtime: R): void {
  const { name, about, args, takes, json, misuse } = one;
  const added = group.command(name).description(about);
  for (const arg of args) {
    const { takes: place = '', about, read } = takes[arg] as Taken<unknown>;
    if (read === undefined) added.argument(place, about);
    else added.argument(place, about, reading(place, read));
  }
  for (const [key, taken] of Object.entries(takes)) if (!args.includes(key)) added.addOption(optionOf(key, taken));
  if (json !== undefined) added.option('--json', json);
  if (misuse !== undefined) {
    added.exitOverride((error) => {
      throw error.exitCode === 0 ? error : new CommanderError(misuse, error.code, error.message);
    });
  }
  added.action(async (...typed: unknown[]) => {
    const words = Object.fromEntries(args.map((arg, index) => [arg, typed[index]]));
    await one.start(runtime, { ...absent(takes), ...words, ...added.opts(), json: added.opts()['json'] === true });
  });
}

function optionOf(key: string, taken: Taken<unknown>): Option {
  const { takes, about, isNeeded, read, readMore, usually, choices } = taken;
  const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const option = new Option(takes === undefined ? flag : `${flag} ${takes}`, about).makeOptionMandatory(
    isNeeded === true,
  );
  if (choices !== undefined) option.choices(choices);
  if (read !== undefined) option.argParser(reading(flag, read));
  if (readMore !== undefined)
    option.argParser<unknown>((text, before) => reading(flag, readMore)(text, before as readonly unknown[]));
  return takes === undefined || usually === undefined ? option : option.default(usually);
}

/** Says of which option or argument it is that a value is wrong, and nothing of the value. */
function reading<Value, Before>(place: string, read: (text: string, before: Before) => Value) {
  return (text: string, before: Before): Value => {
    try {
      return read(text, before);
    } catch (error) {
      if (error instanceof Trouble) error.message = `${place}: ${error.message}`;
      throw error;
    }
  };
}

/** Options that are there or not, as long as they are not. */
function absent(takes: Takes): Record<string, unknown> {
  const flags = Object.entries(takes).filter(([, taken]) => taken.takes === undefined && taken.usually === false);
  return Object.fromEntries(flags.map(([key]) => [key, false]));
}
