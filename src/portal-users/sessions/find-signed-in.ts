import type { Transaction } from '../../db/transaction.types.ts';
import { PORTAL_IDLE_SECONDS, REAUTHENTICATION_SECONDS } from '../../kit/limits.ts';
import type { SessionEnd, SignedInUser } from '../../kit/portal-user.ts';
import type { Kontor } from '../../kontor.types.ts';
import { readSecret } from '../passwords/secrets.rules.ts';
import type { PortalSessionKey } from '../portal-users.types.ts';
import { selectSessionEnd, selectValidSession, updateUsedAt } from './sessions.store.ts';

/** Seconds between two notes of a portal session's use: one write, and it may seem idle so much sooner. */
const PORTAL_USE_SECONDS = 30;

const TIMES = { idle: PORTAL_IDLE_SECONDS, authenticated: REAUTHENTICATION_SECONDS, stale: PORTAL_USE_SECONDS };

/**
 * Makes the look-up of users by their cookie; it answers undefined where the cookie is not valid, or no longer.
 *
 * @param noteUse notes that a session is used now
 */
export function findSignedIn(
  { config, database }: Kontor,
  noteUse: (session: PortalSessionKey) => Promise<void>,
): (cookie: string) => Promise<SignedInUser | undefined> {
  return async (cookie) => {
    const secret = readSecret('session', cookie);
    if (secret === undefined) return undefined;
    const { rows } = await selectValidSession({ run: database.read }, secret, TIMES);
    const [session] = rows;
    if (session === undefined) return undefined;
    const { payeeId, userId, role, portalSessionId, isReauthenticated, hasSecondFactor, isStale } = session;
    if (isStale) await noteUse({ payeeId, portalSessionId });
    const lacksSecondFactor = config.mode === 'production' && !hasSecondFactor;
    return { payeeId, userId, role, portalSessionId, isReauthenticated, lacksSecondFactor };
  };
}

/**
 * Makes the look-up of why the session of a cookie is over: for its user, since no other has such a cookie. It
 * answers undefined where there was none, or where it is long ago.
 */
export function findSessionEnd({ database }: Kontor): (cookie: string) => Promise<SessionEnd | undefined> {
  return async (cookie) => {
    const secret = readSecret('session', cookie);
    if (secret === undefined) return undefined;
    const { rows } = await selectSessionEnd({ run: database.read }, secret, PORTAL_IDLE_SECONDS);
    return rows[0]?.reason;
  };
}

/** Notes that a session is used now, so that it does not seem idle. One that has just ended stays so. */
export async function noteSessionUse(transaction: Transaction, session: PortalSessionKey): Promise<void> {
  await updateUsedAt(transaction, session);
}
