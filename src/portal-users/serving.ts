import { startForgetting } from '../db/forgetting.ts';
import { FORGET_ROWS } from '../kit/limits.ts';
import { stopAll } from '../kit/work/background.ts';
import type { BackgroundContext } from '../merchants/merchants.types.ts';
import type { composePortalUsers } from './compose.ts';
import { disableIdleUsers } from './disable-idle-users.ts';
import { endAddresses } from './end-addresses.ts';
import { invitationRoutes, ownAccountRoutes } from './own-account.http.ts';
import type { PortalUsersOptions } from './portal-users.types.ts';
import { sessionRoutes } from './sessions/sessions.http.ts';
import { forgetSessions } from './sessions/sessions.ts';
import { userRoutes } from './users.http.ts';

/** Milliseconds between two looks for users who were long absent: an hour, a day is what counts. */
const IDLE_INTERVAL_MS = 3_600_000;

type PortalUsers = ReturnType<typeof composePortalUsers>;

/** People who sign in, and their sessions. */
export function routes(
  { transact, context: portalUsers, signIns }: PortalUsers,
  { findUser, isExempt, noteRefused, baseUrl }: Omit<PortalUsersOptions, 'transact' | 'portalUsers' | 'signIns'>,
) {
  const people = { transact, portalUsers, findUser, isExempt, noteRefused, signIns, baseUrl };
  return {
    portalRoutes: [
      ...sessionRoutes(people),
      ...invitationRoutes(people),
      ...ownAccountRoutes(people),
      ...userRoutes(people),
    ],
  };
}

/** Forgets sessions and addresses, and disables who was long absent. */
export function startJobs({ context: portalUsers, config }: PortalUsers, given: BackgroundContext) {
  const { portalIdleDays: days, circumstancesDays } = config;
  return {
    stop: stopAll([
      startForgetting(given, {
        work: 'forget-portal-sessions',
        forget: async (transaction) => (await forgetSessions(transaction)) === FORGET_ROWS,
      }),
      startForgetting(given, {
        work: 'forget-portal-addresses',
        forget: (transaction) => endAddresses(transaction, portalUsers, circumstancesDays),
        intervalMs: IDLE_INTERVAL_MS,
      }),
      given.background.repeat('disable-idle-users', IDLE_INTERVAL_MS, async (isStopped) => {
        let more = true;
        while (more && !isStopped()) more = await given.transact((transaction) => disableIdleUsers(transaction, days));
      }),
    ]),
  };
}
