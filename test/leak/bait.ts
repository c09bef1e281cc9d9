import { testCardNumber } from '../support/numbers.ts';
import type { Sought } from '../support/prober/scanner.ts';

/** Card numbers to send about, another one for each place, so that one that turns up tells where it came in. */
export interface Bait {
  /** The number for a place; the same one for the same name. */
  number(place: string): string;
  /** All that were given out. */
  sought(): Sought[];
}

/** Where no other test takes its numbers; the smallest range has room behind it for 7 600 places. */
const FIRST = 3_141_590;
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

/** How people write a card number beside its digits alone: in groups, and in the middle of a sentence. */
const SPELLINGS: readonly ((number: string) => string)[] = [
  (number) => groupsOf(number).join(' '),
  (number) => groupsOf(number).join('-'),
  (number) => groupsOf(number).join('\u00a0'),
  (number) => `the card ${number}, as they said`,
];

const groupsOf = (number: string): string[] => number.match(/.{1,4}/g) ?? [];

/**
 * A number bare, and in another spelling: places take these in turn, so that each kind of place sees them all. Where not all
 * are sent, every second place has the number bare, and the others have it in the other spelling.
 */
export function spellings(number: string, place: number, sendsAll: boolean): string[] {
  const turn = sendsAll ? place : place >> 1;
  const other = SPELLINGS.filter((_, index) => index === turn % SPELLINGS.length).map((spell) => spell(number));
  return sendsAll ? [number, ...other] : place % 2 === 0 ? [number] : other;
}
