import type { PayeeId } from '../../kit/ids.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';

/** How far the kept sums of a payee reach. Instants are ISO 8601 in UTC. */
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
  readonly afterAccount: AccountId;
  readonly afterSequence: number;
  /** The beginning of the last day that may be closed. */
  readonly latest: string;
}

/** What is done next. */
export type ClosingStep = 'move' | 'forget' | 'mark' | 'fill' | 'close' | 'advance' | 'rest';

/** How far the entries of a portion go. */
export interface FilledTo {
  readonly account: AccountId | null;
  readonly sequence: number | null;
  readonly entries: number;
}
