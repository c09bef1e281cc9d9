import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { OrderService } from '../orders.types.ts';
import { changeOrderSettings, showOrderSettings } from './order-settings.ts';
import { OrderSettingsAnswer, OrderSettingsBody } from './order-settings.wire.ts';

/** The settings of a payee about its orders, for those who answer for the payee. */
export function orderSettingsRoutes({ read, transact }: Pick<OrderService, 'read' | 'transact'>): AnyPortalRoute[] {
  const common = { path: '/portal/api/payees/:payeeId/order-settings', tag: 'Payment orders' };
  const shape = { params: PayeeParams, query: NoQuery, answer: OrderSettingsAnswer };
  return [
    portalRoute({
      ...common,
      method: 'GET',
      operationId: 'getOrderSettings',
      summary: 'See what a payee has settled about its payment orders',
      shape: { ...shape, body: undefined },
      handle: async ({ payeeId }) => ({ settings: await settingsOf(showOrderSettings(read, payeeId)) }),
    }),
    portalRoute({
      ...common,
      method: 'PATCH',
      operationId: 'changeOrderSettings',
      summary: 'Change what a payee has settled about its payment orders',
      shape: { ...shape, body: OrderSettingsBody },
      handle: async (request) => {
        const changes = request.body.changes.map(({ name, value }) => [name, value] as const);
        const command = { payeeId: request.payeeId, changes, actor: actorOf(request) };
        return { settings: await settingsOf(transact((transaction) => changeOrderSettings(transaction, command))) };
      },
    }),
  ];
}

async function settingsOf(shown: ReturnType<typeof showOrderSettings>) {
  return await shown;
}
