import type { Read } from '../../db/transaction.types.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { createFairTurns } from '../../kit/work/fair-turns.ts';

/** Reports that are read at once on one instance: background work has the same three connections to the database. */
const AT_ONCE = 1;
/** Reports that wait, and milliseconds for which they do. */
const WAITING = 32;
const PATIENCE_MS = 4_000;
const RETRY_SECONDS = 5;

/** Makes a report when it is the turn of its payee. */
export type ReportTurns = <Report>(payeeId: PayeeId, make: () => Promise<Report>) => Promise<Report>;

/** What reports are read with. */
export interface ReportReads {
  readonly read: Read;
  readonly inTurn: ReportTurns;
}

/** Lets one report be read after the other, and payees take turns. Others are refused with `toomanyrequests`. */
export function reportTurns(): ReportTurns {
  const refusal = () =>
    new Refusal('toomanyrequests', 'Other reports are being made: ask again in a moment.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  const turns = createFairTurns({ atOnce: AT_ONCE, waiting: WAITING, patienceMs: PATIENCE_MS, refusal });
  return (payeeId, make) => turns([payeeId, payeeId], make);
}
