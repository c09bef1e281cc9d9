import { apiRoute } from '../http/route.ts';
import type { ApiRoute } from '../http/route.types.ts';
import { NoQuery } from '../kit/schemas.wire.ts';
import { OperationAnswer, PaymentParams, TransactionAnswer } from './account-answers.wire.ts';
import { CancelBody, CaptureBody, ReversalBody } from './account-bodies.wire.ts';
import { followUpRequest } from './account-requests.http.ts';
import type { AccountRoutesOptions, FollowUp } from './accounts.types.ts';
import { followUpPayment } from './follow-up-payment.flow.ts';
import { paymentExists, reversibleExists, reversiblePayment } from './get-payment.ts';
import { ACCOUNT_PAYMENTS } from './new-payment.http.ts';
import { ACCOUNT_PATH, operationAnswer, transactionAnswer } from './payment-answers.http.ts';

const PAYMENT_PATH = `${ACCOUNT_PATH}/:paymentAccountId/payment/:paymentId`;

/** The endpoints that follow an authorization up: capture, cancel, reversal. */
export function followUpRoutes({ context, baseUrl }: AccountRoutesOptions): ApiRoute[] {
  const followUp = async (request: FollowUp) => {
    const result = await followUpPayment(context, request);
    return { ...result, isDuplicate: result.kind === 'Duplicate' };
  };
  const links = () => ({ issuers: context.issuers, baseUrl: baseUrl() });
  return [
    apiRoute({
      method: 'POST',
      path: `${PAYMENT_PATH}/capture`,
      scope: 'accounts',
      signed: true,
      followsUp: true,
      operationId: 'captureAccountPayment',
      tag: ACCOUNT_PAYMENTS,
      summary: 'Settle part or all of a hold',
      shape: { params: PaymentParams, query: NoQuery, body: CaptureBody, answer: TransactionAnswer },
      problems: ['conflict', 'referencereused', 'gatewaytimeout'],
      exists: ({ params, payeeId }) => paymentExists(context, { payeeId, ...params }),
      handle: async (request) =>
        transactionAnswer(await followUp(followUpRequest(request, 'Capture', request.body)), links()),
    }),
    apiRoute({
      method: 'POST',
      path: `${PAYMENT_PATH}/cancel`,
      scope: 'accounts',
      signed: true,
      followsUp: true,
      operationId: 'cancelAccountPayment',
      tag: ACCOUNT_PAYMENTS,
      summary: 'Release what is left of a hold',
      shape: { params: PaymentParams, query: NoQuery, body: CancelBody, answer: OperationAnswer },
      problems: ['conflict', 'referencereused', 'gatewaytimeout'],
      exists: ({ params, payeeId }) => paymentExists(context, { payeeId, ...params }),
      handle: async (request) =>
        operationAnswer(await followUp(followUpRequest(request, 'Cancel', request.body)), links()),
    }),
    apiRoute({
      method: 'POST',
      path: `${PAYMENT_PATH}/reversal`,
      scope: 'accounts',
      signed: true,
      followsUp: true,
      operationId: 'reverseAccountPayment',
      tag: ACCOUNT_PAYMENTS,
      summary: 'Give back part or all of what was captured',
      shape: { params: PaymentParams, query: NoQuery, body: ReversalBody, answer: TransactionAnswer },
      problems: ['conflict', 'referencereused', 'gatewaytimeout'],
      exists: ({ params, payeeId }) => reversibleExists(context, { payeeId, ...params }),
      gives: async ({ params, payeeId, body }) => {
        const { currency, paymentId } = await reversiblePayment(context, { payeeId, ...params });
        const object = { kind: 'payment', id: paymentId } as const;
        return { amount: body.amount, currency, object, reason: body.description };
      },
      handle: async (request) =>
        transactionAnswer(await followUp(followUpRequest(request, 'Reversal', request.body)), links()),
    }),
  ];
}
