import { actorOf } from '../../http/actor.ts';
import { textOf } from '../../http/body/json-number.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute, EdgeRequest } from '../../http/route.types.ts';
import { CARD_PAYMENTS } from '../../kit/cards/card-payment-paths.ts';
import { plainDigits, typedName } from '../../kit/cards/typed-card.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { Secret } from '../../kit/secret.ts';
import type { SentCard } from '../cards/payment-cards.types.ts';
import type { Vouched } from '../cards/vouched.rules.ts';
import { cardPaymentExists, findCardPayment } from '../find-payment.ts';
import { payWithSentCard } from '../pay.flow.ts';
import { itemShown, type Looking, partAnswer } from '../payment-answers.http.ts';
import {
  AuthorizationAnswer,
  CancellationAnswer,
  CaptureAnswer,
  PaymentParams,
  ReversalAnswer,
  type TryShown,
  VerificationAnswer,
} from '../payment-answers.wire.ts';
import {
  AmountBody,
  CancellationBody,
  CardBody,
  CardToAuthorizeBody,
  type FollowUpBody,
} from '../payment-bodies.wire.ts';
import { CARD_PAYMENTS_TAG, lookingOf } from '../payments.http.ts';
import type { Changed, FollowUpType, TryType } from '../payments.types.ts';
import type { PaymentRoutesOptions } from '../payments-context.types.ts';
import { followUpCardPayment } from './follow-up.flow.ts';

type Request = Pick<
  EdgeRequest,
  'payeeId' | 'caller' | 'sessionId' | 'trace' | 'remoteAddress' | 'idempotencyKey' | 'noteReplay'
> & {
  readonly params: { readonly paymentId: string };
};

/** The endpoints that make a transaction of a payment. */
export function paymentChangeRoutes(options: PaymentRoutesOptions): ApiRoute[] {
  const { context } = options;
  const common = {
    method: 'POST',
    takesIdempotencyKey: true,
    tag: CARD_PAYMENTS_TAG,
    problems: ['conflict', 'referencereused'],
    exists: ({ params, payeeId }: Pick<Request, 'params' | 'payeeId'>) =>
      cardPaymentExists(context, { payeeId, ...params }),
  } as const;
  const direct = { ...common, scope: 'payments:direct' } as const;
  const followUp = { ...common, scope: 'payments', followsUp: true } as const;
  const shape = { params: PaymentParams, query: NoQuery };
  return [
    apiRoute({
      ...direct,
      path: `${CARD_PAYMENTS}/:paymentId/authorizations`,
      operationId: 'authorizeCardPayment',
      summary: 'Pay with a card that the payee has been told',
      shape: { ...shape, body: CardToAuthorizeBody, answer: AuthorizationAnswer },
      handle: async (request) =>
        made('authorization', await pay(options, request, 'Authorization'), lookingOf(request, options)),
    }),
    apiRoute({
      ...direct,
      path: `${CARD_PAYMENTS}/:paymentId/verifications`,
      operationId: 'verifyCardPayment',
      summary: 'Verify a card that the payee has been told',
      shape: { ...shape, body: CardBody, answer: VerificationAnswer },
      handle: async (request) =>
        made('verification', await pay(options, request, 'Verification'), lookingOf(request, options)),
    }),
    apiRoute({
      ...followUp,
      path: `${CARD_PAYMENTS}/:paymentId/captures`,
      operationId: 'captureCardPayment',
      summary: 'Take part or all of what is held',
      shape: { ...shape, body: AmountBody, answer: CaptureAnswer },
      handle: async (request) =>
        made('capture', await follow(options, request, 'Capture'), lookingOf(request, options)),
    }),
    apiRoute({
      ...followUp,
      path: `${CARD_PAYMENTS}/:paymentId/cancellations`,
      operationId: 'cancelCardPayment',
      summary: 'Release what is left of what is held',
      shape: { ...shape, body: CancellationBody, answer: CancellationAnswer },
      handle: async (request) =>
        made('cancellation', await follow(options, request, 'Cancellation'), lookingOf(request, options)),
    }),
    apiRoute({
      ...followUp,
      path: `${CARD_PAYMENTS}/:paymentId/reversals`,
      operationId: 'reverseCardPayment',
      summary: 'Give back part or all of what was taken',
      shape: { ...shape, body: AmountBody, answer: ReversalAnswer },
      gives: async ({ payeeId, params, body }) => {
        const { payment } = await findCardPayment(context, { payeeId, ...params });
        const { amount, description: reason } = body.transaction;
        const object = { kind: 'payment', id: payment.paymentId } as const;
        return { amount, currency: payment.currency, object, reason };
      },
      handle: async (request) =>
        made('reversal', await follow(options, request, 'Reversal'), lookingOf(request, options)),
    }),
  ];
}

function made<Name extends string>(name: Name, changed: Changed, looking: Looking) {
  const part = { [name]: itemShown(changed.transaction, looking) } as Record<Name, TryShown>;
  return partAnswer(part, changed, looking);
}

async function pay(
  options: PaymentRoutesOptions,
  request: Request & { readonly body: CardBody | CardToAuthorizeBody },
  type: TryType,
): Promise<Changed> {
  const { payeeId, params, idempotencyKey, body } = request;
  const actor = actorOf(request);
  const changed = await payWithSentCard(options, {
    payeeId,
    actor,
    idempotencyKey,
    ...params,
    type,
    sent: sentCard(body),
  });
  if (changed.isReplay) request.noteReplay();
  return changed;
}

/** The card of a body, read as a payer's form is: what is secret is wrapped before anything else looks at it. */
function sentCard({ transaction }: CardBody | CardToAuthorizeBody): SentCard {
  const { cardNumber, cardExpiryMonth, cardExpiryYear, cardVerificationCode, cardholderName } = transaction;
  const code = textOf(cardVerificationCode);
  return {
    number: new Secret(plainDigits(textOf(cardNumber) ?? '')),
    month: plainDigits(textOf(cardExpiryMonth) ?? ''),
    year: plainDigits(textOf(cardExpiryYear) ?? ''),
    code:
      code === undefined
        ? undefined
        : { digits: new Secret(plainDigits(code)), cameAsNumber: typeof cardVerificationCode !== 'string' },
    holderName: typedName(cardholderName ?? '') || undefined,
    vouched: 'exemption' in transaction || 'authentication' in transaction ? vouchedFor(transaction) : {},
  };
}

function vouchedFor({ authentication, exemption }: CardToAuthorizeBody['transaction']): Vouched {
  if (authentication === undefined) return { exemption };
  const { version, transStatus, eci, dsTransactionId } = authentication;
  const authenticationValue = new Secret(authentication.authenticationValue);
  return {
    exemption,
    authentication: { version, transStatus, eci, authenticationValue, dsTransactionId, source: 'External' },
  };
}

async function follow(
  { context }: PaymentRoutesOptions,
  request: Request & { readonly body: FollowUpBody },
  type: FollowUpType,
): Promise<Changed> {
  const { payeeId, params, idempotencyKey, body } = request;
  const { amount, vatAmount, description, payeeReference } = body.transaction;
  const changed = await followUpCardPayment(context, {
    payeeId,
    actor: actorOf(request),
    idempotencyKey,
    paymentId: params.paymentId,
    type,
    amount,
    vatAmount,
    description: description?.trim(),
    payeeReference,
  });
  if (changed.isReplay) request.noteReplay();
  return changed;
}
