import { stopAll } from '../kit/work/background.ts';
import type { composeSettlements, Weighing } from './compose.ts';
import { startSettling } from './days/days.job.ts';
import { disputeRoutes } from './disputes/disputes.http.ts';
import { portalDisputeRoutes } from './disputes/portal-disputes.http.ts';
import { portalFileRoutes } from './files/portal-files.http.ts';
import { sentFile } from './files/sent-file.adapter.ts';
import { payoutRoutes } from './payouts/payouts.http.ts';
import { portalPayoutRoutes } from './payouts/portal-payouts.http.ts';
import { portalSettlementRoutes } from './portal-settlements.http.ts';
import { type BalancesContext, startKeepingBalances } from './reports/keep-balances.job.ts';
import { portalReportRoutes } from './reports/portal-reports.http.ts';
import { reportRoutes } from './reports/reports.http.ts';
import { settlementRoutes } from './settlements.http.ts';
import type { SettlementRoutesOptions } from './settlements.types.ts';

type Settlements = ReturnType<typeof composeSettlements>;

/** What acquirers owe and have paid, disputes, and reports. */
export function routes(
  { database, context, acts }: Settlements,
  { baseUrl, weighAct }: Pick<SettlementRoutesOptions, 'baseUrl'> & Weighing,
) {
  const { background, longWork } = database;
  // Sums over many rows: where the planner is free.
  const { read } = background;
  const options = { read, baseUrl };
  const reports = { ...database.reportReads, baseUrl };
  return {
    apiRoutes: [
      ...settlementRoutes(options),
      ...payoutRoutes(options),
      ...disputeRoutes(options),
      ...reportRoutes(reports),
    ],
    portalRoutes: [
      ...portalSettlementRoutes({ read, longWork, context, acts, weighAct }),
      ...portalDisputeRoutes({ read, acts, weighAct }),
      ...portalPayoutRoutes(background),
      ...portalReportRoutes(reports),
      ...portalFileRoutes({ ...background, longWork, context, sentFile }),
    ],
  };
}

/** Closes days, and keeps sums of what was booked. */
export function startJobs(
  { database, context }: Settlements,
  { background, workOn }: Pick<BalancesContext, 'background' | 'workOn'>,
) {
  const given = { ...database.background, background, workOn };
  return {
    stop: stopAll([startSettling({ ...given, transact: database.longWork }, context), startKeepingBalances(given)]),
  };
}
