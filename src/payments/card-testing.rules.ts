import type { CardProblemCode } from '../kit/cards/card-problems.ts';
import type { CardTestingLimits, TypedCards } from './card-testing.types.ts';

/** Seconds that are looked back, and seconds for which pages take care once numbers are being tried. */
export const CARD_TESTING_WINDOW_SECONDS = 600;
export const CARD_TESTING_SECONDS = 1800;
/** Networks of which cards are declined before it counts as testing: fewer are each stopped by a limit of their own. */
export const CARD_TESTING_NETWORKS = 3;
/** Declines between two looks at what was typed: the look reads many rows. */
const LOOK_EACH = 5;
/** Numbers that begin alike are suspicious sooner: half as many are enough. */
const ALIKE = 2;

/** What an issuer says of a card: its other refusals are about the payer, the payment or itself. */
export const VERDICTS: readonly CardProblemCode[] = [
  'carddeclined',
  'acquirerinsufficientfunds',
  'acquirercardexpired',
  'acquirercardstolen',
  'acquirerpossiblefraud',
];

/** Whether it is time to look at what was typed, by how many cards were declined in the window so far. */
export function isTimeToLook(declines: number, { numbers }: CardTestingLimits): boolean {
  return numbers > 0 && declines >= Math.ceil(numbers / ALIKE) && declines % LOOK_EACH === 0;
}

/**
 * Whether a stranger tries numbers: many different ones are declined, and that is much of all that is typed; or half as many
 * that begin alike, and that is much of those. A shop with many payers has many declines, but a small share of them.
 */
export function isCardTesting(cards: readonly TypedCards[], limits: CardTestingLimits): boolean {
  const all = { approved: 0, declined: 0 };
  for (const { approved, declined } of cards) {
    all.approved += approved;
    all.declined += declined;
  }
  const isMuch = ({ approved, declined }: TypedCards) => declined * 100 >= limits.percent * (approved + declined);
  const isMany = ({ declined }: TypedCards, enough: number) => declined >= enough;
  if (isMany(all, limits.numbers) && isMuch(all)) return true;
  return cards.some((alike) => isMany(alike, Math.ceil(limits.numbers / ALIKE)) && isMuch(alike));
}
