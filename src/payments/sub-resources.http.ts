import { apiRoute } from '../http/route.ts';
import type { ApiRoute } from '../http/route.types.ts';
import { CARD_PAYMENTS } from '../kit/cards/card-payment-paths.ts';
import { notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { cardPaymentExists, findCardPayment } from './find-payment.ts';
import { itemShown, partAnswer, subResource, transactionShown } from './payment-answers.http.ts';
import {
  AuthorizationAnswer,
  CancellationAnswer,
  CaptureAnswer,
  NoQuery,
  PaymentParams,
  ReversalAnswer,
  SUB_RESOURCES,
  type SubResourceName,
  subResourceAnswer,
  TransactionAnswer,
  TransactionParams,
  VerificationAnswer,
} from './payment-answers.wire.ts';
import { CARD_PAYMENTS_TAG, lookingOf } from './payments.http.ts';
import type {
  AskedTransaction,
  CardPaymentsContext,
  CardPaymentView,
  PaymentRoutesOptions,
  TransactionType,
} from './payments.types.ts';
import { shownPayment } from './show-payment.ts';

/** Sub-resources that are there only once there is something in them. */
const OUTCOMES = { paid: 'show-paid', failed: 'show-failed', aborted: 'show-aborted' } as const;

/** Reads of the parts of a payment, each at an address of its own. */
export function subResourceRoutes(options: PaymentRoutesOptions): ApiRoute[] {
  const names = Object.keys(SUB_RESOURCES) as SubResourceName[];
  return [...names.map((name) => listRoute(options, name)), ...itemRoutes(options)];
}

function listRoute(options: PaymentRoutesOptions, name: SubResourceName): ApiRoute {
  const { context } = options;
  return apiRoute({
    method: 'GET',
    path: `${CARD_PAYMENTS}/:paymentId/${name.toLowerCase()}`,
    scope: 'payments',
    operationId: `getCardPayment${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    tag: CARD_PAYMENTS_TAG,
    summary: `Read the ${WORDS[name]} of a card payment`,
    shape: {
      params: PaymentParams,
      query: NoQuery,
      body: undefined,
      answer: subResourceAnswer(name),
    },
    exists: ({ params, payeeId }) => cardPaymentExists(context, { payeeId, ...params }),
    handle: async (request) => {
      const view = await findCardPayment(context, { payeeId: request.payeeId, ...request.params });
      if (isOutcome(name) && !shownPayment(view).possible.includes(OUTCOMES[name])) throw notFound();
      const looking = lookingOf(request, options);
      return partAnswer({ [name]: subResource(name, view, looking) }, view, looking) as never;
    },
  });
}

function isOutcome(name: SubResourceName): name is keyof typeof OUTCOMES {
  return Object.hasOwn(OUTCOMES, name);
}

const WORDS: Readonly<Record<SubResourceName, string>> = {
  prices: 'prices',
  urls: 'addresses',
  payeeInfo: "payee's words",
  metadata: 'metadata',
  transactions: 'transactions',
  authorizations: 'authorizations',
  verifications: 'verifications',
  captures: 'captures',
  cancellations: 'cancellations',
  reversals: 'reversals',
  paid: 'success',
  failed: 'failure',
  aborted: 'abort',
};

/** Single items by where they are listed; those of `transactions` are of any type. */
const ITEMS = [
  ['transactions', 'transaction', undefined, TransactionAnswer],
  ['authorizations', 'authorization', 'Authorization', AuthorizationAnswer],
  ['verifications', 'verification', 'Verification', VerificationAnswer],
  ['captures', 'capture', 'Capture', CaptureAnswer],
  ['cancellations', 'cancellation', 'Cancellation', CancellationAnswer],
  ['reversals', 'reversal', 'Reversal', ReversalAnswer],
] as const;

function itemRoutes(options: PaymentRoutesOptions): ApiRoute[] {
  const { context } = options;
  return ITEMS.map(([place, name, type, answer]) =>
    apiRoute({
      method: 'GET',
      path: `${CARD_PAYMENTS}/:paymentId/${place}/:transactionId`,
      scope: 'payments',
      operationId: `getCardPayment${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      tag: CARD_PAYMENTS_TAG,
      summary: `Read one ${name} of a card payment`,
      shape: { params: TransactionParams, query: NoQuery, body: undefined, answer },
      exists: async ({ params, payeeId }) => (await findItem(context, { payeeId, ...params }, type)) !== undefined,
      handle: async (request) => {
        const found = await findItem(context, { payeeId: request.payeeId, ...request.params }, type);
        if (found === undefined) throw notFound();
        const looking = lookingOf(request, options);
        const shown = type === undefined ? transactionShown(found.item, looking) : itemShown(found.item, looking);
        return partAnswer({ [name]: shown }, found.view, looking) as never;
      },
    }),
  );
}

async function findItem(
  context: CardPaymentsContext,
  named: { readonly payeeId: PayeeId; readonly paymentId: string; readonly transactionId: string },
  type: TransactionType | undefined,
): Promise<{ readonly view: CardPaymentView; readonly item: AskedTransaction } | undefined> {
  const view = await findCardPayment(context, named);
  const transactionId = named.transactionId.toLowerCase();
  const item = view.transactions.find(
    (one) => one.transactionId === transactionId && (type === undefined || one.type === type),
  );
  return item && { view, item };
}
