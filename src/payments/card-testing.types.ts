import type { PayeeId } from '../kit/ids.ts';

/** When the cards that are declined on a payee's pages look as if a stranger tried stolen numbers there. */
export interface CardTestingLimits {
  /** Different numbers that are declined within the window; 0 switches it off. */
  readonly numbers: number;
  /** Of what is typed there, in percent. */
  readonly percent: number;
}

/** What is typed lately on the pages of a payee, of numbers that begin alike. */
export interface TypedCards {
  /** Different numbers that were approved: one good card, typed again and again, must not dilute the share. */
  readonly approved: number;
  /** Different numbers that an issuer has declined. */
  readonly declined: number;
}

/** The same with the time of the look, ISO 8601 in UTC. */
export interface SeenCards extends TypedCards {
  readonly now: string;
}

/** Whose cards are looked at, how far back, and the problems by which an issuer says that a card is not good. */
export interface LookBack {
  readonly payeeId: PayeeId;
  readonly seconds: number;
  readonly verdicts: readonly string[];
}

/** What watches for card testing: when it is one, and who hears of it. */
export interface CardTesting {
  readonly limits: CardTestingLimits;
  readonly listener?: CardTestingListener;
}

/** Who hears that stolen numbers are tried, of this process. No number and no address is told. */
export interface CardTestingListener {
  /** It has begun at a payee. Of all instances one is told. */
  testing(payeeId: PayeeId): void;
}
