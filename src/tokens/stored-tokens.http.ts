import { actorOf } from '../http/actor.ts';
import { type Operation, operation, path } from '../http/operations.ts';
import { apiRoute } from '../http/route.ts';
import type { ApiRoute, RouteShape } from '../http/route.types.ts';
import { PAGE_TOKENS } from '../kit/limits.ts';
import { deletePayerTokens } from './delete-payer-tokens.ts';
import { deleteToken } from './delete-token.ts';
import { getActiveToken } from './get-active-token.ts';
import { listTokens } from './list-tokens.ts';
import { tokenOfTypeExists } from './token-exists.ts';
import type { Token, TokenRoutesOptions, TokenType } from './tokens.types.ts';
import {
  DeleteBody,
  GuidParams,
  NoQuery,
  PayerOwnedAnswer,
  PayerOwnedParams,
  PaymentTokenAnswer,
  RecurrenceAnswer,
  UnscheduledAnswer,
} from './tokens.wire.ts';

const TAG = 'Stored tokens';

/** The endpoints below `/psp/paymentorders`: what is stored, by type or by payer, and its deletion. */
export function storedTokenRoutes(options: TokenRoutesOptions): ApiRoute[] {
  return [...KINDS.flatMap((kind) => kindRoutes(kind, options)), ...payerOwnedRoutes(options)];
}

/** One kind of token that has an address of its own. The names of the members differ, as clients know them. */
interface Kind {
  readonly tokenType: TokenType;
  readonly segment: string;
  readonly operationName: string;
  readonly rel: string;
  readonly answer: RouteShape['answer'];
  readonly describe: (token: Token, isDeleted: boolean) => Record<string, unknown>;
}

const KINDS: readonly Kind[] = [
  {
    tokenType: 'Recurrence',
    segment: 'recurrenceTokens',
    operationName: 'RecurrenceToken',
    rel: 'delete-recurrencetokens',
    answer: RecurrenceAnswer,
    describe: (token, isDeleted) => ({ token: token.token, isDeleted }),
  },
  {
    tokenType: 'Unscheduled',
    segment: 'unscheduledTokens',
    operationName: 'UnscheduledToken',
    rel: 'delete-unscheduledtokens',
    answer: UnscheduledAnswer,
    describe: (token) => ({ token: token.token, ...describeInstrument(token) }),
  },
  {
    tokenType: 'Payment',
    segment: 'paymentTokens',
    operationName: 'PaymentToken',
    rel: 'delete-paymenttokens',
    answer: PaymentTokenAnswer,
    describe: (token) => ({ paymentToken: token.token, ...describeInstrument(token) }),
  },
];

function kindRoutes(kind: Kind, { transact, world, baseUrl }: TokenRoutesOptions): ApiRoute[] {
  const { tokenType, segment, operationName, answer, describe } = kind;
  const address = `/psp/paymentorders/${segment}`;
  return [
    apiRoute({
      method: 'GET',
      path: `${address}/:token`,
      scope: 'tokens:read',
      operationId: `get${operationName}`,
      tag: TAG,
      summary: `Read one active token of type ${tokenType}`,
      shape: { params: GuidParams, query: NoQuery, body: undefined, answer },
      handle: async ({ params, payeeId }) => {
        const token = await getActiveToken(world, payeeId, { tokenId: params.token, tokenType });
        const operations = [operation('PATCH', kind.rel, `${baseUrl()}${address}/${token.token}`)];
        return { ...describe(token, false), tokenType, operations };
      },
    }),
    apiRoute({
      method: 'PATCH',
      path: `${address}/:token`,
      scope: 'tokens:write',
      operationId: `delete${operationName}`,
      tag: TAG,
      summary: `Delete a token of type ${tokenType}`,
      shape: { params: GuidParams, query: NoQuery, body: DeleteBody, answer },
      exists: ({ params, payeeId }) => tokenOfTypeExists(world, payeeId, { tokenId: params.token, tokenType }),
      handle: async (request) => {
        const { payeeId, params, body } = request;
        const command = { payeeId, tokenId: params.token, tokenType, comment: body.comment, actor: actorOf(request) };
        return describe(await transact((transaction) => deleteToken(transaction, world, command)), true);
      },
    }),
  ];
}

function payerOwnedRoutes({ transact, world, baseUrl }: TokenRoutesOptions): ApiRoute[] {
  const address = (payerReference: string) => path`/psp/paymentorders/payerownedtokens/${payerReference}`;
  return [
    apiRoute({
      method: 'GET',
      path: '/psp/paymentorders/payerownedtokens/:payerReference',
      scope: 'tokens:read',
      operationId: 'listPayerOwnedTokens',
      tag: TAG,
      summary: "List a payer's active tokens",
      shape: { params: PayerOwnedParams, query: NoQuery, body: undefined, answer: PayerOwnedAnswer },
      handle: async ({ params: { payerReference }, payeeId }) => {
        const page = await listTokens(world, {
          payeeId,
          payerReference,
          archivedOnly: false,
          filter: { state: 'Active' },
          cursor: undefined,
          limit: PAGE_TOKENS,
        });
        const id = address(payerReference);
        const operations: Operation[] = [operation('PATCH', 'delete-payerownedtokens', `${baseUrl()}${id}`)];
        return { payerOwnedTokens: { id, payerReference, tokens: page.tokens.map(ownedToken) }, operations };
      },
    }),
    apiRoute({
      method: 'PATCH',
      path: '/psp/paymentorders/payerownedtokens/:payerReference',
      scope: 'tokens:write',
      operationId: 'deletePayerOwnedTokens',
      tag: TAG,
      summary: 'Delete all tokens of a payer',
      shape: { params: PayerOwnedParams, query: NoQuery, body: DeleteBody, answer: PayerOwnedAnswer },
      handle: async (request) => {
        const { payeeId, body } = request;
        const { payerReference } = request.params;
        const command = { payeeId, payerReference, comment: body.comment, actor: actorOf(request) };
        const deleted = await transact((transaction) => deletePayerTokens(transaction, world, command));
        return { payerOwnedTokens: { id: address(payerReference), payerReference, tokens: deleted.map(ownedToken) } };
      },
    }),
  ];
}

function ownedToken(token: Token) {
  return { tokenType: token.tokenType, token: token.token, ...describeInstrument(token) };
}

/** A card shows its brand and expiry here and nothing else; other instruments show what they have. */
function describeInstrument({ instrument, displayName, correlationId, parameters }: Token) {
  const { cardBrand, expiryDate } = parameters;
  return {
    instrument,
    instrumentDisplayName: displayName,
    correlationId,
    instrumentParameters:
      cardBrand === undefined ? parameters : { cardBrand, ...(expiryDate !== undefined && { expiryDate }) },
  };
}
