import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { periodOf } from '../period.rules.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { askBusinessDays } from './ask-business-days.ts';
import { askSales, WHILE_WAITED_FOR } from './ask-sales.ts';
import { askTrialBalance } from './ask-trial-balance.ts';
import { businessDaysCsv } from './describe-business-days.ts';
import { salesCsv } from './describe-sales.ts';
import { trialBalanceCsv } from './describe-trial-balance.ts';
import { BusinessDaysAnswer, ReportQuery, SalesQuery } from './reports.wire.ts';
import { columnsOf } from './sales.rules.ts';

const TAG = 'Reports';
const HERE = '/portal/api/payees/:payeeId';

/** Reports as tables to download, and what is a report of the portal alone. */
export function portalReportRoutes(context: SettlementContext): AnyPortalRoute[] {
  const { read, inTurn } = context.database.reportReads;
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
        text: trialBalanceCsv(await inTurn(payeeId, () => askTrialBalance(read, { payeeId, ...periodOf(query) }))),
      }),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/business-days`,
      operationId: 'listBusinessDays',
      tag: TAG,
      summary: 'See what is of a period by business days of acquirers, and what by the days of the payee',
      shape: { params: PayeeParams, query: ReportQuery, body: undefined, answer: BusinessDaysAnswer },
      handle: async ({ payeeId, query }) => {
        const { timeZone, lines, totals } = await inTurn(payeeId, () =>
          askBusinessDays(read, { payeeId, ...periodOf(query) }),
        );
        return { timeZone, lines, totals };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/business-days.csv`,
      operationId: 'exportBusinessDays',
      tag: TAG,
      summary: 'Download the same as a table',
      shape: { params: PayeeParams, query: ReportQuery, body: undefined, answer: undefined },
      handle: async ({ payeeId, query }) => ({
        fileName: 'business-days.csv',
        text: businessDaysCsv(await inTurn(payeeId, () => askBusinessDays(read, { payeeId, ...periodOf(query) }))),
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
        return {
          fileName: 'sales.csv',
          text: salesCsv(await inTurn(payeeId, () => askSales(read, asked, WHILE_WAITED_FOR))),
        };
      },
    }),
  ];
}
