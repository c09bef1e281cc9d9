/** The callers who gave wrong values of a card, by the names that they count as. */
export type Strikers = Readonly<Record<string, Striker>>;

/** One caller's wrong values. Times are ISO 8601 in UTC. */
export interface Striker {
  /** In the window that ends then. */
  readonly wrong: number;
  readonly windowEndsAt: string;
  /** In the day that ends then. */
  readonly wrongOfDay: number;
  readonly dayEndsAt: string;
  /** Until then the card is closed for this caller. */
  readonly blockedUntil: string | null;
}
