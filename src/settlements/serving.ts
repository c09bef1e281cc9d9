import type { JobContext } from '../db/job-context.types.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
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
import { startKeepingBalances } from './reports/keep-balances.job.ts';
import { portalReportRoutes } from './reports/portal-reports.http.ts';
import { reportRoutes } from './reports/reports.http.ts';
import { settlementRoutes } from './settlements.http.ts';

type Settlements = ReturnType<typeof composeSettlements>;

/** What acquirers owe and have paid, disputes, and reports. */
export function routes({ context, acts }: Settlements, given: RouteGiven & Weighing) {
  const portalActs = { acts, weighAct: given.weighAct };
  return {
    apiRoutes: [
      ...settlementRoutes(context, given),
      ...payoutRoutes(context, given),
      ...disputeRoutes(context, given),
      ...reportRoutes(context, given),
    ],
    portalRoutes: [
      ...portalSettlementRoutes(context, portalActs),
      ...portalDisputeRoutes(context, portalActs),
      ...portalPayoutRoutes(context),
      ...portalReportRoutes(context),
      ...portalFileRoutes(context, sentFile),
    ],
  };
}

/** Closes days, and keeps sums of what was booked. */
export function startJobs({ context }: Settlements, jobs: JobContext) {
  return { stop: stopAll([startSettling(jobs, context), startKeepingBalances(jobs)]) };
}
