import type { PayeeId } from '../../kit/ids.ts';
import type { Read } from '../transaction.types.ts';

/** Makes a report when it is the turn of its payee. */
export type ReportTurns = <Report>(payeeId: PayeeId, make: () => Promise<Report>) => Promise<Report>;

/** What reads many rows of a payee goes this way: payees take turns, and requests and background work do not wait for them. */
export interface ReportReads {
  /** For what has its turn. */
  readonly read: Read;
  readonly inTurn: ReportTurns;
  /** Reads of a payee, each when it is its turn: for what is read page by page. */
  readFor(payeeId: PayeeId): Read;
}
