import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { linksOf, operation } from '../../http/operations.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import type { GiftCardsContext } from '../gift-cards-context.types.ts';
import { askLiability } from './ask-liability.ts';
import { LiabilityAnswer, LiabilityParams, LiabilityQuery } from './liability.wire.ts';

const ADDRESS = '/api/payments/gift-card/liability';

/** The endpoint that tells what is owed on gift cards. */
export function liabilityRoute({ database }: GiftCardsContext, { baseUrl }: RouteGiven): ApiRoute {
  const { read, inTurn } = database.reportReads;
  return apiRoute({
    method: 'GET',
    path: ADDRESS,
    scope: 'gift-cards',
    signed: true,
    operationId: 'getGiftCardLiability',
    tag: 'Gift cards',
    summary: 'What is owed on gift cards, and what moved in a period',
    shape: { params: LiabilityParams, query: LiabilityQuery, body: undefined, answer: LiabilityAnswer },
    handle: async ({ payeeId, query: { asOf, from, to } }) => {
      const { totals, outstanding, ages, turnover, ...instants } = await inTurn(payeeId, () =>
        askLiability({ run: read }, { payeeId, asOf, from, to }),
      );
      const self = `${baseUrl()}${ADDRESS}`;
      const operations = [operation('GET', 'get-gift-card-liability', self)];
      return {
        _links: linksOf(self, operations),
        ...instants,
        totals,
        outstanding,
        ages: ages.map(({ productId, expiring, ...one }) => ({
          ...one,
          ...(productId !== null && { productId }),
          ...(expiring !== null && { expiring }),
        })),
        turnover,
        operations,
      };
    },
  });
}
