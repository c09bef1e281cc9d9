import { actorOf } from '../../http/actor.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { PAGE_TOKENS } from '../../kit/limits.ts';
import { deletePayerTokens } from '../delete-token.ts';
import { listTokens } from '../list-tokens.ts';
import type { TokenRoutesOptions } from '../tokens.types.ts';
import { DeleteBody, NoQuery, PageQuery, PayerOwnedAnswer, PayerOwnedParams } from '../tokens.wire.ts';
import { deletedTokens, payerOwnedPage, STORED_TOKENS } from './stored-token-answers.http.ts';

const ADDRESS = '/psp/paymentorders/payerownedtokens/:payerReference';

/** The endpoints below `/psp/paymentorders` for all that a payer has stored: list it, delete it. */
export function payerOwnedTokenRoutes({ transact, context, baseUrl }: TokenRoutesOptions): ApiRoute[] {
  return [
    apiRoute({
      method: 'GET',
      path: ADDRESS,
      scope: 'tokens:read',
      operationId: 'listPayerOwnedTokens',
      tag: STORED_TOKENS,
      summary: "List a payer's active tokens",
      shape: { params: PayerOwnedParams, query: PageQuery, body: undefined, answer: PayerOwnedAnswer },
      handle: async ({ params: { payerReference }, payeeId, query: { limit, cursor } }) => {
        const page = await listTokens(context, {
          payeeId,
          payerReference,
          archivedOnly: false,
          filter: { state: 'Active' },
          cursor,
          limit: limit === undefined ? PAGE_TOKENS : Number(limit),
        });
        return payerOwnedPage(page, { payerReference, baseUrl: baseUrl(), limit });
      },
    }),
    apiRoute({
      method: 'PATCH',
      path: ADDRESS,
      scope: 'tokens:write',
      operationId: 'deletePayerOwnedTokens',
      tag: STORED_TOKENS,
      summary: 'Delete all tokens of a payer',
      shape: { params: PayerOwnedParams, query: NoQuery, body: DeleteBody, answer: PayerOwnedAnswer },
      handle: async (request) => {
        const { payeeId, body } = request;
        const { payerReference } = request.params;
        const command = { payeeId, payerReference, comment: body.comment, actor: actorOf(request) };
        const deleted = await transact((transaction) => deletePayerTokens(transaction, context, command));
        return deletedTokens(payerReference, deleted);
      },
    }),
  ];
}
