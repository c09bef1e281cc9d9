import type { Transaction } from '../../db/transaction.types.ts';
import { holdKeys } from '../../keys/ring/hold-keys.ts';
import { assert } from '../../kit/assert.ts';
import { type Actor, nameOfActor } from '../../kit/caller.ts';
import { forbidden, notFound, PROBLEMS, Refusal } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Kontor } from '../../kontor.types.ts';
import { associatedDataOfRequest, refuseApproval, refuseRefusal } from './approvals.rules.ts';
import { lockChange, type Outcome, selectChange, updateChange } from './approvals.store.ts';
import type { ChangeKey, Decider, DecidingContext, HeldChange, KeptRequest, PendingChange } from './approvals.types.ts';
import { type Step, tellOfChange } from './tell-of-change.ts';

/**
 * Agrees to a change and carries it out in the name of the person who asked. Agreeing again, or two at once, has one
 * effect: the request has a reference of its own. What turns out to be impossible says so; where no answer came,
 * agreeing again tries again.
 *
 * @throws Refusal `notfound`, `forbidden`, `conflict` as `refuseApproval`, and 5xx of the operation
 */
export async function approveChange(
  context: DecidingContext,
  key: ChangeKey,
  decider: Decider,
): Promise<PendingChange> {
  const held = await context.database.transact(async (transaction) => {
    const change = await changeOf(transaction, key);
    refuseApproval(change, decider);
    if (change.state === 'Pending') {
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
    return change;
  });
  if (held.state === 'Approved') await carryOut(context, held, decider.actor);
  return context.database.transact((transaction) => shown(transaction, key));
}

/**
 * Says no to a change, or withdraws it.
 *
 * @throws Refusal `notfound`, `forbidden`, `conflict` as `refuseRefusal`
 */
export function refuseChange(context: Kontor, key: ChangeKey, decider: Decider): Promise<PendingChange> {
  return context.database.transact(async (transaction) => {
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
  });
}

/**
 * What the operation answered, once more: the person who asked for a gift card sees its number by it, for a day.
 *
 * @throws Refusal `notfound`, and `forbidden` for another person and before it is done
 */
export async function collectChange(context: DecidingContext, key: ChangeKey, actor: Actor): Promise<unknown> {
  const change = await context.database.transact((transaction) => changeOf(transaction, key));
  if (nameOfActor(change.askedBy) !== nameOfActor(actor))
    throw forbidden('person', 'Only the person who asked for this sees what came of it.');
  if (change.state !== 'Done' || change.sealed === null) throw forbidden('state', 'There is nothing to be seen.');
  return run(context, change, actor);
}

async function changeOf(transaction: Transaction, key: ChangeKey): Promise<HeldChange> {
  const change = isUuid(key.changeId) ? await lockChange(transaction, key) : undefined;
  if (change === undefined) throw notFound();
  return change;
}

async function shown(transaction: Transaction, key: ChangeKey): Promise<PendingChange> {
  const change = await selectChange(transaction, key);
  assert(change !== undefined, 'a change that was decided is there');
  return change;
}

async function move(transaction: Transaction, change: HeldChange, outcome: Outcome, step: Step): Promise<void> {
  const moved = await updateChange(transaction, change, outcome);
  assert(moved === 1, 'a locked change stands as it was read');
  await tellOfChange(transaction, { ...change, eventSequence: change.eventSequence + 1 }, step);
}

/** Carries an approved change out, and notes what came of it. */
async function carryOut(context: DecidingContext, change: HeldChange, actor: Actor): Promise<void> {
  const problem = await run(context, change, actor).then(
    () => undefined,
    (error: unknown) => {
      // What is not certain stays approved, to be tried again.
      if (error instanceof Refusal && PROBLEMS[error.code].status < 500) return error.code;
      throw error;
    },
  );
  await context.database.transact(async (transaction) => {
    const now = await changeOf(transaction, change);
    // Another approval of the same change came first; both had one effect.
    if (now.state !== 'Approved') return;
    const to = problem === undefined ? 'Done' : 'Impossible';
    const outcome = { from: 'Approved', to, decidedBy: null, problem: problem ?? null, keeps: to === 'Done' } as const;
    const said =
      problem === undefined ? ({ done: 'complete', actor } as const) : ({ done: 'fail', actor, problem } as const);
    await move(transaction, now, outcome, said);
  });
}

/** The operation as the page would have called it. Its reference makes it safe to be run again. */
async function run(context: DecidingContext, change: HeldChange, actor: Actor): Promise<unknown> {
  const { sealed } = change;
  assert(sealed !== null, 'a change that is to be carried out has its request');
  await holdKeys(context.keyRing, [sealed]);
  const text = context.keyRing.open(associatedDataOfRequest(change), sealed).reveal();
  return context.carryOut(change, JSON.parse(text) as KeptRequest, actor);
}
