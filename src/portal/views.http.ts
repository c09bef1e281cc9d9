import { portalRoute } from '../http/portal-route.ts';
import type { AnyPortalRoute } from '../http/portal-route.types.ts';
import { NoMembers, PayeeParams } from '../kit/portal.wire.ts';
import { NoQuery } from '../kit/schemas.wire.ts';
import type { Kontor } from '../kontor.types.ts';
import { forgetView, saveView } from './save-view.ts';
import { selectViews } from './views.store.ts';
import { View, ViewBody, ViewParams, ViewsAnswer } from './views.wire.ts';

const TAG = 'Views';
const HERE = '/portal/api/payees/:payeeId/views';

/** Lists as a user wants to see them again. */
export function portalViewRoutes({ database, newId }: Kontor): AnyPortalRoute[] {
  const {
    read,
    background: { transact },
  } = database;
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'listViews',
      tag: TAG,
      summary: 'List your saved views',
      shape: { params: PayeeParams, query: NoQuery, body: undefined, answer: ViewsAnswer },
      handle: async ({ payeeId, user }) => ({
        views: [...(await selectViews(read, { payeeId, userId: user.userId }))],
      }),
    }),
    portalRoute({
      method: 'POST',
      path: HERE,
      operationId: 'saveView',
      tag: TAG,
      summary: 'Save a view',
      shape: { params: PayeeParams, query: NoQuery, body: ViewBody, answer: View },
      handle: ({ payeeId, user, body }) =>
        transact((transaction) =>
          saveView(transaction, { payeeId, userId: user.userId }, { ...body, viewId: newId() }),
        ),
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/:viewId/delete`,
      operationId: 'deleteView',
      tag: TAG,
      summary: 'Delete a saved view',
      shape: { params: ViewParams, query: NoQuery, body: NoMembers, answer: NoMembers },
      handle: async ({ payeeId, user, params }) => {
        await transact((transaction) => forgetView(transaction, { payeeId, userId: user.userId }, params.viewId));
        return {};
      },
    }),
  ];
}
