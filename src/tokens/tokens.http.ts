import { actorOf } from '../http/actor.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import { apiRoute } from '../http/route.ts';
import type { ApiRoute } from '../http/route.types.ts';
import { NoQuery } from '../kit/schemas.wire.ts';
import { archiveToken } from './archive-token.ts';
import { getToken, tokenExists } from './get-token.ts';
import { renameToken } from './rename-token.ts';
import { ACTING_SCOPES, PAYEE_PATH, PAYER_TOKENS, singleToken } from './token-answers.http.ts';
import type { TokenContext } from './tokens.types.ts';
import { ArchiveBody, RenameBody, SingleToken, TokenParams } from './tokens.wire.ts';

/** The endpoints of one token: read, rename, archive. */
export function tokenRoutes(context: TokenContext, { baseUrl }: RouteGiven): ApiRoute[] {
  const { transact } = context.database;
  return [
    apiRoute({
      method: 'GET',
      path: `${PAYEE_PATH}/tokens/:tokenId`,
      scope: 'tokens:read',
      operationId: 'getToken',
      tag: PAYER_TOKENS,
      summary: 'Read one token',
      shape: { params: TokenParams, query: NoQuery, body: undefined, answer: SingleToken },
      exists: ({ params, payeeId }) => tokenExists(context, payeeId, params.tokenId),
      handle: async ({ params, payeeId }) => singleToken(await getToken(context, payeeId, params.tokenId), baseUrl()),
    }),
    apiRoute({
      method: 'PATCH',
      path: `${PAYEE_PATH}/tokens/:tokenId/displaynames`,
      scope: 'tokens:write',
      operationId: 'renameToken',
      tag: PAYER_TOKENS,
      summary: "Change a token's display name",
      shape: { params: TokenParams, query: NoQuery, body: RenameBody, answer: SingleToken },
      exists: ({ params, payeeId }) => tokenExists(context, payeeId, params.tokenId),
      handle: async (request) => {
        const { payeeId, params, body } = request;
        const command = { payeeId, tokenId: params.tokenId, displayName: body.displayName, actor: actorOf(request) };
        return singleToken(await transact((transaction) => renameToken(transaction, context, command)), baseUrl());
      },
    }),
    apiRoute({
      method: 'PATCH',
      path: `${PAYEE_PATH}/tokens/:tokenId/archives`,
      scope: 'tokens:write',
      otherScopes: ACTING_SCOPES,
      followsUp: true,
      operationId: 'archiveToken',
      tag: PAYER_TOKENS,
      summary: 'Archive one token',
      shape: { params: TokenParams, query: NoQuery, body: ArchiveBody, answer: SingleToken },
      exists: ({ params, payeeId }) => tokenExists(context, payeeId, params.tokenId),
      handle: async (request) => {
        const { payeeId, params, body: archiving, caller } = request;
        const { tokenId } = params;
        const command = { payeeId, tokenId, archiving, scopes: caller.scopes, actor: actorOf(request) };
        return singleToken(await transact((transaction) => archiveToken(transaction, context, command)), baseUrl());
      },
    }),
  ];
}
