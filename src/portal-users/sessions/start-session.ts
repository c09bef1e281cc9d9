import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { Refusal } from '../../kit/errors.ts';
import { PORTAL_SESSION_SECONDS } from '../../kit/limits.ts';
import { Secret, sha256 } from '../../kit/secret.ts';
import { composeSecret } from '../passwords/secrets.rules.ts';
import type { PortalSessionKey, PortalUserKey, PortalUsersContext } from '../portal-users.types.ts';
import { updateLastSignIn } from '../users.store.ts';
import { insertSession, updateSecret } from './sessions.store.ts';

/** Signs a user in: a session with a secret of its own, whatever the browser had before. Answers the cookie's value. */
export async function startSession(
  transaction: Transaction,
  context: PortalUsersContext,
  { payeeId, userId }: PortalUserKey,
): Promise<Secret> {
  const cookie = composeSecret('session', payeeId, context.newSecret());
  const session = { payeeId, userId, portalSessionId: context.newId(), hash: sha256(cookie) };
  const inserted = await insertSession(transaction, { ...session, lifeSeconds: PORTAL_SESSION_SECONDS });
  assert(inserted === 1, 'a new portal session is one row');
  await updateLastSignIn(transaction, { payeeId, userId });
  return new Secret(cookie);
}

/**
 * Gives a session another secret, because it may do more from now on: whoever knew the one before knows nothing. Answers
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
