import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { orderPath, PAYMENT_SESSIONS } from '../../kit/cards/payment-order-paths.ts';
import { notFound } from '../../kit/errors.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { OrderView } from '../orders.types.ts';
import { orderOperations } from './order-answer.http.ts';
import { SessionAnswer, SessionParams } from './order-answers.wire.ts';
import { findBySession, findGiftCardPayment } from './order-lookups.ts';
import { problemShown } from './order-parts.rules.ts';
import { GIFT_CARD_PLACE, lookingAt, type OrderRoutesOptions, PAYMENT_ORDERS_TAG } from './order-requests.http.ts';
import { shownStatus } from './order-state.rules.ts';

/** Reads of the legs that gift cards pay; those of cards are where card payments are. */
export function giftCardPaymentRoutes({ context, answers }: OrderRoutesOptions): ApiRoute[] {
  return answers.readRoutes({
    place: GIFT_CARD_PLACE,
    tag: PAYMENT_ORDERS_TAG,
    noun: 'GiftCardPayment',
    words: 'gift card payment',
    // A gift card is asked once its order has all of the amount: it is no leg where it does not pay.
    lacks: ['verifications', 'failed', 'aborted'],
    find: async (named) => {
      const found = await findGiftCardPayment(context, named);
      if (found === undefined) throw notFound();
      return found;
    },
    exists: async (named) => (await findGiftCardPayment(context, named)) !== undefined,
  });
}

/** What the page of an order shows, for the payee's own page. */
export function sessionRoutes(options: OrderRoutesOptions): ApiRoute[] {
  const { context } = options;
  return [
    apiRoute({
      method: 'GET',
      path: `${PAYMENT_SESSIONS}/:session`,
      scope: 'payments',
      operationId: 'getPaymentSession',
      tag: PAYMENT_ORDERS_TAG,
      summary: 'Read how the page of a payment order stands',
      shape: { params: SessionParams, query: NoQuery, body: undefined, answer: SessionAnswer },
      exists: async ({ payeeId, params }) => (await findBySession(context, { payeeId, ...params })) !== undefined,
      handle: async (request) => {
        const { payeeId, params } = request;
        const view = await findBySession(context, { payeeId, ...params });
        if (view === undefined) throw notFound();
        const looking = lookingAt(view, request, options);
        const { order } = view;
        return {
          paymentSession: {
            id: orderPath(order),
            status: shownStatus(view),
            culture: order.terms.language,
            ...lastProblem(view, looking.baseUrl),
          },
          operations: orderOperations(view, looking),
        };
      },
    }),
  ];
}

/** Why the last try failed, while another one may be made. */
function lastProblem(view: OrderView, baseUrl: string) {
  const last = view.card.transactions.at(-1);
  if (shownStatus(view) !== 'Initialized' || last === undefined || last.problem === null) return {};
  return { problem: problemShown(last.problem, baseUrl) };
}
