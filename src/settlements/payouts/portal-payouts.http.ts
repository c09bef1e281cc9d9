import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { NoMembers, PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { periodOf } from '../period.rules.ts';
import { PeriodQuery, SeenBody } from '../portal-settlements.wire.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { exportPayouts } from './describe-payouts.ts';
import { markSeen } from './mark-seen.ts';

const TAG = 'Settlement';
const HERE = '/portal/api/payees/:payeeId';

/** What a person does with payouts: compares them with the bank's statement. */
export function portalPayoutRoutes(context: SettlementContext): AnyPortalRoute[] {
  const { read, transact } = context.database.background;
  return [
    portalRoute({
      method: 'POST',
      path: `${HERE}/seen-payouts`,
      operationId: 'markPayout',
      tag: TAG,
      summary: "Note that a payout stands on the bank's statement, or take that back",
      shape: { params: PayeeParams, query: NoQuery, body: SeenBody, answer: NoMembers },
      handle: async (request) => {
        const { number, isSeen } = request.body;
        const command = { payeeId: request.payeeId, number, isSeen, actor: actorOf(request) };
        await transact((transaction) => markSeen(transaction, command));
        return {};
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/payouts.csv`,
      operationId: 'exportPayouts',
      tag: TAG,
      summary: 'Download the payouts of a period as a table',
      shape: { params: PayeeParams, query: PeriodQuery, body: undefined, answer: undefined },
      handle: async ({ payeeId, query }) => ({
        fileName: 'payouts.csv',
        text: exportPayouts(read, { payeeId, ...periodOf(query) }),
      }),
    }),
  ];
}
