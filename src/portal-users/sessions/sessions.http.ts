import { actorOf } from '../../http/actor.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { openPortalRoute, portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { NoMembers, PayeeParams } from '../../kit/portal.wire.ts';
import { NoParams, NoQuery } from '../../kit/schemas.wire.ts';
import type { PortalUsersContext } from '../portal-users.types.ts';
import { sessionAnswer, signInAnswer } from './session-answers.http.ts';
import { createSessionCredentials, signOut } from './sessions.ts';
import { ReauthenticateBody, Session, SessionCredentials, SignedIn, SignInBody, SignOutBody } from './sessions.wire.ts';

const TAG = 'Session';
const HERE = '/portal/api/session';

/** Signing in and out, and what a session calls the API with. */
export function sessionRoutes(portalUsers: PortalUsersContext, given: RouteGiven): AnyPortalRoute[] {
  const { transact } = portalUsers.database.background;
  const shape = { params: NoParams, query: NoQuery };
  return [
    openPortalRoute({
      isOpen: true,
      method: 'POST',
      path: HERE,
      operationId: 'signIn',
      tag: TAG,
      summary: 'Sign in',
      description:
        'A refusal does not say why. After ten failures from one network a user is locked out there for a while.',
      shape: { ...shape, body: SignInBody, answer: SignedIn },
      handle: (request) => signInAnswer(portalUsers, given, request, { ...request.body, renewed: undefined }),
    }),
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'getSession',
      tag: TAG,
      summary: 'See who is signed in, and what they may do',
      shape: { ...shape, body: undefined, answer: Session },
      handle: (request) => sessionAnswer(portalUsers, request.user, request.csrfToken),
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/reauthenticate`,
      operationId: 'reauthenticate',
      tag: TAG,
      summary: 'Give the password again, before what makes secrets or changes rights',
      shape: { ...shape, body: ReauthenticateBody, answer: SignedIn },
      handle: async (request) => {
        const { email } = await sessionAnswer(portalUsers, request.user, request.csrfToken);
        return signInAnswer(portalUsers, given, request, { ...request.body, email, renewed: request.user });
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/end`,
      operationId: 'signOut',
      tag: TAG,
      summary: 'Sign out, here or everywhere',
      shape: { ...shape, body: SignOutBody, answer: NoMembers },
      handle: async (request) => {
        const { user, body } = request;
        const command = { ...user, isEverywhere: body.everywhere === true, actor: actorOf(request) };
        await transact((transaction) => signOut(transaction, command));
        request.endSession();
        return {};
      },
    }),
    credentialsRoute(portalUsers),
  ];
}

function credentialsRoute(portalUsers: PortalUsersContext): AnyPortalRoute {
  const { transact } = portalUsers.database.background;
  return portalRoute({
    method: 'POST',
    path: '/portal/api/payees/:payeeId/session-credentials',
    operationId: 'createSessionCredentials',
    tag: TAG,
    summary: 'Get an access token and an HMAC key for the API, for some minutes',
    description:
      'With the scopes of the role; the one for changes of webhooks only if the password was given a moment ago. They end with the session.',
    shape: { params: PayeeParams, query: NoQuery, body: NoMembers, answer: SessionCredentials },
    handle: async (request) => {
      const { user, payeeId } = request;
      const made = await transact((transaction) =>
        createSessionCredentials(transaction, portalUsers, { user, payeeId, actor: actorOf(request) }),
      );
      const { accessToken, expiresAt, scopes, hmac } = made;
      return {
        accessToken: accessToken.reveal(),
        expiresAt,
        scopes,
        hmac: { user: hmac.user, secret: hmac.secret.reveal() },
      };
    },
  });
}
