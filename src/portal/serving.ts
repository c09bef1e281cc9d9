import { startForgetting } from '../db/forgetting.ts';
import type { JobContext } from '../db/job-context.types.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import type { ApiRoute } from '../http/route.types.ts';
import { maskCardNumbersIn } from '../kit/cards/find-card-numbers.ts';
import type { WeighedAct } from '../kit/given.ts';
import { FORGET_ROWS } from '../kit/limits.ts';
import { activityRoutes } from './activity/activity.http.ts';
import { approvalRoutes } from './approvals/approvals.http.ts';
import { weighed } from './approvals/giving.http.ts';
import { forgetGivings } from './approvals/weigh-giving.ts';
import { portalCallRoutes } from './calls/calls.http.ts';
import { startRecordingCalls } from './calls/record-calls.job.ts';
import type { composePortal } from './compose.ts';
import { portalGiftCardRoutes } from './gift-cards/gift-cards.http.ts';
import { portalHomeRoutes } from './home/home.http.ts';
import { acquirerRoutes } from './installation/acquirers.http.ts';
import { installationRoutes } from './installation/installation.http.ts';
import { portalLedgerRoutes } from './ledger/ledger.http.ts';
import { portalOrderRoutes } from './orders/orders.http.ts';
import { portalPaymentRoutes } from './payments/payments.http.ts';
import type { PortalContext } from './portal.types.ts';
import { portalPage } from './portal-page.adapter.ts';
import { portalPageRoutes } from './portal-page.http.ts';
import { portalViewRoutes } from './views.http.ts';

type Portal = ReturnType<typeof composePortal>;

/** What the portal shows beside the routes of other slices. */
export function routes({ context }: Portal, given: RouteGiven) {
  return {
    openRoutes: portalPageRoutes(portalPage()),
    portalRoutes: [
      ...activityRoutes(context),
      ...installationRoutes(context),
      ...acquirerRoutes(context),
      ...portalHomeRoutes(context),
      ...portalPaymentRoutes(context, given),
      ...portalOrderRoutes(context, given),
      ...portalGiftCardRoutes(context, given),
      ...portalLedgerRoutes(context),
      ...portalCallRoutes(context),
      ...portalViewRoutes(context),
    ],
  };
}

/** Routes of the API as pages of the portal call them: what gives away much waits for another person. */
export function weighedRoutes(
  { context }: Portal,
  { apiRoutes, acts }: { readonly apiRoutes: readonly ApiRoute[]; readonly acts: readonly WeighedAct[] },
) {
  return {
    apiRoutes: apiRoutes.map((route) => weighed(route, context)),
    portalRoutes: approvalRoutes(context, apiRoutes, acts),
  };
}

/** Keeps what programs have sent for their payee to see, and forgets what was weighed. */
export function startJobs({ context }: Portal, jobs: JobContext) {
  const calls = startCallLog(context, jobs);
  const stop = startForgetting(jobs, {
    work: 'forget-givings',
    forget: async (transaction) => (await forgetGivings(transaction)) === FORGET_ROWS,
  });
  return { calls, stop: async () => void (await Promise.all([calls?.stop(), stop()])) };
}

/** It may be kept for no time at all. */
function startCallLog({ config, newId, cardPrefixes }: PortalContext, jobs: JobContext) {
  const hours = config.apiLogHours;
  if (hours === 0) return undefined;
  const maskCardNumbers = (text: string) => maskCardNumbersIn(text, cardPrefixes());
  return startRecordingCalls({ ...jobs, newId, now: () => performance.now(), maskCardNumbers, hours });
}
