import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { operation } from '../../http/operations.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { NoParams } from '../../kit/schemas.wire.ts';
import { periodOf } from '../period.rules.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { askSales, WHILE_WAITED_FOR } from './ask-sales.ts';
import { askTrialBalance } from './ask-trial-balance.ts';
import { ReportQuery, SalesAnswer, SalesQuery, TrialBalanceAnswer } from './reports.wire.ts';
import { columnsOf } from './sales.rules.ts';
import { SALES_COLUMNS, type SalesLine } from './sales.types.ts';
import type { BookedFor } from './trial-balance.types.ts';

const TRIAL_BALANCE = '/psp/trial-balance';
const SALES = '/psp/sales';
const TAG = 'Reports';

/** What a month is closed with. */
export function reportRoutes(context: SettlementContext, { baseUrl }: RouteGiven): ApiRoute[] {
  const { read, inTurn } = context.database.reportReads;
  return [
    apiRoute({
      method: 'GET',
      path: TRIAL_BALANCE,
      scope: 'payments',
      operationId: 'getTrialBalance',
      tag: TAG,
      summary:
        'Read what each side of the ledger stood at before and after some days, what moved, and whether it ties out',
      shape: { params: NoParams, query: ReportQuery, body: undefined, answer: TrialBalanceAnswer },
      handle: async ({ payeeId, query }) => {
        const { lines, totals, ties, ...period } = await inTurn(payeeId, () =>
          askTrialBalance(read, { payeeId, ...periodOf(query) }),
        );
        return {
          trialBalance: {
            id: TRIAL_BALANCE,
            ...period,
            lines: lines.map(named),
            totals,
            ties: ties.map(named),
          },
          operations: [operation('GET', 'get-trial-balance', `${baseUrl()}${TRIAL_BALANCE}`)],
        };
      },
    }),
    apiRoute({
      method: 'GET',
      path: SALES,
      scope: 'payments',
      operationId: 'getSales',
      tag: TAG,
      summary: 'Read what was sold and given back on some days, by day, shop, terminal, VAT rate, means or brand',
      shape: { params: NoParams, query: SalesQuery, body: undefined, answer: SalesAnswer },
      handle: async ({ payeeId, query: { from, to, by, ...only } }) => {
        const asked = { payeeId, ...periodOf({ from, to }), by: columnsOf(by), ...only };
        const {
          by: columns,
          lines,
          totals,
          ...period
        } = await inTurn(payeeId, () => askSales(read, asked, WHILE_WAITED_FOR));
        return {
          salesReport: {
            id: SALES,
            ...period,
            by: [...columns],
            lines: lines.map(known),
            totals,
          },
          operations: [operation('GET', 'get-sales', `${baseUrl()}${SALES}`)],
        };
      },
    }),
  ];
}

/** A line without the columns that it is not told apart by. */
function known({
  currency,
  sales,
  salesAmount,
  salesVat,
  refunds,
  refundsAmount,
  refundsVat,
  net,
  fees,
  ...line
}: SalesLine) {
  const sums = { currency, sales, salesAmount, salesVat, refunds, refundsAmount, refundsVat, net, fees };
  const columns: { [column in (typeof SALES_COLUMNS)[number]]?: string } = {};
  for (const column of SALES_COLUMNS) {
    const value = line[column];
    if (value !== null) columns[column] = value;
  }
  return { ...columns, ...sums };
}

/** What is about no agreement, or no product, has no such member. */
function named<Row extends Pick<BookedFor, 'agreement' | 'product'>>({ agreement, product, ...row }: Row) {
  return { ...row, ...(agreement !== null && { agreement }), ...(product !== null && { product }) };
}
