import { testCardNumber } from '../support/numbers.ts';
import type { Sought } from './scanner.ts';

/** Card numbers to send about, another one for each place, so that one that turns up tells where it came in. */
export interface Bait {
  /** The number for a place; the same one for the same name. */
  number(place: string): string;
  /** All that were given out. */
  sought(): Sought[];
}

/** Far into each test range, where no other test takes its numbers. */
const FIRST = 31_415_926;
/** Odd, so that the numbers go through all ranges, and large, so that neighbours differ in many digits. */
const STEP = 10_007;

export function makeBait(): Bait {
  const numbers = new Map<string, string>();
  return {
    number(place) {
      const number = numbers.get(place) ?? testCardNumber(FIRST + STEP * numbers.size);
      numbers.set(place, number);
      return number;
    },
    sought: () => [...numbers].map(([name, value]) => ({ name, value, kind: 'card number' })),
  };
}

/** How people write a card number: bare, in groups, and in the middle of a sentence. */
export function spellings(number: string): string[] {
  const groups = number.match(/.{1,4}/g) ?? [];
  return [number, groups.join(' '), groups.join('-'), groups.join('\u00a0'), `the card ${number}, as they said`];
}
