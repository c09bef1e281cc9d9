import { Trouble } from '../work/trouble.ts';

/** A setting that cannot be used. Its message names the setting and says what to write instead. */
export class BadSetting extends Trouble {
  override readonly name = 'BadSetting';
}

/** The value as one of these words. Throws `BadSetting`, which lists them. */
export function oneOf<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new BadSetting(`${name} must be one of ${words.join(', ')}.`);
  return word;
}

/** `true` or `false`; an absent one is false. Throws `BadSetting`. */
export function truth(name: string, value: string | undefined): boolean {
  return oneOf(name, value ?? 'false', ['true', 'false']) === 'true';
}

/** A whole number from 0 to the largest. Throws `BadSetting`, which says so. */
export function wholeNumber(name: string, value: string, largest: number): number {
  if (!/^\d{1,10}$/.test(value) || Number(value) > largest) {
    throw new BadSetting(`${name} must be a whole number from 0 to ${largest}.`);
  }
  return Number(value);
}
