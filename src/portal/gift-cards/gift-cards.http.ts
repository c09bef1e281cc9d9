import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { path } from '../../http/operations.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { shownChange, waitingFor } from '../approvals/describe-changes.ts';
import { findGiftCard, giftCardStory, searchGiftCards } from './browse-gift-cards.ts';
import type { ListedGiftCard } from './gift-cards.types.ts';
import {
  FindGiftCardBody,
  FoundGiftCardAnswer,
  GiftCardParams,
  GiftCardStoryAnswer,
  GiftCardsAnswer,
  GiftCardsQuery,
} from './gift-cards.wire.ts';

const TAG = 'Gift cards';
const HERE = '/portal/api/payees/:payeeId/gift-cards';

/** Lists of gift cards, and what happened to one of them. */
export function portalGiftCardRoutes({ database, keyRing }: Kontor, { baseUrl }: RouteGiven): AnyPortalRoute[] {
  const {
    read,
    background: { transact },
  } = database;
  const shown = (card: ListedGiftCard) => ({
    ...card,
    address: `${baseUrl()}${path`/api/payments/gift-card/${card.accountId}`}`,
  });
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'searchGiftCards',
      tag: TAG,
      summary: 'List gift cards, the newest first: all, of a product, or in a state',
      shape: { params: PayeeParams, query: GiftCardsQuery, body: undefined, answer: GiftCardsAnswer },
      handle: async ({ payeeId, query }) => {
        const { rows, ...page } = await searchGiftCards(read, payeeId, query);
        return { giftCards: rows.map(shown), ...page };
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/find`,
      operationId: 'findGiftCard',
      tag: TAG,
      summary: 'Find a gift card by its number',
      shape: { params: PayeeParams, query: NoQuery, body: FindGiftCardBody, answer: FoundGiftCardAnswer },
      handle: async ({ payeeId, body }) => {
        const wanted = { payeeId, number: new Secret(body.accountKey) };
        const card = await transact((transaction) => findGiftCard(transaction, keyRing, wanted));
        return { giftCards: card === undefined ? [] : [shown(card)] };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/:accountId`,
      operationId: 'getGiftCardStory',
      tag: TAG,
      summary: 'See a gift card, what was done to it, and its latest entries',
      shape: { params: GiftCardParams, query: NoQuery, body: undefined, answer: GiftCardStoryAnswer },
      handle: async ({ payeeId, params }) => {
        const { giftCard, steps, entries, next } = await giftCardStory(read, { payeeId, accountId: params.accountId });
        const waiting = (await waitingFor(read, payeeId, giftCard.accountId)).map(shownChange);
        return { waiting, giftCard: shown(giftCard), steps, entries, next };
      },
    }),
  ];
}
