import { nameOfActor } from '../../kit/caller.ts';
import type { WeighAct } from '../../kit/given.ts';
import type { Kontor } from '../../kontor.types.ts';
import { weighGiving } from './weigh-giving.ts';

/** Makes what does an act of a person, or keeps it for another one: what a page or a command of theirs books. */
export function weighActs(context: Kontor): WeighAct {
  return async (act, { payeeId, params, body }, { actor, isReauthenticated }) => {
    const asked = { payeeId, params, body };
    const given = await act.gives(asked);
    if (given !== undefined) {
      const { operationId } = act;
      const { way = '', amount, currency } = given;
      // Asking again for the same object, in the same way and as much, is asking once.
      const request = { params, body, idempotencyKey: [operationId, way, amount, currency].join(':') };
      const giving = { ...given, payeeId, person: nameOfActor(actor), operationId, request, isReauthenticated, actor };
      const waiting = await context.database.transact((transaction) => weighGiving(transaction, context, giving));
      if (waiting !== undefined) return waiting;
    }
    await act.run(asked, actor, given);
    return undefined;
  };
}
