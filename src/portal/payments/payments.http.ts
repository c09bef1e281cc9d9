import type { Read } from '../../db/transaction.types.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { path } from '../../http/operations.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { shownChange, waitingFor } from '../approvals/describe-changes.ts';
import { selectResourceCalls } from '../calls/calls.store.ts';
import { selectPaymentMovements } from '../ledger/movements.store.ts';
import { exportPayments } from './export-payments.ts';
import { selectPayment } from './payments.store.ts';
import {
  CountAnswer,
  PaymentFilterQuery,
  PaymentParams,
  PaymentsAnswer,
  PaymentsQuery,
  StoryAnswer,
} from './payments.wire.ts';
import { countSearched, searchPayments, showPayment } from './search-payments.ts';
import { timelineOf } from './story.rules.ts';
import { selectStory } from './story.store.ts';
import type { PaymentStory } from './story.types.ts';

const TAG = 'Payments';
const HERE = '/portal/api/payees/:payeeId';

type Listed = Parameters<typeof showPayment>[0];

/** Lists of payments, and what happened to one of them. */
export function portalPaymentRoutes({ database }: Kontor, { baseUrl }: RouteGiven): AnyPortalRoute[] {
  const {
    read,
    reportReads: { readFor },
  } = database;
  const shown = (payment: Listed) => ({ ...showPayment(payment), address: addressOf(payment, baseUrl()) });
  return [
    portalRoute({
      method: 'GET',
      path: `${HERE}/payments`,
      operationId: 'searchPayments',
      tag: TAG,
      summary: 'List card payments and account payments, the newest first',
      description: 'Filters go together; `search` stands alone.',
      shape: { params: PayeeParams, query: PaymentsQuery, body: undefined, answer: PaymentsAnswer },
      handle: async ({ payeeId, query }) => {
        const { rows, ...page } = await searchPayments(read, payeeId, query);
        return { payments: rows.map(shown), ...page };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/payment-count`,
      operationId: 'countPayments',
      tag: TAG,
      summary: 'Count payments, up to 1000',
      shape: { params: PayeeParams, query: PaymentFilterQuery, body: undefined, answer: CountAnswer },
      handle: ({ payeeId, query }) => countSearched(read, payeeId, query),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/payments.csv`,
      operationId: 'exportPayments',
      tag: TAG,
      summary: 'Download payments as a table',
      shape: { params: PayeeParams, query: PaymentFilterQuery, body: undefined, answer: undefined },
      handle: async ({ payeeId, query }) => ({
        fileName: 'payments.csv',
        text: exportPayments(readFor(payeeId), payeeId, query),
      }),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/payments/:paymentId`,
      operationId: 'getPaymentStory',
      tag: TAG,
      summary: 'See a payment and what happened to it',
      shape: { params: PaymentParams, query: NoQuery, body: undefined, answer: StoryAnswer },
      handle: async ({ payeeId, params }) => {
        const { payment, transactions, timeline } = await paymentStory(read, payeeId, params.paymentId);
        const waiting = await waitingFor(read, payeeId, payment.paymentId);
        return {
          waiting: waiting.map(shownChange),
          payment: shown(payment),
          transactions,
          timeline,
        };
      },
    }),
  ];
}

/** Where a payment is in the API. */
function addressOf({ paymentId, accountId }: Listed, baseUrl: string): string {
  if (accountId === null) return `${baseUrl}${path`/psp/creditcard/payments/${paymentId}`}`;
  return `${baseUrl}${path`/api/payments/payment-account/${accountId}/payment/${paymentId}`}`;
}

/**
 * A payment and what happened to it: calls, its transactions, what moved, who was told and who did what.
 *
 * @throws Refusal `notfound`
 */
export async function paymentStory(read: Read, payeeId: PayeeId, id: string): Promise<PaymentStory> {
  const paymentId = id.toLowerCase();
  const payment = isUuid(paymentId) ? await selectPayment(read, payeeId, paymentId) : undefined;
  if (payment === undefined) throw notFound();
  const key = { payeeId, paymentId };
  const [parts, movements] = await Promise.all([
    selectStory(read, key, payment.family),
    selectPaymentMovements(read, key),
  ]);
  const sessionIds = parts.acts.flatMap(({ sessionId }) => sessionId ?? []);
  const calls = await selectResourceCalls(read, { payeeId, resourceId: paymentId }, sessionIds);
  const timeline = timelineOf(payment, { ...parts, movements, calls });
  return { payment, transactions: parts.transactions, timeline };
}
