import { holdKeys } from '../../keys/ring/hold-keys.ts';
import { assert } from '../../kit/assert.ts';
import { type Actor, nameOfActor } from '../../kit/caller.ts';
import { forbidden, PROBLEMS, Refusal } from '../../kit/errors.ts';
import type { Kontor } from '../../kontor.types.ts';
import { associatedDataOfRequest } from './approvals.rules.ts';
import type { ChangeKey, Decider, DecidingContext, HeldChange, KeptRequest, PendingChange } from './approvals.types.ts';
import { agree, changeOf, noteCarriedOut, refuse, shown } from './decide-change.ts';

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
  const { transact } = context.database;
  const held = await transact((transaction) => agree(transaction, key, decider));
  if (held.state === 'Approved') await carryOut(context, held, decider.actor);
  return transact((transaction) => shown(transaction, key));
}

/**
 * Says no to a change, or withdraws it.
 *
 * @throws Refusal `notfound`, `forbidden`, `conflict` as `refuseRefusal`
 */
export function refuseChange({ database }: Kontor, key: ChangeKey, decider: Decider): Promise<PendingChange> {
  return database.transact((transaction) => refuse(transaction, key, decider));
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
  await context.database.transact((transaction) => noteCarriedOut(transaction, change, { actor, problem }));
}

/** The operation as the page would have called it. Its reference makes it safe to be run again. */
async function run(context: DecidingContext, change: HeldChange, actor: Actor): Promise<unknown> {
  const { sealed } = change;
  assert(sealed !== null, 'a change that is to be carried out has its request');
  await holdKeys(context.keyRing, [sealed]);
  const text = context.keyRing.open(associatedDataOfRequest(change), sealed).reveal();
  return context.carryOut(change, JSON.parse(text) as KeptRequest, actor);
}
