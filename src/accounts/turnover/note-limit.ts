import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { raiseLimitSequence } from './turnover.store.ts';
import type { StoppedByLimit } from './turnover.types.ts';

/** Tells a payee, and the audit trail, that a limit has stopped something. */
export async function noteLimitReached(
  transaction: Transaction,
  { payeeId, actor, accountId, limit, amount, currency }: StoppedByLimit,
): Promise<void> {
  const { productId, flow, scope, period, amount: largest } = limit;
  const { rows } = await raiseLimitSequence(transaction, payeeId, limit);
  await writeEvents(
    transaction,
    rows.map(({ limitId, eventSequence, happenedAt }) => ({
      payeeId,
      type: 'gift-card-limit.reached' as const,
      resourceId: limitId,
      resourceSequence: eventSequence,
      happenedAt,
      payload: { productId, accountId, flow, scope, period, limit: largest, amount, currency },
    })),
  );
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'reach-gift-card-limit',
      objectId: productId,
      details: { amount, currency, limit: `${flow} ${scope} ${period} ${largest}`, ...(accountId && { accountId }) },
    },
  ]);
}
