import { actorOf } from '../http/actor.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import { portalRoute } from '../http/portal-route.ts';
import type { AnyPortalRoute } from '../http/portal-route.types.ts';
import { NoMembers, PayeeParams } from '../kit/portal.wire.ts';
import { NoQuery } from '../kit/schemas.wire.ts';
import { changeUser, switchUser } from './change-user.ts';
import { type InvitedUser, inviteUser, renewInvitation } from './invitations.ts';
import type { PortalUsersContext } from './portal-users.types.ts';
import { listUsers } from './show-user.ts';
import { ChangeUserBody, InviteBody, Invited, User, UserList, UserParams } from './users.wire.ts';

const TAG = 'Users';
const HERE = '/portal/api/payees/:payeeId/users';

/** Who may sign in for a payee. The operators' own payee has the id of zeros. */
export function userRoutes(portalUsers: PortalUsersContext, given: RouteGiven): AnyPortalRoute[] {
  const { transact } = portalUsers.database.background;
  const { baseUrl } = given;
  const all = { params: PayeeParams, query: NoQuery };
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'listUsers',
      tag: TAG,
      summary: 'List who may sign in',
      shape: { ...all, body: undefined, answer: UserList },
      handle: async ({ payeeId }) => ({
        users: [...(await transact((transaction) => listUsers(transaction, portalUsers, payeeId)))],
      }),
    }),
    portalRoute({
      method: 'POST',
      path: HERE,
      operationId: 'inviteUser',
      tag: TAG,
      summary: 'Add a user, and get a link for them to choose a password with',
      shape: { ...all, body: InviteBody, answer: Invited },
      handle: async (request) => {
        const command = { ...request.body, payeeId: request.payeeId, actor: actorOf(request) };
        const invited = await transact((transaction) => inviteUser(transaction, portalUsers, command));
        return invitedAnswer(invited, baseUrl());
      },
    }),
    ...userChangeRoutes(portalUsers, given),
  ];
}

/** Changes of one user. */
function userChangeRoutes(portalUsers: PortalUsersContext, { baseUrl }: RouteGiven): AnyPortalRoute[] {
  const { transact } = portalUsers.database.background;
  const one = { params: UserParams, query: NoQuery };
  const switching = (operationId: string, isDisabled: boolean, summary: string) =>
    portalRoute({
      method: 'POST',
      path: `${HERE}/:userId/${isDisabled ? 'disable' : 'enable'}`,
      operationId,
      tag: TAG,
      summary,
      shape: { ...one, body: NoMembers, answer: User },
      handle: (request) => {
        const command = { ...request.params, payeeId: request.payeeId, isDisabled, actor: actorOf(request) };
        return transact((transaction) => switchUser(transaction, portalUsers, command));
      },
    });
  return [
    portalRoute({
      method: 'PATCH',
      path: `${HERE}/:userId`,
      operationId: 'changeUser',
      tag: TAG,
      summary: 'Give a user another name or role',
      shape: { ...one, body: ChangeUserBody, answer: User },
      handle: (request) => {
        const { params, body, payeeId } = request;
        const command = { ...body, ...params, payeeId, actor: actorOf(request) };
        return transact((transaction) => changeUser(transaction, portalUsers, command));
      },
    }),
    switching('disableUser', true, 'Keep a user from signing in, and end their sessions'),
    switching('enableUser', false, 'Let a user sign in again'),
    portalRoute({
      method: 'POST',
      path: `${HERE}/:userId/invitation`,
      operationId: 'renewInvitation',
      tag: TAG,
      summary: 'Make a new link for a user who lost theirs, or their password or second factor',
      shape: { ...one, body: NoMembers, answer: Invited },
      handle: async (request) => {
        const command = { ...request.params, payeeId: request.payeeId, actor: actorOf(request) };
        const invited = await transact((transaction) => renewInvitation(transaction, portalUsers, command));
        return invitedAnswer(invited, baseUrl());
      },
    }),
  ];
}

/** The secret stands behind #, which a browser does not send: so it is in no log on the way. */
function invitedAnswer({ user, invitation, expiresAt }: InvitedUser, baseUrl: string) {
  return { user, invitation: { link: `${baseUrl}/portal/invitation#${invitation.reveal()}`, expiresAt } };
}
