import type { Statement } from '../transaction.types.ts';

/** A table that is walked in the order of an index, some rows at a time. */
export interface Walk {
  readonly table: string;
  /** The columns of the index with their types, in its order: together they name a row. */
  readonly key: Readonly<Record<string, KeyType>>;
  /** How many rows are walked first, where much is read for each. */
  readonly first?: number;
}

export type KeyType = 'uuid' | 'text' | 'bigint' | 'boolean' | 'timestamptz';

/** A statement about the next rows of a walk. */
export interface AlongStatement extends Statement {
  readonly along: Walk;
}

/** Where a walk has come to: the key of the last row. */
export type Place = readonly unknown[];

/** The next rows of a walk: how many, and from where; from the beginning where that is undefined. */
export interface Portion {
  readonly from: Place | undefined;
  readonly rows: number;
}

/** Where a walk stands in a group: rows whose keys are the same but for the last column, as the entries of an account. */
export interface Standing {
  readonly from: Place | undefined;
  /** The last row that the group had when the walk came to it. */
  readonly groupEnd: Place | undefined;
}
