import { actorOf } from '../http/actor.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import { apiRoute } from '../http/route.ts';
import type { ApiRoute, EdgeRequest } from '../http/route.types.ts';
import { PAGE_TOKENS } from '../kit/limits.ts';
import { NoQuery } from '../kit/schemas.wire.ts';
import { archivePayerTokens } from './archive-token.ts';
import { listTokens } from './list-tokens.ts';
import {
  ACTING_SCOPES,
  type CollectionAddress,
  PAYEE_PATH,
  PAYER_TOKENS,
  tokenCollection,
} from './token-answers.http.ts';
import type { TokenContext, TokenFilter } from './tokens.types.ts';
import { ArchiveBody, ListQuery, PayerParams, TokenCollection } from './tokens.wire.ts';

/** The endpoints of a payer's tokens: list, list the archived ones, archive all. */
export function tokenCollectionRoutes(context: TokenContext, { baseUrl }: RouteGiven): ApiRoute[] {
  const { transact } = context.database;
  const list = async (request: ListRequest, collection: 'tokens' | 'archives') => {
    const { params, payeeId, query } = request;
    const page = await listTokens(context, {
      payeeId,
      payerReference: params.payerReference,
      archivedOnly: collection === 'archives',
      filter: filterOf(query),
      cursor: query.cursor,
      limit: query.limit === undefined ? PAGE_TOKENS : Number(query.limit),
    });
    return tokenCollection(page, addressOf(request, baseUrl(), collection));
  };
  return [
    apiRoute({
      method: 'GET',
      path: `${PAYEE_PATH}/payers/:payerReference/tokens`,
      scope: 'tokens:read',
      operationId: 'listTokens',
      tag: PAYER_TOKENS,
      summary: "List a payer's tokens, active and archived",
      shape: LIST_SHAPE,
      handle: (request) => list(request, 'tokens'),
    }),
    apiRoute({
      method: 'GET',
      path: `${PAYEE_PATH}/payers/:payerReference/archives`,
      scope: 'tokens:read',
      operationId: 'listArchivedTokens',
      tag: PAYER_TOKENS,
      summary: "List a payer's archived tokens",
      shape: LIST_SHAPE,
      handle: (request) => list(request, 'archives'),
    }),
    apiRoute({
      method: 'PATCH',
      path: `${PAYEE_PATH}/payers/:payerReference/archives`,
      scope: 'tokens:write',
      otherScopes: ACTING_SCOPES,
      followsUp: true,
      operationId: 'archivePayerTokens',
      tag: PAYER_TOKENS,
      summary: 'Archive all tokens of a payer',
      shape: { params: PayerParams, query: NoQuery, body: ArchiveBody, answer: TokenCollection },
      handle: async (request) => {
        const { payeeId, params, body: archiving, caller } = request;
        const { payerReference } = params;
        const command = { payeeId, payerReference, archiving, scopes: caller.scopes, actor: actorOf(request) };
        const page = await transact((transaction) => archivePayerTokens(transaction, context, command));
        return tokenCollection(page, addressOf({ params, payeeId, query: {} }, baseUrl(), 'tokens'));
      },
    }),
  ];
}

const LIST_SHAPE = { params: PayerParams, query: ListQuery, body: undefined, answer: TokenCollection };

type ListRequest = Pick<EdgeRequest<typeof LIST_SHAPE>, 'params' | 'query' | 'payeeId'>;

function addressOf(
  { params, payeeId, query }: ListRequest,
  baseUrl: string,
  collection: 'tokens' | 'archives',
): CollectionAddress {
  const { cursor: _before, ...filters } = query;
  return { payeeId, payerReference: params.payerReference, baseUrl, collection, filters };
}

function filterOf({ state, tokenType, instrument }: ListRequest['query']): TokenFilter {
  return {
    ...(state !== undefined && { state }),
    ...(tokenType !== undefined && { tokenType }),
    ...(instrument !== undefined && { instrument }),
  };
}
