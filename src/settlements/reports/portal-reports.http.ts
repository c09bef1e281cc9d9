import type { Read } from '../../db/transaction.types.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { periodOf } from '../period.rules.ts';
import { askSales } from './ask-sales.ts';
import { askTrialBalance } from './ask-trial-balance.ts';
import { salesCsv } from './describe-sales.ts';
import { trialBalanceCsv } from './describe-trial-balance.ts';
import { ReportQuery, SalesQuery } from './reports.wire.ts';
import { columnsOf } from './sales.rules.ts';

const TAG = 'Reports';
const HERE = '/portal/api/payees/:payeeId';

/** Reports as tables to download. */
export function portalReportRoutes({ read }: { readonly read: Read }): AnyPortalRoute[] {
  return [
    portalRoute({
      method: 'GET',
      path: `${HERE}/trial-balance.csv`,
      operationId: 'exportTrialBalance',
      tag: TAG,
      summary: 'Download the trial balance of a period as a table',
      shape: { params: PayeeParams, query: ReportQuery, body: undefined, answer: undefined },
      handle: async ({ payeeId, query }) => ({
        fileName: 'trial-balance.csv',
        text: trialBalanceCsv(await askTrialBalance(read, { payeeId, ...periodOf(query) })),
      }),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/sales.csv`,
      operationId: 'exportSales',
      tag: TAG,
      summary: 'Download what was sold and given back on some days as a table',
      shape: { params: PayeeParams, query: SalesQuery, body: undefined, answer: undefined },
      handle: async ({ payeeId, query: { from, to, by, ...only } }) => {
        const asked = { payeeId, ...periodOf({ from, to }), by: columnsOf(by), ...only };
        return { fileName: 'sales.csv', text: salesCsv(await askSales(read, asked)) };
      },
    }),
  ];
}
