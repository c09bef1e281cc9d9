import { startForgetting } from '../db/forgetting.ts';
import type { JobContext } from '../db/job-context.types.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import { stopAll } from '../kit/work/background.ts';
import { accessTokenRoutes } from './access-tokens/access-tokens.http.ts';
import { startTokenUseJob } from './access-tokens/token-use.job.ts';
import { forgetStale } from './attempts/forget-stale.ts';
import { startNotingRefused } from './attempts/refused-callers.job.ts';
import type { composeMerchants } from './compose.ts';
import { tellExpiring } from './expiry/tell-expiring.ts';
import { hmacCheckRoute } from './hmac-keys/hmac-check.http.ts';
import { hmacKeyRoutes } from './hmac-keys/hmac-keys.http.ts';
import type { Granting } from './merchants.types.ts';
import { oauthRoutes } from './oauth/oauth.http.ts';
import { oauthClientRoutes } from './oauth/oauth-clients.http.ts';
import { payeeRoutes } from './payees/payees.http.ts';

/** Milliseconds between two looks for credentials that end in 30 days: an hour, a day is what counts. */
const TELLING_INTERVAL_MS = 3_600_000;

type Merchants = ReturnType<typeof composeMerchants>;

/** Who calls, and for whom: credentials, and how programs get them. */
export function routes({ context }: Merchants, given: RouteGiven & Granting) {
  return {
    openRoutes: oauthRoutes(context, given),
    portalRoutes: [
      ...accessTokenRoutes(context, given),
      ...oauthClientRoutes(context, given),
      ...hmacKeyRoutes(context),
      hmacCheckRoute(context, given),
      ...payeeRoutes(context),
    ],
  };
}

/** Notes who calls and who was refused, and tells of credentials that end. */
export function startJobs({ context }: Merchants, jobs: JobContext) {
  const tokenUse = startTokenUseJob(jobs);
  const refused = startNotingRefused(jobs, context, () => performance.now());
  const stopForgetting = startForgetting(jobs, {
    work: 'forget-stale',
    forget: async (transaction) => (await forgetStale(transaction)).more,
  });
  const stopTelling = jobs.background.repeat('tell-expiring', TELLING_INTERVAL_MS, () => jobs.transact(tellExpiring));
  return {
    noteTokenUse: tokenUse.note,
    noteKeyUse: tokenUse.noteKey,
    noteRefused: refused.note,
    stop: stopAll([tokenUse.stop, refused.stop, stopForgetting, stopTelling]),
  };
}
