import type { Config } from '../config.ts';
import type { Database } from '../db/server/database.types.ts';
import { randomKey } from '../kit/secret.ts';
import type { MerchantsContext } from '../merchants/merchants.types.ts';
import { whoseCredentials } from '../merchants/payees/which-payee.ts';
import { PORTAL_USER_KEY_USES } from './key-uses.ts';
import { scryptPasswords } from './passwords/passwords.adapter.ts';
import type { PortalUsersCommands } from './portal-users.cli.ts';
import type { PortalUsersContext, SignInListener } from './portal-users.types.ts';

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
    transact,
    signIns,
    config,
    keyUses: PORTAL_USER_KEY_USES,
    commands: {
      portalUsers: (): PortalUsersCommands => {
        const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
        return { transact, portalUsers, whose: whoseCredentials, baseUrl };
      },
    },
  };
}
