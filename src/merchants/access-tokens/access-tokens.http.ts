import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { NoMembers, PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { Granting } from '../merchants.types.ts';
import { selectAccessTokens } from './access-tokens.store.ts';
import { createAccessToken, revokeAccessToken, rotateAccessToken } from './access-tokens.ts';
import {
  AccessTokenBody,
  AccessTokenList,
  AccessTokenParams,
  FreshAccessTokenAnswer,
  RotateAccessTokenBody,
  RotatedAccessTokenAnswer,
} from './credentials.wire.ts';

const TAG = 'Access tokens';
const HERE = '/portal/api/payees/:payeeId/access-tokens';

/** Access tokens in the portal: made here, shown once, rotated and revoked. */
export function accessTokenRoutes(merchants: Kontor, { grantableBy }: Granting): AnyPortalRoute[] {
  const { transact } = merchants.database.background;
  const one = { params: AccessTokenParams, query: NoQuery };
  const all = { params: PayeeParams, query: NoQuery };
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'listAccessTokens',
      tag: TAG,
      summary: 'List the access tokens that people made, the newest first',
      shape: { ...all, body: undefined, answer: AccessTokenList },
      handle: async ({ payeeId, user }) => {
        const { rows: found } = await transact((transaction) => selectAccessTokens(transaction, payeeId));
        return {
          accessTokens: found,
          scopes: [...grantableBy(user.role)],
        };
      },
    }),
    portalRoute({
      method: 'POST',
      path: HERE,
      operationId: 'createAccessToken',
      tag: TAG,
      summary: 'Make an access token',
      shape: { ...all, body: AccessTokenBody, answer: FreshAccessTokenAnswer },
      handle: async (request) => {
        const { payeeId, body, user } = request;
        const command = { ...body, payeeId, grantable: grantableBy(user.role), actor: actorOf(request) };
        const made = await transact((transaction) => createAccessToken(transaction, merchants, command));
        return { ...made, accessToken: made.accessToken.reveal() };
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/:accessTokenId/rotate`,
      operationId: 'rotateAccessToken',
      tag: TAG,
      summary: 'Put a new access token beside one, which then ends',
      shape: { ...one, body: RotateAccessTokenBody, answer: RotatedAccessTokenAnswer },
      handle: async (request) => {
        const { payeeId, params, body, user } = request;
        const grantable = grantableBy(user.role);
        const command = { ...body, payeeId, accessTokenId: params.accessTokenId, grantable, actor: actorOf(request) };
        const made = await transact((transaction) => rotateAccessToken(transaction, merchants, command));
        return { ...made, accessToken: made.accessToken.reveal() };
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/:accessTokenId/revoke`,
      operationId: 'revokeAccessToken',
      tag: TAG,
      summary: 'Revoke an access token; it stops working within a second',
      shape: { ...one, body: NoMembers, answer: NoMembers },
      handle: async (request) => {
        const { payeeId, params } = request;
        const command = { payeeId, accessTokenId: params.accessTokenId, actor: actorOf(request) };
        await transact((transaction) => revokeAccessToken(transaction, command));
        return {};
      },
    }),
  ];
}
