import { actorOf } from '../http/actor.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import { openPortalRoute, portalRoute } from '../http/portal-route.ts';
import type { AnyPortalRoute } from '../http/portal-route.types.ts';
import { NoMembers } from '../kit/portal.wire.ts';
import { NoParams, NoQuery } from '../kit/schemas.wire.ts';
import { Secret } from '../kit/secret.ts';
import { acceptInvitation, readInvitation } from './invitations.ts';
import {
  changeOwnPassword,
  formerPasswords,
  formerPasswordsOfInvited,
  hashNewPassword,
} from './passwords/set-password.ts';
import { beginSecondFactor, confirmSecondFactor, renewRecoveryCodes } from './passwords/set-up-second-factor.ts';
import type { PortalUsersContext } from './portal-users.types.ts';
import { letIn, sessionAnswer } from './sessions/session-answers.http.ts';
import { SignedIn } from './sessions/sessions.wire.ts';
import {
  AcceptInvitationBody,
  ChangePasswordBody,
  ConfirmedAnswer,
  ConfirmSecondFactorBody,
  InvitationAnswer,
  NewSecondFactorAnswer,
  ReadInvitationBody,
  RecoveryCodesAnswer,
} from './users.wire.ts';

const shape = { params: NoParams, query: NoQuery };

/** What the holder of an invitation does with it. */
export function invitationRoutes(portalUsers: PortalUsersContext, given: RouteGiven): AnyPortalRoute[] {
  const { transact } = portalUsers.database.background;
  const read = (invitation: string) => transact((transaction) => readInvitation(transaction, portalUsers, invitation));
  return [
    openPortalRoute({
      isOpen: true,
      // A POST, so that the invitation stands in no address.
      method: 'POST',
      path: '/portal/api/invitations/read',
      operationId: 'readInvitation',
      tag: 'Account',
      summary: 'See what an invitation is for',
      shape: { ...shape, body: ReadInvitationBody, answer: InvitationAnswer },
      handle: ({ body }) => read(body.invitation),
    }),
    openPortalRoute({
      isOpen: true,
      method: 'POST',
      path: '/portal/api/invitations/accept',
      operationId: 'acceptInvitation',
      tag: 'Account',
      summary: 'Take an invitation: choose a password, and be signed in',
      shape: { ...shape, body: AcceptInvitationBody, answer: SignedIn },
      handle: async (request) => {
        const { invitation, password } = request.body;
        const { email, name } = await read(invitation);
        const former = await transact((transaction) => formerPasswordsOfInvited(transaction, invitation));
        const chosen = { password: new Secret(password), email, name, former, member: 'password' };
        const passwordHash = await hashNewPassword(portalUsers, chosen);
        const { sessionId, remoteAddress: address } = request;
        const command = { invitation, passwordHash, sessionId, address };
        const cookie = await transact((transaction) => acceptInvitation(transaction, portalUsers, command));
        return letIn(portalUsers, given, request, cookie);
      },
    }),
  ];
}

/** What users do with their own account. */
export function ownAccountRoutes(portalUsers: PortalUsersContext, given: RouteGiven): AnyPortalRoute[] {
  const { transact } = portalUsers.database.background;
  return [
    portalRoute({
      method: 'POST',
      path: '/portal/api/account/password',
      operationId: 'changeOwnPassword',
      tag: 'Account',
      summary: 'Choose another password; all other sessions end',
      shape: { ...shape, body: ChangePasswordBody, answer: SignedIn },
      handle: async (request) => {
        const { user, body } = request;
        const { email, name } = await sessionAnswer(portalUsers, user, request.csrfToken);
        const former = await transact((transaction) => formerPasswords(transaction, user));
        const chosen = { password: new Secret(body.newPassword), email, name, former, member: 'newPassword' };
        const passwordHash = await hashNewPassword(portalUsers, chosen);
        const command = { user, passwordHash, actor: actorOf(request) };
        const cookie = await transact((transaction) => changeOwnPassword(transaction, portalUsers, command));
        return letIn(portalUsers, given, request, cookie);
      },
    }),
    ...secondFactorRoutes(portalUsers, given),
  ];
}

function secondFactorRoutes(portalUsers: PortalUsersContext, given: RouteGiven): AnyPortalRoute[] {
  const { transact } = portalUsers.database.background;
  return [
    portalRoute({
      method: 'POST',
      path: '/portal/api/account/second-factor',
      operationId: 'beginSecondFactor',
      tag: 'Account',
      summary: 'Begin with a second factor: get a seed for an app',
      shape: { ...shape, body: NoMembers, answer: NewSecondFactorAnswer },
      handle: async ({ user }) => {
        const { secret, uri } = await transact((transaction) => beginSecondFactor(transaction, portalUsers, user));
        return { secret: secret.reveal(), uri: uri.reveal() };
      },
    }),
    portalRoute({
      method: 'POST',
      path: '/portal/api/account/second-factor/confirm',
      operationId: 'confirmSecondFactor',
      tag: 'Account',
      summary: 'Confirm the second factor with a first code',
      shape: { ...shape, body: ConfirmSecondFactorBody, answer: ConfirmedAnswer },
      handle: async (request) => {
        const command = { user: request.user, code: request.body.code, actor: actorOf(request) };
        const confirmed = await transact((transaction) => confirmSecondFactor(transaction, portalUsers, command));
        const recoveryCodes = confirmed.recoveryCodes.map((code) => code.reveal());
        return { ...(await letIn(portalUsers, given, request, confirmed.cookie)), recoveryCodes };
      },
    }),
    portalRoute({
      method: 'POST',
      path: '/portal/api/account/recovery-codes',
      operationId: 'renewRecoveryCodes',
      tag: 'Account',
      summary: 'Get other recovery codes, in place of all before',
      shape: { ...shape, body: NoMembers, answer: RecoveryCodesAnswer },
      handle: async (request) => {
        const command = { user: request.user, actor: actorOf(request) };
        const codes = await transact((transaction) => renewRecoveryCodes(transaction, portalUsers, command));
        return { recoveryCodes: codes.map((code) => code.reveal()) };
      },
    }),
  ];
}
