import { startForgetting } from '../db/forgetting.ts';
import type { JobContext } from '../db/job-context.types.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import { FORGET_ROWS } from '../kit/limits.ts';
import { stopAll } from '../kit/work/background.ts';
import type { composePortalUsers } from './compose.ts';
import { disableIdleUsers } from './disable-idle-users.ts';
import { endAddresses } from './end-addresses.ts';
import { invitationRoutes, ownAccountRoutes } from './own-account.http.ts';
import { sessionRoutes } from './sessions/sessions.http.ts';
import { forgetSessions } from './sessions/sessions.ts';
import { userRoutes } from './users.http.ts';

/** Milliseconds between two looks for users who were long absent: an hour, a day is what counts. */
const IDLE_INTERVAL_MS = 3_600_000;

type PortalUsers = ReturnType<typeof composePortalUsers>;

/** People who sign in, and their sessions. */
export function routes({ context }: PortalUsers, given: RouteGiven) {
  return {
    portalRoutes: [
      ...sessionRoutes(context, given),
      ...invitationRoutes(context, given),
      ...ownAccountRoutes(context, given),
      ...userRoutes(context, given),
    ],
  };
}

/** Forgets sessions and addresses, and disables who was long absent. */
export function startJobs({ context }: PortalUsers, jobs: JobContext) {
  const { portalIdleDays: days, circumstancesDays } = context.config;
  return {
    stop: stopAll([
      startForgetting(jobs, {
        work: 'forget-portal-sessions',
        forget: async (transaction) => (await forgetSessions(transaction)) === FORGET_ROWS,
      }),
      startForgetting(jobs, {
        work: 'forget-portal-addresses',
        forget: (transaction) => endAddresses(transaction, context, circumstancesDays),
        intervalMs: IDLE_INTERVAL_MS,
      }),
      jobs.background.repeat('disable-idle-users', IDLE_INTERVAL_MS, async (isStopped) => {
        let more = true;
        while (more && !isStopped()) more = await jobs.transact((transaction) => disableIdleUsers(transaction, days));
      }),
    ]),
  };
}
