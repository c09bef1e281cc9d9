import { apiRoute } from '../http/route.ts';
import type { ApiRoute } from '../http/route.types.ts';
import { NoQuery } from '../kit/schemas.wire.ts';
import { AccountParams, PaymentAnswer } from './account-answers.wire.ts';
import { AuthorizeBody, MoneyInBody, type NewPaymentBody, PurchaseBody } from './account-bodies.wire.ts';
import { newPaymentRequest } from './account-requests.http.ts';
import type { AccountRoutesOptions, NewPayment } from './accounts.types.ts';
import { paymentView } from './get-payment.ts';
import { accountExists } from './identifying/find-account.ts';
import { makePayment } from './make-payment.flow.ts';
import { ACCOUNT_PATH, paymentAnswer } from './payment-answers.http.ts';

/** What the API's document files the endpoints of accounts under. */
export const ACCOUNT_PAYMENTS = 'Account payments';

interface Kind {
  readonly operation: NewPayment['operation'];
  readonly segment: string;
  readonly summary: string;
  readonly body: typeof AuthorizeBody | typeof MoneyInBody | typeof PurchaseBody;
}

const KINDS: readonly Kind[] = [
  { operation: 'Authorize', segment: 'authorize', summary: 'Hold an amount on a card or account', body: AuthorizeBody },
  { operation: 'Purchase', segment: 'purchase', summary: 'Authorize and capture at once', body: PurchaseBody },
  { operation: 'Deposit', segment: 'deposit', summary: 'Put money on a stored-value account', body: MoneyInBody },
  { operation: 'Credit', segment: 'credit', summary: 'Give money back without an original payment', body: MoneyInBody },
];

/** The endpoints that make a payment. */
export function newPaymentRoutes({ context, baseUrl }: AccountRoutesOptions): ApiRoute[] {
  return KINDS.map(({ operation, segment, summary, body }) =>
    apiRoute({
      method: 'POST',
      path: `${ACCOUNT_PATH}/:paymentAccountId/payment/${segment}`,
      scope: 'accounts',
      signed: true,
      operationId: `${segment}AccountPayment`,
      tag: ACCOUNT_PAYMENTS,
      summary,
      shape: { params: AccountParams, query: NoQuery, body, answer: PaymentAnswer },
      problems: ['conflict', 'referencereused', 'gatewaytimeout'],
      expandable: ['transactions', 'cancellations'],
      exists: ({ params, payeeId }) => accountExists(context, payeeId, params.paymentAccountId),
      handle: async (request) => {
        const result = await makePayment(
          context,
          newPaymentRequest(request, operation, request.body as NewPaymentBody),
        );
        const view = await paymentView(context, result.payment, request.expand);
        const isDuplicate = result.kind === 'Duplicate';
        const links = { issuers: context.issuers, baseUrl: baseUrl() };
        return paymentAnswer(view, links, { isDuplicate, expand: request.expand });
      },
    }),
  );
}
