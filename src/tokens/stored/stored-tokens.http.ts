import { actorOf } from '../../http/actor.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute, RouteShape } from '../../http/route.types.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { deleteToken } from '../delete-token.ts';
import { activeTokenExists, getActiveToken, tokenOfTypeExists } from '../get-token.ts';
import { STORED_SEGMENTS, tokenOperations } from '../token-answers.http.ts';
import type { Token, TokenContext } from '../tokens.types.ts';
import { DeleteBody, GuidParams, PaymentTokenAnswer, RecurrenceAnswer, UnscheduledAnswer } from '../tokens.wire.ts';
import { describeInstrument, STORED_TOKENS } from './stored-token-answers.http.ts';

/** The endpoints below `/psp/paymentorders` for one token of a certain type: read it, delete it. */
export function storedTokenRoutes(context: TokenContext, given: RouteGiven): ApiRoute[] {
  return KINDS.flatMap((kind) => kindRoutes(kind, context, given));
}

/** One kind of token that has an address of its own. The names of the members differ, as clients know them. */
interface Kind {
  readonly tokenType: keyof typeof STORED_SEGMENTS;
  readonly operationName: string;
  readonly answer: RouteShape['answer'];
  readonly describe: (token: Token, isDeleted: boolean) => Record<string, unknown>;
}

const KINDS: readonly Kind[] = [
  {
    tokenType: 'Recurrence',
    operationName: 'RecurrenceToken',
    answer: RecurrenceAnswer,
    describe: (token, isDeleted) => ({ token: token.record.token, isDeleted }),
  },
  {
    tokenType: 'Unscheduled',
    operationName: 'UnscheduledToken',
    answer: UnscheduledAnswer,
    describe: (token) => ({ token: token.record.token, ...describeInstrument(token) }),
  },
  {
    tokenType: 'Payment',
    operationName: 'PaymentToken',
    answer: PaymentTokenAnswer,
    describe: (token) => ({ paymentToken: token.record.token, ...describeInstrument(token) }),
  },
];

function kindRoutes(kind: Kind, context: TokenContext, { baseUrl }: RouteGiven): ApiRoute[] {
  const { transact } = context.database;
  const { tokenType, operationName, answer, describe } = kind;
  const address = `/psp/paymentorders/${STORED_SEGMENTS[tokenType]}`;
  return [
    apiRoute({
      method: 'GET',
      path: `${address}/:token`,
      scope: 'tokens:read',
      operationId: `get${operationName}`,
      tag: STORED_TOKENS,
      summary: `Read one active token of type ${tokenType}`,
      shape: { params: GuidParams, query: NoQuery, body: undefined, answer },
      exists: ({ params, payeeId }) => activeTokenExists(context, payeeId, { tokenId: params.token, tokenType }),
      handle: async ({ params, payeeId }) => {
        const token = await getActiveToken(context, payeeId, { tokenId: params.token, tokenType });
        return { ...describe(token, false), tokenType, operations: tokenOperations(token, baseUrl()) };
      },
    }),
    apiRoute({
      method: 'PATCH',
      path: `${address}/:token`,
      scope: 'tokens:write',
      followsUp: true,
      operationId: `delete${operationName}`,
      tag: STORED_TOKENS,
      summary: `Delete a token of type ${tokenType}`,
      shape: { params: GuidParams, query: NoQuery, body: DeleteBody, answer },
      exists: ({ params, payeeId }) => tokenOfTypeExists(context, payeeId, { tokenId: params.token, tokenType }),
      handle: async (request) => {
        const { payeeId, params, body } = request;
        const command = { payeeId, tokenId: params.token, tokenType, comment: body.comment, actor: actorOf(request) };
        return describe(await transact((transaction) => deleteToken(transaction, context, command)), true);
      },
    }),
  ];
}
