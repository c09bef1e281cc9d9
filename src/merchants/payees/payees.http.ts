import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { NoMembers, PayeeParams } from '../../kit/portal.wire.ts';
import { NoParams, NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { createPayee } from './create-payee.ts';
import { changePayeeState } from './payee-states.ts';
import { selectPayees } from './payees.store.ts';
import { ChangedState, CreatedPayee, PayeeBody, PayeeList, StateBody, TimeZoneBody } from './payees.wire.ts';
import { setTimeZone } from './time-zone.ts';

/** The payees of the installation, for operators; and what a payee's own people settle about it. */
export function payeeRoutes(merchants: Kontor): AnyPortalRoute[] {
  const { transact } = merchants.database.background;
  const common = { path: '/portal/api/payees', tag: 'Installation' };
  const shape = { params: NoParams, query: NoQuery };
  return [
    portalRoute({
      ...common,
      method: 'GET',
      operationId: 'listPayees',
      summary: 'List all payees, the oldest first',
      shape: { ...shape, body: undefined, answer: PayeeList },
      handle: async () => ({ payees: [...(await transact((transaction) => selectPayees(transaction, null))).rows] }),
    }),
    portalRoute({
      ...common,
      method: 'POST',
      operationId: 'createPayee',
      summary: 'Create a payee',
      shape: { ...shape, body: PayeeBody, answer: CreatedPayee },
      handle: async (request) => {
        const command = { name: request.body.name, actor: actorOf(request) };
        const payeeId = await transact((transaction) => createPayee(transaction, merchants, command));
        return { payeeId };
      },
    }),
    portalRoute({
      ...common,
      path: '/portal/api/payees/:payeeId/time-zone',
      method: 'PATCH',
      operationId: 'setTimeZone',
      summary: 'Set where the days of a payee begin: of its lists, figures and reports from then on',
      shape: { params: PayeeParams, query: NoQuery, body: TimeZoneBody, answer: NoMembers },
      handle: async (request) => {
        const { timeZone } = request.body;
        const command = { payeeId: request.payeeId, timeZone, actor: actorOf(request) };
        await transact((transaction) => setTimeZone(transaction, command));
        return {};
      },
    }),
    portalRoute({
      ...common,
      path: '/portal/api/payees/:payeeId/state',
      method: 'POST',
      operationId: 'changePayeeState',
      summary: 'Stop a payee, let it go on, or close it for good',
      shape: { params: PayeeParams, query: NoQuery, body: StateBody, answer: ChangedState },
      handle: async (request) => {
        const { state, reason } = request.body;
        const command = { payeeId: request.payeeId, state, reason, actor: actorOf(request), byTwo: true } as const;
        const isNew = await transact((transaction) => changePayeeState(transaction, merchants, command));
        return { state, isNew };
      },
    }),
  ];
}
