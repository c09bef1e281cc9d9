import type { PayeeId } from '../kit/ids.ts';
import type { BackgroundWork, RowOfWork } from '../kit/work/background.ts';
import type { Read, Transaction } from './transaction.types.ts';

/** How far the sums of days that are kept of a payee reach. Instants are ISO 8601 in UTC. */
export interface Closing {
  readonly payeeId: PayeeId;
  /** The payee's, now. */
  readonly timeZone: string;
  /** Whether the sums are of another time zone. */
  readonly hasMoved: boolean;
  /** They have what happened before; null: they are being made. */
  readonly closedTo: string | null;
  /** They may come to have what happened before; null: something from earlier was written, and they have to be made anew. */
  readonly closingTo: string | null;
  /** Whether transactions from before `closingTo` was written have been marked. */
  readonly isMarked: boolean;
  /** Whether none of these is under way any more. */
  readonly isSettled: boolean;
  /** The beginning of the last day or hour that may not be closed yet. */
  readonly latest: string;
}

/** What is done next. */
export type ClosingStep = 'move' | 'forget' | 'mark' | 'fill' | 'close' | 'advance' | 'rest';

/** Sums of days that are kept of payees: where they stand, and what is known of how far they reach. */
export interface KeptSums {
  /** What the names of statements begin with. */
  readonly slice: string;
  readonly sums: 'gift_card_sum' | 'trial_balance_sum';
  readonly closings: 'gift_card_closing' | 'trial_balance_closing';
  readonly work: BackgroundWork;
  /** How often they are closed: what has happened since is read beside them. */
  readonly every: 'day' | 'hour';
  /** SQL: whether payee p has something to be summed, for which an index is asked. */
  readonly hasSome: string;
  /** Columns of a closing that say how far sums from nothing have come, with the members that they are read as and what they begin with. */
  readonly place: Readonly<Record<string, { readonly as: string; readonly from: string }>>;
}

/** Statements about how far kept sums reach, and the end of sums that are of no use any more. */
export interface Closings<Known extends Closing> {
  /** Payees whose sums do not reach to where they could, some of them; those that have none yet too. */
  readonly selectUnclosed: (read: Read, after: PayeeId, limit: number) => Promise<readonly RowOfWork[]>;
  /** How many seconds a day or an hour of the payee that is furthest behind could have been closed. Sums that are being made do not count. */
  readonly selectOverdue: (read: Read) => Promise<number>;
  /** Lets a payee have sums. */
  readonly insertClosing: (transaction: Transaction, payeeId: PayeeId) => Promise<void>;
  /** Locks what is known of a payee's sums; undefined where another instance works at them. */
  readonly lockClosing: (transaction: Transaction, payeeId: PayeeId) => Promise<Known | undefined>;
  /** Ends the sums of another time zone. */
  readonly reopenClosing: (transaction: Transaction, closing: Closing) => Promise<void>;
  /** Deletes some sums, and tells how many. */
  readonly deleteSums: (transaction: Transaction, closing: Closing, limit: number) => Promise<number>;
  /** Has sums made, from nothing. */
  readonly beginClosing: (transaction: Transaction, closing: Closing) => Promise<void>;
  /** Lets the next days or hours be closed. */
  readonly advanceClosing: (transaction: Transaction, closing: Closing) => Promise<void>;
  /** Marks the transactions that are under way: those that begin later know what is being closed. */
  readonly markClosing: (transaction: Transaction, closing: Closing) => Promise<void>;
  /** Notes up to which instant the sums are whole. */
  readonly noteClosed: (transaction: Transaction, closing: Closing, to: string) => Promise<void>;
  /** How far the next so many movements of a payee go that are to be summed. Movements of one instant go together. */
  readonly selectNextEnd: (transaction: Transaction, closing: Closing, limit: number) => Promise<string>;
}
