import { actorOf } from '../../http/actor.ts';
import type { ApiRoute, EdgeRequest } from '../../http/route.types.ts';
import { assert } from '../../kit/assert.ts';
import { nameOfActor } from '../../kit/caller.ts';
import type { WeighedAct } from '../../kit/given.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { CarryOut, KeptRequest } from './approvals.types.ts';
import { weighGiving } from './weigh-giving.ts';

/**
 * A route that weighs what pages of the portal give away by it before it does anything. What must wait for another person is
 * answered 202. Programs are not weighed, and wait for nothing.
 */
export function weighed(route: ApiRoute, context: Kontor): ApiRoute {
  const { gives, operationId, handle } = route;
  if (gives === undefined) return route;
  return {
    ...route,
    handle: async (request) => {
      const { person, credential } = request.caller;
      if (person === undefined) return handle(request);
      const giving = {
        ...(await gives(request)),
        payeeId: request.payeeId,
        person: nameOfActor(credential),
        operationId,
        request: keptOf(request),
        isReauthenticated: person.isReauthenticated,
        actor: actorOf(request),
      };
      const waiting = await context.database.transact((transaction) => weighGiving(transaction, context, giving));
      if (waiting === undefined) return handle({ ...request, weighed: { ...giving, objectId: giving.object.id } });
      request.noteWaiting();
      return { approval: waiting };
    },
  };
}

function keptOf({ params, body, idempotencyKey }: EdgeRequest): KeptRequest {
  return { params: params as Readonly<Record<string, string>>, body, idempotencyKey };
}

/** Makes what carries out an operation that was agreed to, in the name of the person who asked for it. */
export function carryOut({ newId }: Kontor, apiRoutes: readonly ApiRoute[], acts: readonly WeighedAct[]): CarryOut {
  const operations = new Map(apiRoutes.map((route) => [route.operationId, route]));
  return async (change, { params, body, idempotencyKey }, actor) => {
    const { payeeId, changeId, operationId, askedBy, now } = change;
    const act = acts.find((one) => one.operationId === operationId);
    if (act !== undefined) return act.run({ payeeId, params, body }, { ...actor, ...askedBy }, change);
    const route = operations.get(operationId);
    assert(route !== undefined, 'what waits is an act, or an operation of the API');
    assert(askedBy.kind === 'portal-user', 'a page asked for what is an operation of the API');
    const request: EdgeRequest = {
      params,
      query: {},
      body: body as never,
      payeeId,
      caller: { payeeId, credential: { kind: askedBy.kind, id: askedBy.id }, scopes: new Set([route.scope]) },
      // Never the same twice: the reference of the request makes repeating it safe, not the nonce.
      signature: { user: 'approval', nonce: newId(), transmittedAt: now },
      idempotencyKey: route.takesIdempotencyKey ? (idempotencyKey ?? `approval-${changeId}`) : undefined,
      version: undefined,
      noteVersion: NOTHING,
      noteCreated: NOTHING,
      noteWaiting: NOTHING,
      noteReplay: NOTHING,
      weighed: change,
      expand: new Set(),
      sessionId: actor.sessionId ?? newId(),
      trace: actor.trace,
      payerAddress: undefined,
      remoteAddress: '',
      userAgent: undefined,
    };
    return route.handle(request);
  };
}

const NOTHING = (): void => {};
