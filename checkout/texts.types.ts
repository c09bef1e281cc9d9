/** Texts of the page, by their names. */
export type Texts = Readonly<Record<string, string>>;

/** What the server answers to what a payer does at the menu of an order; `closed` and `changed` also to the card's form. */
export interface MenuAnswer {
  readonly outcome: 'ok' | 'changed' | 'busy' | 'closed' | 'toomany' | 'notusable';
  readonly menu?: MenuNews;
  /** To be said aloud. */
  readonly announce?: string;
  readonly title?: string;
  readonly message?: string;
  readonly isCalm?: boolean;
  readonly errors?: Readonly<Record<string, string>>;
  readonly attempt?: string;
}

/** The menu as it is now. */
export interface MenuNews {
  readonly rows: readonly {
    readonly leg: string;
    readonly name: string;
    readonly amount: string;
    readonly left: string;
    readonly remove: string;
  }[];
  /** Of the order. */
  readonly total: string;
  readonly rest: string;
  /** What is said beside the bank's challenge. */
  readonly bankShows: string;
  readonly button: string;
  readonly none: string;
  readonly isCovered: boolean;
  readonly takesMore: boolean;
  readonly seen: string;
}
