import type { Static } from 'typebox';
import type { Transact } from '../db/transaction.types.ts';
import { actorOf } from '../http/actor.ts';
import { apiRoute } from '../http/route.ts';
import type { ApiRoute, EdgeRequest } from '../http/route.types.ts';
import { notFound, Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { PAGE_TOKENS } from '../kit/limits.ts';
import { archivePayerTokens } from './archive-payer-tokens.ts';
import { archiveToken } from './archive-token.ts';
import { getToken } from './get-token.ts';
import { listTokens } from './list-tokens.ts';
import { renameToken } from './rename-token.ts';
import { type CollectionAddress, singleToken, tokenCollection } from './token-answers.http.ts';
import { isThere, parseTokenName, readCursor, type TokenName } from './tokens.rules.ts';
import type { TokenCursor, TokenFilter, TokenReads } from './tokens.types.ts';
import {
  ArchiveBody,
  ListQuery,
  NoQuery,
  PayerParams,
  RenameBody,
  SingleToken,
  TokenCollection,
  TokenParams,
} from './tokens.wire.ts';

/** What the routes of this slice need. */
export interface TokenRoutesOptions {
  readonly transact: Transact;
  readonly world: TokenReads;
  readonly baseUrl: () => string;
}

const PAYEE = '/online/payer/payees/:payeeId';
const TAG = 'Payer tokens';

/** The endpoints below `/online/payer`: read, list, rename and archive. */
export function tokenRoutes(options: TokenRoutesOptions): ApiRoute[] {
  return [...singleTokenRoutes(options), ...collectionRoutes(options)];
}

function singleTokenRoutes({ transact, world, baseUrl }: TokenRoutesOptions): ApiRoute[] {
  const exists = async ({ params, payeeId }: { params: { tokenId: string }; payeeId: PayeeId }): Promise<boolean> => {
    const name = parseTokenName(params.tokenId);
    if (name === undefined) return false;
    const found = await world.findToken({ payeeId, token: name.token });
    return isThere(name, found);
  };
  return [
    apiRoute({
      method: 'GET',
      path: `${PAYEE}/tokens/:tokenId`,
      scope: 'tokens:read',
      operationId: 'getToken',
      tag: TAG,
      summary: 'Read one token',
      shape: { params: TokenParams, query: NoQuery, body: undefined, answer: SingleToken },
      exists,
      handle: async ({ params, payeeId }) =>
        singleToken(await getToken(world, payeeId, nameOf(params.tokenId)), baseUrl()),
    }),
    apiRoute({
      method: 'PATCH',
      path: `${PAYEE}/tokens/:tokenId/displaynames`,
      scope: 'tokens:write',
      operationId: 'renameToken',
      tag: TAG,
      summary: "Change a token's display name",
      shape: { params: TokenParams, query: NoQuery, body: RenameBody, answer: SingleToken },
      exists,
      handle: async (request) => {
        const { payeeId, body } = request;
        const command = { payeeId, name: nameOf(request.params.tokenId), actor: actorOf(request), ...body };
        return singleToken(await transact((transaction) => renameToken(transaction, world, command)), baseUrl());
      },
    }),
    apiRoute({
      method: 'PATCH',
      path: `${PAYEE}/tokens/:tokenId/archives`,
      scope: 'tokens:write',
      operationId: 'archiveToken',
      tag: TAG,
      summary: 'Archive one token',
      shape: { params: TokenParams, query: NoQuery, body: ArchiveBody, answer: SingleToken },
      exists,
      handle: async (request) => {
        const { payeeId, body: archiving, caller } = request;
        const name = nameOf(request.params.tokenId);
        const command = { payeeId, name, archiving, scopes: caller.scopes, actor: actorOf(request) };
        return singleToken(await transact((transaction) => archiveToken(transaction, world, command)), baseUrl());
      },
    }),
  ];
}

function collectionRoutes({ transact, world, baseUrl }: TokenRoutesOptions): ApiRoute[] {
  const list = async (request: ListRequest, collection: 'tokens' | 'archives') => {
    const { params, payeeId, query } = request;
    const page = await listTokens(world, {
      payeeId,
      payerReference: params.payerReference,
      archivedOnly: collection === 'archives',
      filter: filterOf(query),
      after: query.cursor === undefined ? undefined : cursorOf(query.cursor),
      limit: query.limit === undefined ? PAGE_TOKENS : Number(query.limit),
    });
    return tokenCollection(page, addressOf(request, baseUrl(), collection));
  };
  return [
    apiRoute({
      method: 'GET',
      path: `${PAYEE}/payers/:payerReference/tokens`,
      scope: 'tokens:read',
      operationId: 'listTokens',
      tag: TAG,
      summary: "List a payer's tokens, active and archived",
      shape: LIST_SHAPE,
      handle: (request) => list(request, 'tokens'),
    }),
    apiRoute({
      method: 'GET',
      path: `${PAYEE}/payers/:payerReference/archives`,
      scope: 'tokens:read',
      operationId: 'listArchivedTokens',
      tag: TAG,
      summary: "List a payer's archived tokens",
      shape: LIST_SHAPE,
      handle: (request) => list(request, 'archives'),
    }),
    apiRoute({
      method: 'PATCH',
      path: `${PAYEE}/payers/:payerReference/archives`,
      scope: 'tokens:write',
      operationId: 'archivePayerTokens',
      tag: TAG,
      summary: 'Archive all tokens of a payer',
      shape: { params: PayerParams, query: NoQuery, body: ArchiveBody, answer: TokenCollection },
      handle: async (request) => {
        const { payeeId, params, body: archiving, caller } = request;
        const { payerReference } = params;
        const command = { payeeId, payerReference, archiving, scopes: caller.scopes, actor: actorOf(request) };
        const page = await transact((transaction) => archivePayerTokens(transaction, world, command));
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

function filterOf({ state, tokenType, instrument }: Static<typeof ListQuery>): TokenFilter {
  return {
    ...(state !== undefined && { state }),
    ...(tokenType !== undefined && { tokenType }),
    ...(instrument !== undefined && { instrument }),
  };
}

function cursorOf(text: string): TokenCursor {
  const cursor = readCursor(text);
  if (cursor instanceof Refusal) throw cursor;
  return cursor;
}

function nameOf(text: string): TokenName {
  const name = parseTokenName(text);
  if (name === undefined) throw notFound();
  return name;
}
