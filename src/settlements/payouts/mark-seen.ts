import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { type Actor, nameOfActor } from '../../kit/caller.ts';
import { notFound } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { updateSeen } from './payouts.store.ts';

/** Who has seen which payout on the bank's statement, or takes that back. */
export interface MarkSeen {
  readonly payeeId: PayeeId;
  /** Of the batch in the order of imports. */
  readonly number: number;
  readonly isSeen: boolean;
  readonly actor: Actor;
}

/**
 * Notes that a payout stands on the bank's statement. Twice is as once.
 *
 * @throws Refusal `notfound` where no such batch stands
 */
export async function markSeen(transaction: Transaction, { payeeId, number, isSeen, actor }: MarkSeen): Promise<void> {
  const marked = await updateSeen(transaction, { payeeId, number, person: isSeen ? nameOfActor(actor) : null });
  if (marked === undefined) throw notFound();
  if (!marked.isNew) return;
  await writeAudit(transaction, [
    { payeeId, actor, action: 'mark-payout', objectId: marked.name, details: { state: isSeen ? 'Seen' : 'NotSeen' } },
  ]);
}
