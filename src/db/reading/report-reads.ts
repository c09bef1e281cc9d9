import { Refusal } from '../../kit/errors.ts';
import { createFairTurns } from '../../kit/work/fair-turns.ts';
import type { Read } from '../transaction.types.ts';
import type { ReportReads, ReportTurns } from './report-reads.types.ts';

/** Reports that are read at once on one instance, over connections that nothing else uses; one of them for each payee. */
export const REPORTS_AT_ONCE = 2;
const AT_ONCE_EACH = 1;
/** Reports that wait, and milliseconds for which they do: longer than a statement may take, so that the next turn is theirs. */
const WAITING = 32;
const PATIENCE_MS = 6_000;
const RETRY_SECONDS = 5;

/** Lets reports be read in turn over connections of their own. Others are refused with `toomanyrequests`. */
export function makeReportReads(read: Read): ReportReads {
  const refusal = () =>
    new Refusal('toomanyrequests', 'Other reports are being made: ask again in a moment.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  const turns = createFairTurns({
    atOnce: REPORTS_AT_ONCE,
    atOnceEach: AT_ONCE_EACH,
    waiting: WAITING,
    patienceMs: PATIENCE_MS,
    refusal,
  });
  const inTurn: ReportTurns = (payeeId, make) => turns([payeeId, payeeId], make);
  return {
    read,
    inTurn,
    readFor: (payeeId) => (statement, values) => inTurn(payeeId, () => read(statement, values)),
  };
}
