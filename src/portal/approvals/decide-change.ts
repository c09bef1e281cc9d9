import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { refuseApproval, refuseRefusal } from './approvals.rules.ts';
import { lockChange, type Outcome, selectChange, updateChange } from './approvals.store.ts';
import type { ChangeKey, Decider, HeldChange, PendingChange } from './approvals.types.ts';
import { type Step, tellOfChange } from './tell-of-change.ts';

/** Notes that another person agrees; a change that was agreed to stays as it is. Throws as `refuseApproval`. */
export async function agree(transaction: Transaction, key: ChangeKey, decider: Decider): Promise<HeldChange> {
  const change = await changeOf(transaction, key);
  refuseApproval(change, decider);
  if (change.state !== 'Pending') return change;
  const outcome = {
    from: 'Pending',
    to: 'Approved',
    decidedBy: decider.actor,
    problem: null,
    keeps: true,
  } as const;
  await move(transaction, change, outcome, { done: 'approve', actor: decider.actor });
  return { ...change, state: 'Approved' as const, eventSequence: change.eventSequence + 1 };
}

/** Notes that a person says no, or withdraws it. Throws as `refuseRefusal`. */
export async function refuse(transaction: Transaction, key: ChangeKey, decider: Decider): Promise<PendingChange> {
  const change = await changeOf(transaction, key);
  refuseRefusal(change, decider);
  const outcome = {
    from: 'Pending',
    to: 'Refused',
    decidedBy: decider.actor,
    problem: null,
    keeps: false,
  } as const;
  await move(transaction, change, outcome, { done: 'refuse', actor: decider.actor });
  return shown(transaction, key);
}

/** What came of carrying it out: the code of a problem, or nothing. */
interface CarriedOut {
  readonly actor: Actor;
  readonly problem: string | undefined;
}

/** Notes that a change that was agreed to is done, or impossible. */
export async function noteCarriedOut(
  transaction: Transaction,
  key: ChangeKey,
  { actor, problem }: CarriedOut,
): Promise<void> {
  const now = await changeOf(transaction, key);
  // Another approval of the same change came first; both had one effect.
  if (now.state !== 'Approved') return;
  const to = problem === undefined ? 'Done' : 'Impossible';
  const outcome = { from: 'Approved', to, decidedBy: null, problem: problem ?? null, keeps: to === 'Done' } as const;
  const said =
    problem === undefined ? ({ done: 'complete', actor } as const) : ({ done: 'fail', actor, problem } as const);
  await move(transaction, now, outcome, said);
}

/**
 * The change, locked.
 *
 * @throws Refusal `notfound`
 */
export async function changeOf(transaction: Transaction, key: ChangeKey): Promise<HeldChange> {
  const change = isUuid(key.changeId) ? await lockChange(transaction, key) : undefined;
  if (change === undefined) throw notFound();
  return change;
}

/** A change that was decided, as it is shown. */
export async function shown(transaction: Transaction, key: ChangeKey): Promise<PendingChange> {
  const change = await selectChange(transaction, key);
  assert(change !== undefined, 'a change that was decided is there');
  return change;
}

async function move(transaction: Transaction, change: HeldChange, outcome: Outcome, step: Step): Promise<void> {
  const moved = await updateChange(transaction, change, outcome);
  assert(moved === 1, 'a locked change stands as it was read');
  await tellOfChange(transaction, { ...change, eventSequence: change.eventSequence + 1 }, step);
}
