import fc from 'fast-check';
import type { StepVerb } from '../support/shop/card-shop.ts';

/** What a card is in the model: numbers and words alone. */
export interface ModelCard {
  available: number;
  /** Open authorizations. */
  readonly holds: number[];
  isBlocked: boolean;
  hasExpired: boolean;
  end: 'Voided' | 'Merged' | 'Replaced' | 'Swept' | undefined;
  /** Whether nothing has moved on it, one deposit, or more. */
  history: 'nothing' | 'deposit' | 'used';
}

/** Cards, and what the payee's sides have. */
export interface CardModel {
  readonly cards: ModelCard[];
  funding: number;
  clearing: number;
  breakage: number;
}

/** What happens. `card` and `into` count back from the card that was issued last; `hold` is taken modulo what there is. */
export type Happening =
  | { readonly what: StepVerb; readonly card: number; readonly into: number; readonly instance: number }
  | {
      readonly what: 'issue' | 'purchase' | 'authorize' | 'deposit' | 'capture' | 'cancel' | 'expire';
      readonly card: number;
      readonly amount: number;
      readonly hold: number;
      readonly instance: number;
    };

/** Few, so that things happen to the same cards. */
const index = fc.nat({ max: 4 });
const instance = fc.nat({ max: 1 });

/** What changes money, and its frequency by the times that it is named. */
const PAYMENTS = [
  'issue',
  'issue',
  'purchase',
  'authorize',
  'authorize',
  'deposit',
  'capture',
  'cancel',
  'expire',
  'expire',
];

/** As many steps of a life as payments, in any order. */
export const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        what: fc.constantFrom('block', 'unblock', 'unblock', 'void', 'merge', 'replace', 'sweep', 'sweep', 'sweep'),
        card: index,
        into: index,
        instance,
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        what: fc.constantFrom(...PAYMENTS),
        card: index,
        amount: fc.constantFrom(10, 20, 50),
        hold: index,
        instance,
      }),
    },
  ),
  { minLength: 20, maxLength: 40 },
) as fc.Arbitrary<Happening[]>;

export const heldOn = ({ holds }: ModelCard): number => holds.reduce((sum, hold) => sum + hold, 0);

/** A card as it is issued. */
export function issued(model: CardModel, amount: number): void {
  const history = amount === 0 ? 'nothing' : 'deposit';
  model.cards.push({ available: amount, holds: [], isBlocked: false, hasExpired: false, end: undefined, history });
  model.funding -= amount;
}

export function stateOf(card: ModelCard): string {
  if (card.end !== undefined) return card.end;
  if (card.hasExpired) return 'Expired';
  return card.isBlocked ? 'Blocked' : 'Active';
}

/** What must be offered, by the table of the documentation. */
export function possible(card: ModelCard): StepVerb[] {
  if (card.end !== undefined) return [];
  const isFree = !card.hasExpired && card.holds.length === 0;
  const steps: [StepVerb, boolean][] = [
    ['block', !card.isBlocked],
    ['unblock', card.isBlocked],
    ['void', card.history !== 'used'],
    ['merge', isFree && !card.isBlocked && card.available > 0],
    ['replace', isFree],
    ['sweep', card.hasExpired && card.available > 0],
  ];
  return steps.flatMap(([step, isPossible]) => (isPossible ? [step] : []));
}

/** Whether a card may take money now, by a merge. */
export function takes(into: ModelCard, amount: number, largest: number): boolean {
  return stateOf(into) === 'Active' && into.available + heldOn(into) + amount <= largest;
}

/** Carries out a step that is possible. */
export function carryOut(model: CardModel, verb: StepVerb, card: ModelCard, into: ModelCard): void {
  const amount = card.available;
  if (verb === 'block' || verb === 'unblock') {
    card.isBlocked = verb === 'block';
    return;
  }
  card.available = 0;
  if (amount > 0) card.history = 'used';
  if (verb === 'void') {
    model.funding += amount;
    card.end = 'Voided';
  } else if (verb === 'merge') {
    into.available += amount;
    into.history = 'used';
    card.end = 'Merged';
  } else if (verb === 'replace') {
    const history = amount > 0 ? 'used' : 'nothing';
    model.cards.push({ available: amount, holds: [], isBlocked: false, hasExpired: false, end: undefined, history });
    card.end = 'Replaced';
  } else {
    model.breakage += amount;
    if (card.holds.length === 0) card.end = 'Swept';
  }
}

/** What a payment comes to: its state, or the status of its refusal. */
export function pay(
  model: CardModel,
  card: ModelCard,
  {
    what,
    amount,
    largest,
  }: { readonly what: 'purchase' | 'authorize' | 'deposit'; readonly amount: number; readonly largest: number },
): 'OK' | 'FAILED' | 403 {
  if (stateOf(card) !== 'Active') return 'FAILED';
  if (what === 'deposit') {
    if (card.available + heldOn(card) + amount > largest) return 403;
    card.available += amount;
    card.history = card.history === 'nothing' ? 'deposit' : 'used';
    model.funding -= amount;
    return 'OK';
  }
  if (amount > card.available) return 'FAILED';
  card.available -= amount;
  card.history = 'used';
  if (what === 'authorize') card.holds.push(amount);
  else model.clearing += amount;
  return 'OK';
}

/** Ends a hold that is there. */
export function endHold(
  model: CardModel,
  card: ModelCard,
  { what, hold }: { readonly what: 'capture' | 'cancel'; readonly hold: number },
): void {
  const [amount = 0] = card.holds.splice(hold, 1);
  if (what === 'capture') model.clearing += amount;
  else card.available += amount;
}
