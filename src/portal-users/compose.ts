import type { Config } from '../config.ts';
import { startForgetting } from '../db/forgetting.ts';
import type { Database } from '../db/server/open-database.ts';
import { FORGET_ROWS } from '../kit/limits.ts';
import { randomKey } from '../kit/secret.ts';
import type { BackgroundContext, MerchantsContext } from '../merchants/merchants.types.ts';
import { whoseCredentials } from '../merchants/payees/which-payee.ts';
import { disableIdleUsers } from './disable-idle-users.ts';
import { endAddresses } from './end-addresses.ts';
import { PORTAL_USER_KEY_USES } from './key-uses.ts';
import { scryptPasswords } from './passwords/passwords.adapter.ts';
import type { PortalUsersCommands } from './portal-users.cli.ts';
import type { PortalUsersContext, PortalUsersOptions, SignInListener } from './portal-users.types.ts';
import { forgetSessions } from './sessions/sessions.ts';

/** Milliseconds between two looks for users who were long absent: an hour, a day is what counts. */
const IDLE_INTERVAL_MS = 3_600_000;

/** What portal users are composed of. */
export interface PortalUsersParts {
  readonly config: Pick<Config, 'publicUrl' | 'host' | 'port' | 'portalIdleDays' | 'circumstancesDays'>;
  readonly database: Pick<Database, 'background'>;
  readonly merchants: MerchantsContext;
}

/** Composes portal users: people who sign in, and their sessions. */
export function composePortalUsers({ config, database, merchants }: PortalUsersParts) {
  const portalUsers: PortalUsersContext = { ...merchants, passwords: scryptPasswords(), newRandom: randomKey };
  const { transact } = database.background;
  let listener: SignInListener | undefined;
  const signIns: SignInListener = {
    ended: (outcome) => listener?.ended(outcome),
    closed: (user) => listener?.closed(user),
  };
  return {
    listenToSignIns: (heard: SignInListener) => {
      listener = heard;
    },
    context: portalUsers,
    keyUses: PORTAL_USER_KEY_USES,
    routes: async ({
      findUser,
      isExempt,
      noteRefused,
      baseUrl,
    }: Omit<PortalUsersOptions, 'transact' | 'portalUsers' | 'signIns'>) => {
      const [{ sessionRoutes }, { invitationRoutes, ownAccountRoutes }, { userRoutes }] = await Promise.all([
        import('./sessions/sessions.http.ts'),
        import('./own-account.http.ts'),
        import('./users.http.ts'),
      ]);
      const people = { transact, portalUsers, findUser, isExempt, noteRefused, signIns, baseUrl };
      return {
        portalRoutes: [
          ...sessionRoutes(people),
          ...invitationRoutes(people),
          ...ownAccountRoutes(people),
          ...userRoutes(people),
        ],
      };
    },
    startJobs: async (given: BackgroundContext) => {
      const stopForgetting = startForgetting(given, {
        work: 'forget-portal-sessions',
        forget: async (transaction) => (await forgetSessions(transaction)) === FORGET_ROWS,
      });
      const stopEnding = startForgetting(given, {
        work: 'forget-portal-addresses',
        forget: (transaction) => endAddresses(transaction, portalUsers, config.circumstancesDays),
        intervalMs: IDLE_INTERVAL_MS,
      });
      const days = config.portalIdleDays;
      const stopDisabling = given.background.repeat('disable-idle-users', IDLE_INTERVAL_MS, async (isStopped) => {
        let more = true;
        while (more && !isStopped()) more = await given.transact((transaction) => disableIdleUsers(transaction, days));
      });
      return {
        stop: async () => {
          await Promise.all([stopForgetting(), stopEnding(), stopDisabling()]);
        },
      };
    },
    commands: {
      portalUsers: (): PortalUsersCommands => {
        const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
        return { transact, portalUsers, whose: whoseCredentials, baseUrl };
      },
    },
  };
}
