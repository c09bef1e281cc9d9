import { actorOf } from '../http/actor.ts';
import { withPlainNumbers } from '../http/body/json-number.ts';
import { apiRoute } from '../http/route.ts';
import type { ApiRoute, EdgeRequest } from '../http/route.types.ts';
import { CARD_PAYMENTS, paymentPath } from '../kit/cards/card-payment-paths.ts';
import { NoParams, NoQuery } from '../kit/schemas.wire.ts';
import { abortCardPayment } from './changes/abort-payment.flow.ts';
import { createCardPayment } from './create-payment.ts';
import { cardPaymentExists } from './find-payment.ts';
import type { NewPayment } from './new-payment.types.ts';
import { pageLink } from './page/page-link.ts';
import { payWithToken } from './pay.flow.ts';
import { holderNameIn } from './payers/sealed-payers.ts';
import { CARD_PLACE, type Looking, type PaymentPlace, paymentAnswer } from './payment-answers.http.ts';
import { PaymentAnswer, PaymentParams, SUB_RESOURCES } from './payment-answers.wire.ts';
import { AbortBody, CreatePaymentBody } from './payment-bodies.wire.ts';
import type { PaymentRoutesOptions } from './payments-context.types.ts';

/** What the API's document files the endpoints under. */
export const CARD_PAYMENTS_TAG = 'Card payments';

/** Sub-resources that `$expand` may name. */
export const EXPANDABLE = Object.keys(SUB_RESOURCES);

/** Who looks at an answer. */
export function lookingOf(
  { caller, expand }: Pick<EdgeRequest, 'caller' | 'expand'>,
  { context, baseUrl }: Pick<PaymentRoutesOptions, 'baseUrl' | 'context'>,
  place: PaymentPlace = CARD_PLACE,
): Looking {
  return {
    place,
    baseUrl: baseUrl(),
    pageLink: (payment) => pageLink(context.keyRing, payment),
    holderName: (transaction) => holderNameIn(context.keyRing, transaction),
    scopes: caller.scopes,
    expand,
    issuers: context.issuers,
  };
}

/** The endpoints of a payment itself: make, abort. */
export function cardPaymentRoutes(options: PaymentRoutesOptions): ApiRoute[] {
  const { context } = options;
  return [
    apiRoute({
      method: 'POST',
      path: CARD_PAYMENTS,
      scope: 'payments',
      takesIdempotencyKey: true,
      operationId: 'createCardPayment',
      tag: CARD_PAYMENTS_TAG,
      summary: 'Make a card payment',
      shape: { params: NoParams, query: NoQuery, body: CreatePaymentBody, answer: PaymentAnswer },
      problems: ['conflict', 'referencereused', 'paymenttokeninactive', 'noacquirer'],
      expandable: EXPANDABLE,
      handle: async (request) => {
        const { payeeId, body, idempotencyKey, userAgent } = request;
        const actor = actorOf(request);
        const created = await createCardPayment(context, {
          payeeId,
          actor,
          idempotencyKey,
          payment: withNumbers(body.payment),
          cards: body.creditCard ?? {},
          userAgent,
        });
        if (created.isReplay) request.noteReplay();
        request.noteCreated(`${options.baseUrl()}${paymentPath(created.payment)}`);
        const view = await payWithToken(options, created, actor);
        return paymentAnswer(view, lookingOf(request, options));
      },
    }),
    apiRoute({
      method: 'PATCH',
      path: `${CARD_PAYMENTS}/:paymentId`,
      scope: 'payments',
      followsUp: true,
      operationId: 'abortCardPayment',
      tag: CARD_PAYMENTS_TAG,
      summary: 'Abort a card payment that has not been paid',
      shape: { params: PaymentParams, query: NoQuery, body: AbortBody, answer: PaymentAnswer },
      expandable: EXPANDABLE,
      exists: ({ params, payeeId }) => cardPaymentExists(context, { payeeId, ...params }),
      handle: async (request) => {
        const { payeeId, params, body } = request;
        const reason = body.payment.abortReason;
        const view = await abortCardPayment(options, { payeeId, actor: actorOf(request), ...params, reason });
        return paymentAnswer(view, lookingOf(request, options));
      },
    }),
  ];
}

/** A payment whose `metadata` has numbers as JavaScript has them. */
function withNumbers({ metadata, ...payment }: CreatePaymentBody['payment']): NewPayment {
  return metadata === undefined ? payment : { ...payment, metadata: withPlainNumbers(metadata) };
}
