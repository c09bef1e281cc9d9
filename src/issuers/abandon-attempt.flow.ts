import type { Transact } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import type { Actor } from '../kit/caller.ts';
import { isUuid } from '../kit/ids.ts';
import { Trouble } from '../kit/work/trouble.ts';
import { endAdvice, findUnacknowledged, noteAbandoned } from './exchanges.ts';
import type { AttemptSettler, AttemptSubject, DueAttempt } from './issuers.types.ts';

/** What that needs. */
export interface Abandoning {
  readonly transact: Transact;
  readonly settlers: Readonly<Record<AttemptSubject, AttemptSettler>>;
}

/**
 * Ends by hand what an acquirer does not acknowledge: a take-back, or a cancel that is told again. Our books stay as they
 * are; that the acquirer's may differ is for the settlement to show. A capture that is forwarded fails, and is taken back: it may be
 * on its way.
 *
 * @throws Trouble where no such attempt waits for an acknowledgement
 */
export async function abandonAttempt(
  { transact, settlers }: Abandoning,
  { attemptId, reason, actor }: { readonly attemptId: string; readonly reason: string; readonly actor: Actor },
): Promise<void> {
  if (!isUuid(attemptId)) throw noneWaits();
  const attempt = await transact(async (transaction) => {
    const found = await findUnacknowledged(transaction, attemptId);
    if (found === undefined) return undefined;
    const { payeeId, issuerId: acquirer, state } = found;
    const details = { attempt: found.attemptId, acquirer, state, reason };
    await writeAudit(transaction, [{ payeeId, actor, action: 'abandon-attempt', objectId: payeeId, details }]);
    if (isCapture(found)) return found;
    if (state === 'FORWARDING') await endAdvice(transaction, found, { state: 'Abandoned', actionCode: null });
    else await noteAbandoned(transaction, found);
    return found;
  });
  if (attempt === undefined) throw noneWaits();
  // Should this process end before, the attempt is open still, and is abandoned again.
  const { noteTakenBack, settleForwarded } = settlers[attempt.subject];
  if (attempt.state === 'REVERSING') await noteTakenBack(attempt);
  if (isCapture(attempt)) await settleForwarded(attempt, { outcome: 'NoAnswer' });
}

function isCapture({ state, operation }: DueAttempt): boolean {
  return state === 'FORWARDING' && operation === 'Capture';
}

function noneWaits(): Trouble {
  return new Trouble('No such attempt waits for an acknowledgement. Run: kontor acquirers exchanges --open');
}
