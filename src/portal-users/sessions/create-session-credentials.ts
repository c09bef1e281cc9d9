import type { Transaction } from '../../db/transaction.types.ts';
import type { Actor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { PORTAL_CREDENTIALS_SECONDS, REAUTHENTICATION_SECONDS } from '../../kit/limits.ts';
import type { SignedInUser } from '../../kit/portal-user.ts';
import {
  createPortalCredentials,
  type PortalCredentials,
} from '../../merchants/access-tokens/create-portal-credentials.ts';
import { scopesOf } from '../api-access.rules.ts';
import type { PortalUsersContext } from '../portal-users.types.ts';
import { shareSession } from './sessions.store.ts';

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
