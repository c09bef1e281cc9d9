import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { notFound } from '../../kit/errors.ts';
import type { BatchKey } from '../files/files.types.ts';
import { updateSeen } from './payouts.store.ts';

/** Who has seen which payout on the bank's statement, or takes that back. */
export interface MarkSeen extends BatchKey {
  readonly isSeen: boolean;
  readonly actor: Actor;
}

/**
 * Notes that a payout stands on the bank's statement. Twice is as once.
 *
 * @throws Refusal `notfound` where no batch of that name stands
 */
export async function markSeen(transaction: Transaction, { isSeen, actor, ...batch }: MarkSeen): Promise<void> {
  const isNew = await updateSeen(transaction, { ...batch, person: isSeen ? actor.name : null });
  if (isNew === undefined) throw notFound();
  if (!isNew) return;
  const { payeeId, batchId } = batch;
  await writeAudit(transaction, [
    { payeeId, actor, action: 'mark-payout', objectId: batchId, details: { state: isSeen ? 'Seen' : 'NotSeen' } },
  ]);
}
