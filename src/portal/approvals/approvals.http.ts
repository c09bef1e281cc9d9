import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute, PortalRequest } from '../../http/portal-route.types.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { assert } from '../../kit/assert.ts';
import { forbidden } from '../../kit/errors.ts';
import type { WeighedAct } from '../../kit/given.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { NoMembers, PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { decidable } from './approvals.rules.ts';
import { countWaiting } from './approvals.store.ts';
import type { PendingChange as Change } from './approvals.types.ts';
import {
  ChangeCount,
  ChangeParams,
  ChangesQuery,
  CollectedCard,
  PendingChange,
  PendingChanges,
} from './approvals.wire.ts';
import { approveChange, collectChange, refuseChange } from './decide-change.flow.ts';
import { describeChanges, shownChange } from './describe-changes.ts';
import { carryOut } from './giving.http.ts';
import { listChanges } from './list-changes.ts';

const TAG = 'Approvals';
const HERE = '/portal/api/payees/:payeeId/pending-changes';

/** What waits for a second person. */
export function approvalRoutes(
  kontor: Kontor,
  apiRoutes: readonly ApiRoute[],
  acts: readonly WeighedAct[],
): AnyPortalRoute[] {
  const context = { ...kontor, carryOut: carryOut(kontor, apiRoutes, acts) };
  const { read, transact } = kontor.database;
  const shown = async (payeeId: PayeeId, changes: readonly Change[]) =>
    (await describeChanges(read, payeeId, changes)).map(shownChange);
  const shownOne = async ({ payeeId }: Named, change: Change) => {
    const [first] = await shown(payeeId, [change]);
    assert(first !== undefined, 'a change that was decided is there');
    return first;
  };
  const one = { params: ChangeParams, query: NoQuery, body: NoMembers };
  const keyOf = ({ payeeId, params }: Named) => ({ payeeId, changeId: params.changeId.toLowerCase() });
  const deciderOf = (request: Named) => ({ role: request.user.role, actor: actorOf(request) });
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'listPendingChanges',
      tag: TAG,
      summary: 'List what waits or waited for another person, the newest first',
      shape: { params: PayeeParams, query: ChangesQuery, body: undefined, answer: PendingChanges },
      handle: async ({ payeeId, query }) => {
        const { changes, next } = await transact((transaction) => listChanges(transaction, payeeId, query.cursor));
        return { changes: await shown(payeeId, changes), next };
      },
    }),
    portalRoute({
      method: 'GET',
      path: '/portal/api/payees/:payeeId/pending-change-count',
      operationId: 'countPendingChanges',
      tag: TAG,
      summary: 'Count what other people asked for and this user may agree to',
      shape: { params: PayeeParams, query: NoQuery, body: undefined, answer: ChangeCount },
      handle: async ({ payeeId, user, caller }) => {
        const waiting = await countWaiting(read, payeeId, caller.credential);
        return { count: decidable(waiting, user.role) };
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/:changeId/approve`,
      operationId: 'approvePendingChange',
      tag: TAG,
      summary: 'Agree to what another person asked for, which is then done',
      shape: { ...one, answer: PendingChange },
      handle: async (request) => shownOne(request, await approveChange(context, keyOf(request), deciderOf(request))),
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/:changeId/refuse`,
      operationId: 'refusePendingChange',
      tag: TAG,
      summary: 'Refuse what another person asked for, or withdraw what you asked for',
      shape: { ...one, answer: PendingChange },
      handle: async (request) => shownOne(request, await refuseChange(context, keyOf(request), deciderOf(request))),
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/:changeId/collect`,
      operationId: 'collectPendingChange',
      tag: TAG,
      summary: 'See the gift card that you asked for and another person agreed to, for a day',
      shape: { ...one, answer: CollectedCard },
      handle: async (request) => cardOf(await collectChange(context, keyOf(request), actorOf(request))),
    }),
  ];
}

type Named = Pick<PortalRequest, 'payeeId' | 'user' | 'caller' | 'sessionId' | 'trace' | 'remoteAddress'> & {
  readonly params: { readonly changeId: string };
};

type Card = { accountKey: string; cvc: string; expiryDate: string };

/** The card in the answer of an operation that makes one. */
function cardOf(answer: unknown): Card {
  const made = answer as { accountSummaryGiftCard?: Card; replacement?: Card };
  const card = made.accountSummaryGiftCard ?? made.replacement;
  if (card === undefined) throw forbidden('state', 'There is nothing to be seen.');
  return card;
}
