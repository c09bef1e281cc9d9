import { type Operation, operation, pageOperation } from '../http/operations.ts';
import type { Scope } from '../kit/caller.ts';
import { CARD_PAYMENTS, paymentPath, transactionPath } from '../kit/cards/card-payment-paths.ts';
import { CARD_PROBLEMS } from '../kit/cards/card-problems.ts';
import type { PaidTokenType, SubResourceName, TransactionShown, TryShown } from './payment-answers.wire.ts';
import { approvedOf } from './payment-state.rules.ts';
import type {
  AskedTransaction,
  CardPayment,
  CardPaymentKey,
  CardPaymentView,
  CardTransaction,
  Possible,
  TransactionExchange,
  TransactionType,
} from './payments.types.ts';
import type { CardPaymentsContext } from './payments-context.types.ts';
import { offered, shownPayment } from './show-payment.ts';

/** Who looks, and from where: answers have absolute addresses, and list only what the caller may do. */
export interface Looking extends Addresses {
  readonly scopes: ReadonlySet<Scope>;
  readonly expand: ReadonlySet<string>;
  readonly issuers: CardPaymentsContext['issuers'];
}

/** Where payments of a kind are, and what they are paid with. */
export interface PaymentPlace {
  readonly root: string;
  readonly instrument: 'CreditCard' | 'GiftCard';
}

/** Payments with cards. */
export const CARD_PLACE: PaymentPlace = { root: CARD_PAYMENTS, instrument: 'CreditCard' };

/** Where things are: what absolute addresses are made with. */
export interface Addresses {
  readonly place: PaymentPlace;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The path of a payment's page. */
  readonly pageLink: (payment: CardPaymentKey) => string;
  /** The name on the card of a try. */
  readonly holderName: (transaction: CardTransaction) => string | undefined;
}

/** Kinds of transactions by where they are listed. */
const LISTED: Readonly<Record<string, { readonly type: TransactionType; readonly list: string }>> = {
  authorizations: { type: 'Authorization', list: 'authorizationList' },
  verifications: { type: 'Verification', list: 'verificationList' },
  captures: { type: 'Capture', list: 'captureList' },
  cancellations: { type: 'Cancellation', list: 'cancellationList' },
  reversals: { type: 'Reversal', list: 'reversalList' },
};

/** A payment, with what can be done with it now. */
export function paymentAnswer(view: CardPaymentView, looking: Looking) {
  const { payment } = view;
  const { terms } = payment;
  const { state, remaining } = shownPayment(view);
  return {
    payment: {
      id: paymentPath(payment, looking.place.root),
      number: payment.number,
      created: payment.createdAt,
      updated: payment.updatedAt,
      instrument: looking.place.instrument,
      operation: payment.operation,
      ...(payment.intent !== null && { intent: payment.intent }),
      state,
      currency: payment.currency,
      amount: payment.amount,
      ...(remaining.capture > 0 && {
        remainingCaptureAmount: remaining.capture,
        remainingCancellationAmount: remaining.cancel,
      }),
      ...(remaining.reversal > 0 && { remainingReversalAmount: remaining.reversal }),
      ...(terms.description !== undefined && { description: terms.description }),
      ...(terms.initiatingSystemUserAgent !== undefined && {
        initiatingSystemUserAgent: terms.initiatingSystemUserAgent,
      }),
      ...(terms.userAgent !== undefined && { userAgent: terms.userAgent }),
      language: terms.language,
      ...(payment.payerReference !== null && { payerReference: payment.payerReference }),
      ...usedToken(payment),
      ...subResources(view, looking),
    },
    operations: operationsOf(view, looking),
  };
}

/** The sub-resources of a payment: those that were asked for whole, the others by their ids. */
function subResources(view: CardPaymentView, looking: Looking): Record<string, unknown> {
  const { possible } = shownPayment(view);
  const names: SubResourceName[] = [
    'prices',
    'urls',
    'payeeInfo',
    'metadata',
    ...(view.transactions.length > 0 ? (['transactions'] as const) : []),
    ...(Object.keys(LISTED) as SubResourceName[]).filter((name) => listed(view, name).length > 0),
    ...(possible.includes('show-paid') ? (['paid'] as const) : []),
    ...(possible.includes('show-failed') ? (['failed'] as const) : []),
    ...(possible.includes('show-aborted') ? (['aborted'] as const) : []),
  ];
  return Object.fromEntries(
    names.map((name) => [
      name,
      looking.expand.has(name.toLowerCase())
        ? subResource(name, view, looking)
        : { id: subResourceId(name, view, looking) },
    ]),
  );
}

function subResourceId(name: SubResourceName, { payment }: CardPaymentView, { place }: Addresses): string {
  return `${paymentPath(payment, place.root)}/${name.toLowerCase()}`;
}

function listed({ transactions }: CardPaymentView, name: string): readonly AskedTransaction[] {
  return transactions.filter(({ type }) => type === LISTED[name]?.type);
}

/** What a payment is for: of an order, what its latest try was to take, as gift cards may pay the rest and the payee may change it. */
function pricesOf({ payment, transactions }: CardPaymentView) {
  const { prices } = payment.terms;
  const latest = transactions.findLast(({ type }) => type === 'Authorization');
  if (payment.orderId === null || latest === undefined) return prices;
  return prices.map(({ type }) => ({ type, amount: latest.amount, vatAmount: latest.vatAmount }));
}

/** A sub-resource, whole. */
export function subResource(
  name: SubResourceName,
  view: CardPaymentView,
  addresses: Addresses,
): { readonly id: string } & Readonly<Record<string, unknown>> {
  const id = subResourceId(name, view, addresses);
  const { terms } = view.payment;
  switch (name) {
    case 'prices':
      return { id, priceList: pricesOf(view) };
    case 'urls':
      return { id, ...terms.urls };
    case 'payeeInfo':
      return { id, ...terms.payeeInfo };
    case 'metadata':
      return { ...terms.metadata, id };
    case 'transactions':
      return { id, transactionList: view.transactions.map((transaction) => transactionShown(transaction, addresses)) };
    case 'paid':
      return { id, ...paidMembers(view, addresses) };
    case 'failed':
      return { id, ...failedMembers(view, addresses.baseUrl) };
    case 'aborted':
      return { id, abortReason: view.payment.abortReason ?? 'Expired' };
    default: {
      const list = LISTED[name]?.list ?? name;
      return { id, [list]: listed(view, name).map((transaction) => itemShown(transaction, addresses)) };
    }
  }
}

function paidMembers({ payment, transactions }: CardPaymentView, { place }: Addresses) {
  const { terms, number, amount } = payment;
  const by = approvedOf({ payment, transactions });
  const { payeeReference } = terms.payeeInfo;
  return {
    number,
    amount,
    ...(payeeReference !== undefined && { payeeReference }),
    ...(by !== undefined && {
      transaction: { id: transactionPath(by, place.root), number: by.number },
      tokens: by.tokens.map(({ type, token }) => ({
        type: PAID_TYPES[type],
        token,
        name: by.card?.maskedPan ?? '',
        expiryDate: by.card?.expiryDate ?? '',
      })),
    }),
  };
}

function failedMembers({ transactions }: CardPaymentView, baseUrl: string) {
  const last = transactions.findLast(({ problem }) => problem !== null);
  return last === undefined ? {} : problemOf(last, baseUrl);
}

/** The token that a payment without a payer was made with. It may have been named with its type: the GUID is shown. */
function usedToken({ operation, terms }: CardPayment) {
  const token = terms.token?.slice(0, 36);
  if (token === undefined) return {};
  if (operation === 'Recur') return { recurrenceToken: token };
  return operation === 'UnscheduledPurchase' ? { unscheduledToken: token } : {};
}

const TOKEN_MEMBERS = {
  Payment: 'paymentToken',
  Recurrence: 'recurrenceToken',
  TransactionOnFile: 'transactionOnFileToken',
  Unscheduled: 'unscheduledToken',
} as const;

/** What tokens are called in `paid`. */
const PAID_TYPES = {
  Payment: 'payment',
  Recurrence: 'recurrence',
  TransactionOnFile: 'transactionsOnFile',
  Unscheduled: 'unscheduled',
} as const satisfies Record<keyof typeof TOKEN_MEMBERS, PaidTokenType>;

/** A transaction by itself. */
export function transactionShown(transaction: AskedTransaction, addresses: Addresses): TransactionShown {
  const { baseUrl, pageLink, place } = addresses;
  const { paymentId, description, payeeReference } = transaction;
  const isWaiting = transaction.state === 'AwaitingActivity';
  return {
    id: `${paymentPath({ paymentId }, place.root)}/transactions/${transaction.transactionId}`,
    created: transaction.createdAt,
    updated: transaction.updatedAt,
    type: transaction.type,
    state: transaction.state,
    number: transaction.number,
    amount: transaction.amount,
    vatAmount: transaction.vatAmount,
    ...(description !== null && { description }),
    ...(payeeReference !== null && { payeeReference }),
    isOperational: isWaiting,
    ...problemOf(transaction, baseUrl),
    operations: isWaiting
      ? [pageOperation('redirect-authentication', `${baseUrl}${pageLink(transaction)}/challenge`, 'text/html')]
      : [],
  };
}

function problemOf({ problem, exchange }: AskedTransaction, baseUrl: string) {
  if (problem === null) return {};
  const { title, status, meaning } = CARD_PROBLEMS[problem];
  const type = `${baseUrl}/errordetail/creditcard/${problem}`;
  return { problem: { type, title, status, detail: meaning, ...(exchange !== null && adviceOf(exchange)) } };
}

/** What the acquirer said, and whether it is worth while to try again. */
function adviceOf({ actionCode, retry, retryAfterHours }: TransactionExchange) {
  return {
    ...(actionCode !== null && { acquirerCode: actionCode }),
    ...(retry !== null && { retry }),
    ...(retryAfterHours !== null && { retryAfterHours }),
  };
}

/** A transaction in the list of its kind: an authorization or verification tells of the card too. */
export function itemShown(transaction: AskedTransaction, addresses: Addresses): TryShown {
  const made = transaction.tokens.map(({ type, token }) => [TOKEN_MEMBERS[type], token] as const);
  const { hasHolder: _, cardholderName: __, ...card } = transaction.card ?? {};
  const holderName = addresses.holderName(transaction);
  return {
    id: transactionPath(transaction, addresses.place.root),
    ...card,
    ...(holderName !== undefined && { cardholderName: holderName }),
    ...Object.fromEntries(made),
    transaction: transactionShown(transaction, addresses),
  };
}

/** A part of a payment by itself, with what can be done with the payment now. */
export function partAnswer<Name extends string, Part>(
  part: Record<Name, Part>,
  view: CardPaymentView,
  looking: Looking,
) {
  const { payment } = view;
  const operations = operationsOf(view, looking);
  return { payment: paymentPath(payment, looking.place.root), ...part, operations };
}

/** What each possibility is called, and where it leads. */
const LINKS: Readonly<Record<Possible, readonly [Operation['method'], rel: string, path: string, scope?: Scope]>> = {
  abort: ['PATCH', 'update-payment-abort', ''],
  authorize: ['POST', 'direct-authorization', '/authorizations', 'payments:direct'],
  verify: ['POST', 'direct-verification', '/verifications', 'payments:direct'],
  capture: ['POST', 'create-capture', '/captures'],
  cancel: ['POST', 'create-cancellation', '/cancellations'],
  reverse: ['POST', 'create-reversal', '/reversals'],
  'show-paid': ['GET', 'paid-payment', '/paid'],
  'show-failed': ['GET', 'failed-payment', '/failed'],
  'show-aborted': ['GET', 'aborted-payment', '/aborted'],
};

/** What a payer's page does, where that is possible. */
const PAGES: Readonly<Partial<Record<Possible, string>>> = { authorize: 'authorization', verify: 'verification' };

function operationsOf(view: CardPaymentView, looking: Looking): Operation[] {
  const { payment } = view;
  // A leg of an order is changed by its order.
  const own = offered(view, looking.issuers).filter((what) => payment.orderId === null || what.startsWith('show-'));
  return own.flatMap((what) => {
    const [method, rel, path, scope = 'payments'] = LINKS[what];
    const listed = looking.scopes.has(scope)
      ? [operation(method, rel, `${looking.baseUrl}${paymentPath(payment, looking.place.root)}${path}`)]
      : [];
    return [...pageOperations(payment, PAGES[what], looking), ...listed];
  });
}

/** The page by itself; and the script that puts it into a page of the payee's, where that may frame it. */
function pageOperations(payment: CardPayment, what: string | undefined, { baseUrl, pageLink }: Addresses): Operation[] {
  if (what === undefined) return [];
  const address = `${baseUrl}${pageLink(payment)}`;
  return [
    pageOperation(`redirect-${what}`, address, 'text/html'),
    ...((payment.terms.urls.hostUrls ?? []).length > 0
      ? [pageOperation(`view-${what}`, `${address}/view.js`, 'application/javascript')]
      : []),
  ];
}
