import type { Kontor } from '../kontor.types.ts';
import { whoseCredentials } from '../merchants/payees/which-payee.ts';
import { PORTAL_USER_KEY_USES } from './key-uses.ts';
import { scryptPasswords } from './passwords/passwords.adapter.ts';
import type { PortalUsersCommands } from './portal-users.cli.ts';
import type { PortalUsersContext, SignInListener } from './portal-users.types.ts';

/** Composes portal users: people who sign in, and their sessions. */
export function composePortalUsers(kontor: Kontor) {
  const { config, database } = kontor;
  let listener: SignInListener | undefined;
  const signIns: SignInListener = {
    ended: (outcome) => listener?.ended(outcome),
    closed: (user) => listener?.closed(user),
  };
  const context: PortalUsersContext = { ...kontor, passwords: scryptPasswords(), signIns };
  return {
    listenToSignIns: (heard: SignInListener) => {
      listener = heard;
    },
    context,
    keyUses: PORTAL_USER_KEY_USES,
    commands: {
      portalUsers: (): PortalUsersCommands => ({
        transact: database.background.transact,
        portalUsers: context,
        whose: whoseCredentials,
        baseUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
      }),
    },
  };
}
