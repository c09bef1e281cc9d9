import { testCardNumber } from '../support/numbers.ts';
import type { Sought } from '../support/prober/scanner.ts';

/** A value that stands nowhere else, and the columns that may have it in the clear. */
export interface Mark extends Sought {
  readonly columns: readonly string[];
  /** Whether it tells of a person, and not of the payee. */
  readonly isPersonal: boolean;
}

/** Values to send about. Each is another one, so that one that turns up tells where it came in. */
export interface Marks {
  /** A text that a person is told by. */
  word(name: string, ...columns: string[]): string;
  /** A text that tells of the payee alone. */
  text(name: string, ...columns: string[]): string;
  email(name: string, ...columns: string[]): string;
  phone(name: string, ...columns: string[]): string;
  /** The number of a card, which stands in no column. */
  card(name: string): string;
  /** Something else that stands in no column. */
  secret(name: string, value: string): string;
  /** All that were given out. */
  all(): readonly Mark[];
}

/** Where no other test takes its card numbers. */
const FIRST = 5_926_536;
/** Of the first test range alone, whose codes have three digits. */
const STEP = 10_008;
/** Letters that no word of ours has in such a row. */
const LETTERS = 'bcdfghjkmnpqrtvw';
const LETTERS_OF_WORD = 5;

export function makeMarks(): Marks {
  const marks: Mark[] = [];
  const add = (mark: Mark): string => {
    marks.push(mark);
    return mark.value;
  };
  const nextWord = () => {
    const digits = Array.from({ length: LETTERS_OF_WORD }, (_, place) => (marks.length * 7919) >> (4 * place));
    return `Qzx${digits.map((digit) => LETTERS.charAt(digit & 15)).join('')}`;
  };
  const person = (name: string, value: string, columns: readonly string[]) =>
    add({ name, value, kind: 'guessable', columns, isPersonal: true });
  return {
    word: (name, ...columns) => person(name, nextWord(), columns),
    text: (name, ...columns) => add({ name, value: nextWord(), kind: 'guessable', columns, isPersonal: false }),
    email: (name, ...columns) => person(name, `${nextWord().toLowerCase()}@person.example`, columns),
    phone: (name, ...columns) => person(name, `+4793${String(100_000 + marks.length * 6007).slice(-6)}`, columns),
    card: (name) => {
      const value = testCardNumber(FIRST + STEP * marks.length);
      return add({ name, value, kind: 'card number', columns: [], isPersonal: true });
    },
    secret: (name, value) => add({ name, value, kind: 'secret', columns: [], isPersonal: true }),
    all: () => marks,
  };
}
