import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { NoParams, NoQuery } from '../../kit/portal.wire.ts';
import type { MerchantsService } from '../merchants.types.ts';
import { createPayee } from './create-payee.ts';
import { selectPayees } from './payees.store.ts';
import { CreatedPayee, PayeeBody, PayeeList } from './payees.wire.ts';

/** The payees of the installation, for operators. */
export function payeeRoutes({ transact, merchants }: MerchantsService): AnyPortalRoute[] {
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
  ];
}
