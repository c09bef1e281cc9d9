import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { notFound } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { blockedBy, stateAfter } from './disputes.rules.ts';
import { addDisputed, lockDispute, upsertDispute } from './disputes.store.ts';
import type { Dispute, DisputedChange, DisputeStep } from './disputes.types.ts';

/** A dispute before and after. */
export interface DisputeChange {
  /** Undefined: it is new. */
  readonly before: Dispute | undefined;
  readonly after: Omit<Dispute, 'openedAt' | 'updatedAt' | 'eventSequence' | 'accountId'>;
  readonly actor: Actor;
}

/**
 * Stores a dispute as it now is, and tells of it.
 *
 * @returns how much more of its payment cannot be given back: to be stored as the last thing of the transaction, for
 * payments wait for that row
 */
export async function saveDispute(
  transaction: Transaction,
  { before, after, actor }: DisputeChange,
): Promise<DisputedChange> {
  const eventSequence = (before?.eventSequence ?? 0) + 1;
  const happenedAt = await upsertDispute(transaction, { ...after, eventSequence });
  assert(happenedAt !== '', 'a dispute that is locked changes from what was seen of it');
  const { payeeId, disputeId, paymentId, state, stage, amount, currency } = after;
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: before === undefined ? 'open-dispute' : 'change-dispute',
      objectId: disputeId,
      details: { state, amount, currency },
    },
  ]);
  await writeEvents(transaction, [
    {
      payeeId,
      type: before === undefined ? 'dispute.opened' : 'dispute.changed',
      resourceId: disputeId,
      resourceSequence: eventSequence,
      happenedAt,
      payload: { disputeId, paymentId, stage, state, amount, currency, respondBy: after.respondBy },
    },
  ]);
  return { payeeId, paymentId, more: blockedBy(after) - (before === undefined ? 0 : blockedBy(before)) };
}

/** Stores how much more of payments cannot be given back, in the order of their ids: that in which payments are locked. */
export async function noteDisputed(transaction: Transaction, changes: readonly DisputedChange[]): Promise<void> {
  const inOrder = [...changes].sort((a, b) => (a.payeeId + a.paymentId < b.payeeId + b.paymentId ? -1 : 1));
  for (const change of inOrder) if (change.more !== 0) await addDisputed(transaction, change);
}

/** A person's step. */
export interface ChangeDispute {
  readonly payeeId: PayeeId;
  readonly disputeId: string;
  readonly step: DisputeStep;
  readonly actor: Actor;
}

/**
 * Takes a step of a dispute. Twice is as once.
 *
 * @throws Refusal `notfound` where there is none, `forbidden` where it has gone another way
 */
export async function changeDispute(
  transaction: Transaction,
  { payeeId, disputeId, step, actor }: ChangeDispute,
): Promise<Dispute> {
  const before = await lockDispute(transaction, payeeId, disputeId);
  if (before === undefined) throw notFound();
  const state = stateAfter(before.state, step);
  if (state === before.state) return before;
  const { openedAt: _, updatedAt: __, eventSequence: ___, accountId: ____, ...after } = { ...before, state };
  await noteDisputed(transaction, [await saveDispute(transaction, { before, after, actor })]);
  return (await lockDispute(transaction, payeeId, disputeId)) ?? before;
}
