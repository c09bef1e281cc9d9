import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { csrfTokenOf } from '../../http/edge/portal-session.ts';
import type { StrangerRequest } from '../../http/portal-route.types.ts';
import { forbidden, Refusal } from '../../kit/errors.ts';
import type { SignedInUser } from '../../kit/portal-user.ts';
import { Secret } from '../../kit/secret.ts';
import type { PortalUsersContext } from '../portal-users.types.ts';
import { showSession } from './show-session.ts';
import { beginSignIn, finishSignIn } from './sign-in.ts';

/** What a person gave to be let in; `renewed` is the session of a user who is signed in already. */
interface Entered {
  readonly email: string;
  readonly password: string;
  readonly code?: string | undefined;
  readonly renewed: SignedInUser | undefined;
}

/** A request that may be given a cookie. */
export type CookieRequest = Pick<StrangerRequest, 'sessionId' | 'remoteAddress' | 'startSession'>;

/**
 * Lets a user in, or tells them that a code is needed too. The password is compared between two transactions: it takes
 * long on purpose, and no other request is to wait for it.
 *
 * @throws Refusal `unauthorized` whatever is wrong; `toomanyrequests` for a user who is locked out, and where too many
 *   sign in at once
 */
export function signInAnswer(
  portalUsers: PortalUsersContext,
  given: RouteGiven,
  request: CookieRequest,
  entered: Entered,
) {
  return portalUsers.passwords.admit(request.remoteAddress, () => answerSignIn(portalUsers, given, request, entered));
}

async function answerSignIn(
  portalUsers: PortalUsersContext,
  given: RouteGiven,
  request: CookieRequest,
  { email, password, code, renewed }: Entered,
) {
  const { signIns } = portalUsers;
  const { transact } = portalUsers.database.background;
  const { remoteAddress, sessionId } = request;
  const from = { email, address: remoteAddress, isExempt: given.isExempt(remoteAddress) };
  const attempt = await transact((transaction) => beginSignIn(transaction, portalUsers, from)).catch((error) => {
    if (error instanceof Refusal && error.code === 'toomanyrequests') signIns.ended('locked');
    throw error;
  });
  const isRight = await portalUsers.passwords.isRight(new Secret(password), attempt.passwordHash);
  const compared = { ...attempt, isRight, code, renewed, sessionId, address: remoteAddress };
  const outcome = await transact((transaction) => finishSignIn(transaction, portalUsers, compared));
  if (outcome.state === 'second-factor') return { next: outcome.state } as const;
  signIns.ended(outcome.state);
  if (outcome.state === 'done') return letIn(portalUsers, given, request, outcome.cookie);
  if (outcome.state === 'closed') throw forbidden('wrong-codes', CLOSED);
  const proof = { kind: 'portal-user' } as const;
  if (attempt.user === undefined) given.noteRefused({ address: remoteAddress, sessionId, proof });
  else if (outcome.state === 'wrong-code' && outcome.hasClosed) signIns.closed(attempt.user);
  throw new Refusal('unauthorized', 'The address, the password or the code is wrong.');
}

/** Told to those alone who know the password. */
const CLOSED = 'Too many wrong codes came with this password. Ask an administrator for a new invitation.';

/** Gives the browser its cookie, and shows the session that it stands for. */
export async function letIn(
  portalUsers: PortalUsersContext,
  given: RouteGiven,
  request: CookieRequest,
  cookie: Secret,
) {
  const user = await given.findUser(cookie.reveal());
  if (user === undefined) throw new Refusal('unauthorized', 'The session has ended at this moment: sign in.');
  request.startSession(cookie.reveal());
  return { next: 'none' as const, session: await sessionAnswer(portalUsers, user, csrfTokenOf(cookie.reveal())) };
}

/** A session as its user sees it. */
export async function sessionAnswer(portalUsers: PortalUsersContext, user: SignedInUser, csrfToken: string) {
  const { transact } = portalUsers.database.background;
  const { operations, apiOperations, ...session } = await transact((transaction) =>
    showSession(transaction, portalUsers, user),
  );
  return { ...session, operations, apiOperations, csrfToken };
}
