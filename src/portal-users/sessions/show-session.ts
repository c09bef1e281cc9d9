import type { Config } from '../../config.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { holdKeys } from '../../keys/ring/hold-keys.ts';
import { Refusal } from '../../kit/errors.ts';
import { PORTAL_IDLE_SECONDS, REAUTHENTICATION_SECONDS } from '../../kit/limits.ts';
import type { Role, SignedInUser } from '../../kit/portal-user.ts';
import type { Payee } from '../../merchants/merchants.types.ts';
import { payeeOf } from '../../merchants/payees/which-payee.ts';
import { operationsOf } from '../access.rules.ts';
import { apiOperationsOf } from '../api-access.rules.ts';
import type { PortalUsersContext } from '../portal-users.types.ts';
import { associatedDataOfEmail } from '../users.rules.ts';
import { selectUser } from '../users.store.ts';
import { selectSessionTimes } from './sessions.store.ts';

/** Who is signed in, and what they may do. Times are ISO 8601 in UTC. */
export interface SessionView {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly payee: Pick<Payee, 'payeeId' | 'name' | 'timeZone'>;
  readonly mode: Config['mode'];
  /** `missing`: it must be set up before anything else. */
  readonly secondFactor: 'none' | 'missing' | 'on';
  readonly recoveryCodesLeft: number;
  readonly signedInAt: string;
  readonly expiresAt: string;
  readonly idleSeconds: number;
  /** Until then nothing asks for the password again. */
  readonly reauthenticatedUntil: string;
  /** Wrong codes that came with the right password between the session before and this one, and the first one's time. */
  readonly wrongCodes: number;
  readonly wrongCodesSince: string | null;
  readonly operations: readonly string[];
  /** Those of the API that their pages may call. */
  readonly apiOperations: readonly string[];
}

/**
 * Shows a session to its user.
 *
 * @throws Refusal `unauthorized` where it has ended since the request came in
 */
export async function showSession(
  transaction: Transaction,
  context: PortalUsersContext,
  user: SignedInUser,
): Promise<SessionView> {
  const { payeeId, userId, role } = user;
  const found = (await selectUser(transaction, user)).rows[0];
  const times = (await selectSessionTimes(transaction, user, REAUTHENTICATION_SECONDS)).rows[0];
  if (found === undefined || times === undefined) {
    throw new Refusal('unauthorized', 'The session is over: sign in.');
  }
  const payee = await payeeOf(transaction, payeeId);
  await holdKeys(context.keyRing, [found.emailSealed]);
  return {
    userId,
    name: found.name,
    email: context.keyRing.open(associatedDataOfEmail(user), found.emailSealed).reveal(),
    role,
    payee: { payeeId, name: payee.name, timeZone: payee.timeZone },
    mode: context.config.mode,
    secondFactor: secondFactorOf(user, found.hasSecondFactor),
    recoveryCodesLeft: found.recoveryCodesLeft,
    ...times,
    idleSeconds: PORTAL_IDLE_SECONDS,
    operations: operationsOf(user),
    apiOperations: user.lacksSecondFactor ? [] : apiOperationsOf(role),
  };
}

function secondFactorOf({ lacksSecondFactor }: SignedInUser, hasOne: boolean): SessionView['secondFactor'] {
  if (hasOne) return 'on';
  return lacksSecondFactor ? 'missing' : 'none';
}
