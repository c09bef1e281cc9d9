import { apiRoute } from '../http/route.ts';
import type { ApiRoute } from '../http/route.types.ts';
import { notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { NoQuery } from '../kit/schemas.wire.ts';
import { cardPaymentExists, findCardPayment, type NamedPayment } from './find-payment.ts';
import {
  CARD_PLACE,
  itemShown,
  type PaymentPlace,
  partAnswer,
  paymentAnswer,
  subResource,
  transactionShown,
} from './payment-answers.http.ts';
import {
  AuthorizationAnswer,
  CancellationAnswer,
  CaptureAnswer,
  PaymentAnswer,
  PaymentParams,
  ReversalAnswer,
  SUB_RESOURCES,
  type SubResourceName,
  subResourceAnswer,
  TransactionAnswer,
  TransactionParams,
  VerificationAnswer,
} from './payment-answers.wire.ts';
import { CARD_PAYMENTS_TAG, EXPANDABLE, lookingOf } from './payments.http.ts';
import type { AskedTransaction, CardPaymentView, TransactionType } from './payments.types.ts';
import type { PaymentRoutesOptions } from './payments-context.types.ts';
import { shownPayment } from './show-payment.ts';

/** Sub-resources that are there only once there is something in them. */
const OUTCOMES = { paid: 'show-paid', failed: 'show-failed', aborted: 'show-aborted' } as const;

/** Payments of a kind that can be read: where they are, what they are called, and how they are found. */
export interface ReadPayments {
  readonly place: PaymentPlace;
  readonly tag: string;
  /** In operationIds, as in `getCardPaymentPaid`. */
  readonly noun: string;
  /** In texts, as in `a card payment`. */
  readonly words: string;
  /** Sub-resources that payments of this kind never have. */
  readonly lacks?: readonly SubResourceName[];
  /** Throws a Refusal where there is none. */
  readonly find: (named: NamedPayment) => Promise<CardPaymentView>;
  readonly exists: (named: NamedPayment) => Promise<boolean>;
}

/** Card payments. */
export function cardPaymentsToRead({ context }: Pick<PaymentRoutesOptions, 'context'>): ReadPayments {
  return {
    place: CARD_PLACE,
    tag: CARD_PAYMENTS_TAG,
    noun: 'CardPayment',
    words: 'card payment',
    find: (named) => findCardPayment(context, named),
    exists: (named) => cardPaymentExists(context, named),
  };
}

type Options = Pick<PaymentRoutesOptions, 'baseUrl' | 'context'>;

/** Reads of the parts of a payment, each at an address of its own. */
export function subResourceRoutes(options: Options, payments = cardPaymentsToRead(options)): ApiRoute[] {
  const { lacks = [] } = payments;
  const names = (Object.keys(SUB_RESOURCES) as SubResourceName[]).filter((name) => !lacks.includes(name));
  return [...names.map((name) => listRoute(options, payments, name)), ...itemRoutes(options, payments)];
}

/** The read of a payment itself. */
export function readRoute(options: Options, payments = cardPaymentsToRead(options)): ApiRoute {
  const { place, tag, noun, words, find, exists } = payments;
  return apiRoute({
    method: 'GET',
    path: `${place.root}/:paymentId`,
    scope: 'payments',
    operationId: `get${noun}`,
    tag,
    summary: `Read a ${words}`,
    shape: { params: PaymentParams, query: NoQuery, body: undefined, answer: PaymentAnswer },
    expandable: EXPANDABLE,
    exists: ({ params, payeeId }) => exists({ payeeId, ...params }),
    handle: async (request) => {
      const { payeeId, params } = request;
      return paymentAnswer(await find({ payeeId, ...params }), lookingOf(request, options, place));
    },
  });
}

function listRoute(options: Options, payments: ReadPayments, name: SubResourceName): ApiRoute {
  const { place, tag, noun, words, find, exists } = payments;
  return apiRoute({
    method: 'GET',
    path: `${place.root}/:paymentId/${name.toLowerCase()}`,
    scope: 'payments',
    operationId: `get${noun}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    tag,
    summary: `Read the ${WORDS[name]} of a ${words}`,
    shape: {
      params: PaymentParams,
      query: NoQuery,
      body: undefined,
      answer: subResourceAnswer(name),
    },
    exists: ({ params, payeeId }) => exists({ payeeId, ...params }),
    handle: async (request) => {
      const view = await find({ payeeId: request.payeeId, ...request.params });
      if (isOutcome(name) && !shownPayment(view).possible.includes(OUTCOMES[name])) throw notFound();
      const looking = lookingOf(request, options, place);
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

function itemRoutes(options: Options, payments: ReadPayments): ApiRoute[] {
  const { place, tag, noun, words, lacks = [] } = payments;
  return ITEMS.filter(([list]) => !lacks.includes(list)).map(([list, name, type, answer]) =>
    apiRoute({
      method: 'GET',
      path: `${place.root}/:paymentId/${list}/:transactionId`,
      scope: 'payments',
      operationId: `get${noun}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      tag,
      summary: `Read one ${name} of a ${words}`,
      shape: { params: TransactionParams, query: NoQuery, body: undefined, answer },
      exists: async ({ params, payeeId }) => (await findItem(payments, { payeeId, ...params }, type)) !== undefined,
      handle: async (request) => {
        const found = await findItem(payments, { payeeId: request.payeeId, ...request.params }, type);
        if (found === undefined) throw notFound();
        const looking = lookingOf(request, options, place);
        const shown = type === undefined ? transactionShown(found.item, looking) : itemShown(found.item, looking);
        return partAnswer({ [name]: shown }, found.view, looking) as never;
      },
    }),
  );
}

async function findItem(
  { find }: ReadPayments,
  named: { readonly payeeId: PayeeId; readonly paymentId: string; readonly transactionId: string },
  type: TransactionType | undefined,
): Promise<{ readonly view: CardPaymentView; readonly item: AskedTransaction } | undefined> {
  const view = await find(named);
  const transactionId = named.transactionId.toLowerCase();
  const item = view.transactions.find(
    (one) => one.transactionId === transactionId && (type === undefined || one.type === type),
  );
  return item && { view, item };
}
