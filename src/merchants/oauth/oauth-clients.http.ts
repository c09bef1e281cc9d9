import { actorOf } from '../../http/actor.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { NoMembers, PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import {
  FreshOAuthClientAnswer,
  OAuthClientBody,
  OAuthClientList,
  OAuthClientParams,
} from '../access-tokens/credentials.wire.ts';
import type { Granting } from '../merchants.types.ts';
import { selectOAuthClients } from './oauth-clients.store.ts';
import { createOAuthClient, revokeOAuthClient } from './oauth-clients.ts';

const TAG = 'OAuth clients';
const HERE = '/portal/api/payees/:payeeId/oauth-clients';

/** OAuth clients in the portal. To rotate one is to make another, and to revoke the old one once it is not used any more. */
export function oauthClientRoutes(
  merchants: Kontor,
  { grantableBy, baseUrl }: Granting & RouteGiven,
): AnyPortalRoute[] {
  const { transact } = merchants.database.background;
  const all = { params: PayeeParams, query: NoQuery };
  const tokenUrl = () => `${baseUrl()}/oauth/token`;
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'listOAuthClients',
      tag: TAG,
      summary: 'List the OAuth clients, the newest first',
      shape: { ...all, body: undefined, answer: OAuthClientList },
      handle: async ({ payeeId, user }) => {
        const { rows: found } = await transact((transaction) => selectOAuthClients(transaction, payeeId));
        const oauthClients = found.map((client) => ({
          ...client,
          scopes: client.scopes,
        }));
        return { oauthClients, scopes: [...grantableBy(user.role)], tokenUrl: tokenUrl() };
      },
    }),
    portalRoute({
      method: 'POST',
      path: HERE,
      operationId: 'createOAuthClient',
      tag: TAG,
      summary: 'Make an OAuth client',
      shape: { ...all, body: OAuthClientBody, answer: FreshOAuthClientAnswer },
      handle: async (request) => {
        const { payeeId, body, user } = request;
        const { clientId, clientSecret, expiresAt } = await transact((transaction) =>
          createOAuthClient(transaction, merchants, {
            ...body,
            payeeId,
            grantable: grantableBy(user.role),
            actor: actorOf(request),
          }),
        );
        return { clientId, clientSecret: clientSecret.reveal(), expiresAt, tokenUrl: tokenUrl() };
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/:clientId/revoke`,
      operationId: 'revokeOAuthClient',
      tag: TAG,
      summary: 'Revoke an OAuth client and its access tokens',
      shape: { params: OAuthClientParams, query: NoQuery, body: NoMembers, answer: NoMembers },
      handle: async (request) => {
        const command = { payeeId: request.payeeId, clientId: request.params.clientId, actor: actorOf(request) };
        await transact((transaction) => revokeOAuthClient(transaction, command));
        return {};
      },
    }),
  ];
}
