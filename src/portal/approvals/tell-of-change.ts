import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import type { Actor } from '../../kit/caller.ts';
import type { HeldChange } from './approvals.types.ts';

/** What can happen to a change, as the audit trail and the events have it. */
const STEPS = {
  ask: { action: 'ask-pending-change', type: 'pending-change.asked' },
  approve: { action: 'approve-pending-change', type: 'pending-change.approved' },
  refuse: { action: 'refuse-pending-change', type: 'pending-change.refused' },
  complete: { action: 'complete-pending-change', type: 'pending-change.completed' },
  fail: { action: 'fail-pending-change', type: 'pending-change.impossible' },
} as const;

/** What is told of a change. */
export type ToldChange = Pick<
  HeldChange,
  'payeeId' | 'changeId' | 'operationId' | 'currency' | 'amount' | 'eventSequence' | 'now'
>;

/** Who did what with it; the code of the problem, where it turned out to be impossible. */
export interface Step {
  readonly done: keyof typeof STEPS;
  readonly actor: Actor;
  readonly problem?: string;
}

/** Writes down who did what with a change that needs two persons, and adds the event that tells of it. */
export async function tellOfChange(transaction: Transaction, change: ToldChange, step: Step): Promise<void> {
  const { payeeId, changeId, operationId, currency, amount, eventSequence, now } = change;
  const { done, actor, problem } = step;
  const { action, type } = STEPS[done];
  const details = { operation: operationId, amount, currency, ...(problem !== undefined && { problem }) };
  await writeAudit(transaction, [{ payeeId, actor, action, objectId: changeId, details }]);
  await writeEvents(transaction, [
    {
      payeeId,
      type,
      resourceId: changeId,
      resourceSequence: eventSequence,
      happenedAt: now,
      payload: details,
    },
  ]);
}
