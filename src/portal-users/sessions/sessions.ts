import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { forbidden, Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { FORGET_ROWS, PORTAL_SESSION_SECONDS, REAUTHENTICATION_SECONDS } from '../../kit/limits.ts';
import type { SignedInUser } from '../../kit/portal-user.ts';
import { Secret, sha256 } from '../../kit/secret.ts';
import {
  createPortalCredentials,
  type PortalCredentials,
  revokePortalCredentials,
} from '../../merchants/access-tokens/portal-credentials.ts';
import { takesPayments } from '../../merchants/payees/payee-states.ts';
import { scopesOf } from '../api-access.rules.ts';
import { composeSecret } from '../passwords/secrets.rules.ts';
import type { PortalSessionKey, PortalUserKey, PortalUsersContext, SessionEnding } from '../portal-users.types.ts';
import { updateLastSignIn } from '../users.store.ts';
import { deleteOldNetworks } from './known-networks.store.ts';
import {
  deleteOldSessionEnds,
  deleteOldSessions,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  shareSession,
  updateSecret,
} from './sessions.store.ts';
import { insertWarning } from './wrong-codes.store.ts';

/** Seconds that the portal's page may call the API with one access token: less than a session may be idle. */
const PORTAL_CREDENTIALS_SECONDS = 10 * 60;

/**
 * Signs a user in: a session with a secret of its own, whatever the browser had before. Answers the cookie's value.
 *
 * @throws Refusal `forbidden` where the operator has stopped the user's payee
 */
export async function startSession(
  transaction: Transaction,
  context: PortalUsersContext,
  { payeeId, userId }: PortalUserKey,
): Promise<Secret> {
  if (!(await takesPayments(transaction, payeeId))) {
    throw forbidden('payee', 'The operator has stopped your company: sign in when it is open again.');
  }
  const cookie = composeSecret('session', payeeId, context.newSecret());
  const session = { payeeId, userId, portalSessionId: context.newId(), hash: sha256(cookie) };
  const inserted = await insertSession(transaction, { ...session, lifeSeconds: PORTAL_SESSION_SECONDS });
  assert(inserted === 1, 'a new portal session is one row');
  await updateLastSignIn(transaction, { payeeId, userId });
  await insertWarning(transaction, session);
  return new Secret(cookie);
}

/**
 * Gives a session another secret, because it may do more from now on: the secret before it is worth nothing. Answers
 * the cookie's value.
 *
 * @throws Refusal `unauthorized` where it has ended at this moment
 */
export async function renewSession(
  transaction: Transaction,
  context: PortalUsersContext,
  session: PortalSessionKey,
): Promise<Secret> {
  const cookie = composeSecret('session', session.payeeId, context.newSecret());
  const updated = await updateSecret(transaction, session, sha256(cookie));
  if (updated === 0) throw new Refusal('unauthorized', 'The session has ended at this moment: sign in.');
  return new Secret(cookie);
}

/** Signs a user out: in one browser, or with `isEverywhere` in all. What the sessions called the API with ends with them. */
export async function signOut(
  transaction: Transaction,
  command: PortalUserKey & PortalSessionKey & { isEverywhere: boolean; actor: Actor },
): Promise<void> {
  const { payeeId, userId, actor } = command;
  const { rows } = command.isEverywhere
    ? await deleteSessionsOf(transaction, command, 'signed-out')
    : await deleteSession(transaction, command, 'signed-out');
  await revokePortalCredentials(transaction, rows);
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'sign-out',
      objectId: userId,
      details: { sessions: rows.length },
    },
  ]);
}

/** Ends all sessions of a user whose rights or password have changed, and answers how many. */
export async function endSessionsOf(
  transaction: Transaction,
  user: PortalUserKey,
  reason: SessionEnding,
): Promise<number> {
  const { rows } = await deleteSessionsOf(transaction, user, reason);
  await revokePortalCredentials(transaction, rows);
  return rows.length;
}

/** Deletes portal sessions that are over, why others ended, and networks of long ago: a bounded number of each. Answers the largest. */
export async function forgetSessions(transaction: Transaction): Promise<number> {
  return Math.max(
    await deleteOldSessions(transaction, FORGET_ROWS),
    await deleteOldSessionEnds(transaction, FORGET_ROWS),
    await deleteOldNetworks(transaction, FORGET_ROWS),
  );
}

/**
 * Creates what the page of a signed-in user calls the API with, for the payee that they look at.
 *
 * @throws Refusal `unauthorized` where the session has ended at this moment
 */
export async function createSessionCredentials(
  transaction: Transaction,
  context: PortalUsersContext,
  command: { user: SignedInUser; payeeId: PayeeId; actor: Actor },
): Promise<PortalCredentials> {
  const { user, payeeId, actor } = command;
  const { rows } = await shareSession(transaction, user, REAUTHENTICATION_SECONDS);
  const [session] = rows;
  if (session === undefined) throw new Refusal('unauthorized', 'The session is over: sign in.');
  return createPortalCredentials(transaction, context, {
    payeeId,
    portalSessionId: user.portalSessionId,
    role: user.role,
    reauthenticatedUntil: session.reauthenticatedUntil,
    lifeSeconds: Math.min(PORTAL_CREDENTIALS_SECONDS, session.secondsLeft),
    scopes: scopesOf(user),
    actor,
  });
}
