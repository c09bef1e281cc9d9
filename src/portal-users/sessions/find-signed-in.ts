import type { Read, Transaction } from '../../db/transaction.types.ts';
import { PORTAL_IDLE_SECONDS, REAUTHENTICATION_SECONDS } from '../../kit/limits.ts';
import type { SessionEnd, SignedInUser } from '../../kit/portal-user.ts';
import { readSecret } from '../passwords/secrets.rules.ts';
import type { PortalSessionKey } from '../portal-users.types.ts';
import { selectSessionEnd, selectValidSession, updateUsedAt } from './sessions.store.ts';

/** Seconds between two notes of a portal session's use: one write, and it may seem idle so much sooner. */
const PORTAL_USE_SECONDS = 30;

const TIMES = { idle: PORTAL_IDLE_SECONDS, authenticated: REAUTHENTICATION_SECONDS, stale: PORTAL_USE_SECONDS };

/** What the look-up of signed-in users needs; it lives as long as the process. */
export interface SignedInContext {
  readonly read: Read;
  /** Whether users must have a second factor. */
  readonly needsSecondFactor: boolean;
  /** Notes that a session is used now. */
  readonly noteUse: (session: PortalSessionKey) => Promise<void>;
}

/** Makes the look-up of users by their cookie; it answers undefined where the cookie is not valid, or no longer. */
export function findSignedIn(context: SignedInContext): (cookie: string) => Promise<SignedInUser | undefined> {
  return async (cookie) => {
    const secret = readSecret('session', cookie);
    if (secret === undefined) return undefined;
    const { rows } = await selectValidSession({ run: context.read }, secret, TIMES);
    const [session] = rows;
    if (session === undefined) return undefined;
    const { payeeId, userId, role, portalSessionId, isReauthenticated, hasSecondFactor, isStale } = session;
    if (isStale) await context.noteUse({ payeeId, portalSessionId });
    const lacksSecondFactor = context.needsSecondFactor && !hasSecondFactor;
    return { payeeId, userId, role, portalSessionId, isReauthenticated, lacksSecondFactor };
  };
}

/**
 * Makes the look-up of why the session of a cookie is over: for its user, since no other has such a cookie. It
 * answers undefined where there was none, or where it is long ago.
 */
export function findSessionEnd({
  read,
}: Pick<SignedInContext, 'read'>): (cookie: string) => Promise<SessionEnd | undefined> {
  return async (cookie) => {
    const secret = readSecret('session', cookie);
    if (secret === undefined) return undefined;
    const { rows } = await selectSessionEnd({ run: read }, secret, PORTAL_IDLE_SECONDS);
    return rows[0]?.reason;
  };
}

/** Notes that a session is used now, so that it does not seem idle. One that has just ended stays so. */
export async function noteSessionUse(transaction: Transaction, session: PortalSessionKey): Promise<void> {
  await updateUsedAt(transaction, session);
}
