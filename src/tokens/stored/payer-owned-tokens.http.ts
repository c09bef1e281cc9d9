import { actorOf } from '../../http/actor.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute, RouteShape } from '../../http/route.types.ts';
import { PAGE_TOKENS } from '../../kit/limits.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { deletePayerTokens } from '../delete-token.ts';
import { listTokens } from '../list-tokens.ts';
import { OWNED, type Owned } from '../token-answers.http.ts';
import type { TokenContext } from '../tokens.types.ts';
import { DeleteBody, PageQuery, PayerOwnedAnswer, PayerOwnedParams, PayerOwnedPaymentAnswer } from '../tokens.wire.ts';
import { deletedTokens, payerOwnedPage, STORED_TOKENS } from './stored-token-answers.http.ts';

/**
 * The endpoints below `/psp/paymentorders` for what a payer has stored: list it, delete it. Older clients know the address
 * for tokens of type Payment alone.
 */
export function payerOwnedTokenRoutes(context: TokenContext, given: RouteGiven): ApiRoute[] {
  return [...ownedRoutes(OWNED.all, context, given), ...ownedRoutes(OWNED.payment, context, given)];
}

function ownedRoutes(owned: Owned, context: TokenContext, { baseUrl }: RouteGiven): ApiRoute[] {
  const { transact } = context.database;
  const { tokenType } = owned;
  const path = `/psp/paymentorders/${owned.segment}/:payerReference`;
  const answer: RouteShape['answer'] = tokenType === undefined ? PayerOwnedAnswer : PayerOwnedPaymentAnswer;
  const which = tokenType === undefined ? 'tokens' : `tokens of type ${tokenType}`;
  return [
    apiRoute({
      method: 'GET',
      path,
      scope: 'tokens:read',
      operationId: `listPayerOwned${tokenType ?? ''}Tokens`,
      tag: STORED_TOKENS,
      summary: `List a payer's active ${which}`,
      shape: { params: PayerOwnedParams, query: PageQuery, body: undefined, answer },
      handle: async ({ params: { payerReference }, payeeId, query: { limit, cursor } }) => {
        const page = await listTokens(context, {
          payeeId,
          payerReference,
          archivedOnly: false,
          filter: { state: 'Active', ...(tokenType !== undefined && { tokenType }) },
          cursor,
          limit: limit === undefined ? PAGE_TOKENS : Number(limit),
        });
        return payerOwnedPage(page, { owned, payerReference, baseUrl: baseUrl(), limit });
      },
    }),
    apiRoute({
      method: 'PATCH',
      path,
      scope: 'tokens:write',
      followsUp: true,
      operationId: `deletePayerOwned${tokenType ?? ''}Tokens`,
      tag: STORED_TOKENS,
      summary: `Delete all ${which} of a payer`,
      shape: { params: PayerOwnedParams, query: NoQuery, body: DeleteBody, answer },
      handle: async (request) => {
        const { payeeId, body } = request;
        const { payerReference } = request.params;
        const command = { payeeId, payerReference, tokenType, comment: body.comment, actor: actorOf(request) };
        const deleted = await transact((transaction) => deletePayerTokens(transaction, context, command));
        return deletedTokens({ owned, payerReference }, deleted);
      },
    }),
  ];
}
