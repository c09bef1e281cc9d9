import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { inputError } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { readPeriod } from '../newest-first.rules.ts';
import type { ActivityFilter } from './activity.types.ts';
import { ActivityAnswer, ActivityFilterQuery, ActivityQuery } from './activity.wire.ts';
import { activityTable, listActivity, noteActivityRead } from './list-activity.ts';

const TAG = 'Activity';
const HERE = '/portal/api/payees/:payeeId/activity';

interface AskedFilter {
  readonly only?: 'people';
  readonly objectKind?: string;
  readonly objectId?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Who did what, as the audit trail has it. */
export function activityRoutes({ database }: Kontor): AnyPortalRoute[] {
  const { read, transact } = database.background;
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'listActivity',
      tag: TAG,
      summary: 'List who did what, the newest first',
      shape: { params: PayeeParams, query: ActivityQuery, body: undefined, answer: ActivityAnswer },
      handle: async (request) => {
        const { payeeId, query } = request;
        const seen = { payeeId, actor: actorOf(request), action: 'list-activity' } as const;
        const { entries, next } = await listActivity(read, filterOf(payeeId, query), query.cursor);
        await transact((transaction) => noteActivityRead(transaction, seen));
        return { entries: entries.map((entry) => ({ ...entry, details: { ...entry.details } as never })), next };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}.csv`,
      operationId: 'exportActivity',
      tag: TAG,
      summary: 'Download who did what, as a table',
      shape: { params: PayeeParams, query: ActivityFilterQuery, body: undefined, answer: undefined },
      handle: async (request) => {
        const { payeeId, query } = request;
        const filter = filterOf(payeeId, query);
        const seen = { payeeId, actor: actorOf(request), action: 'export-activity' } as const;
        await transact((transaction) => noteActivityRead(transaction, seen));
        return { fileName: 'activity.csv', text: activityTable(read, filter) };
      },
    }),
  ];
}

/** Either people's, or one object's, which has two names; of a period where one is named. */
function filterOf(payeeId: PayeeId, { only, objectKind, objectId, ...ends }: AskedFilter): ActivityFilter {
  const period = readPeriod(ends);
  if ((objectKind === undefined) !== (objectId === undefined)) {
    throw inputError('objectId', 'goes together with objectKind');
  }
  if (objectKind === undefined || objectId === undefined) return { payeeId, only, period };
  if (only !== undefined) throw inputError('only', 'cannot be combined with an object');
  return { payeeId, only: { objectKind, objectId }, period };
}
