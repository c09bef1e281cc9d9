import type { OrderVersion } from '../orders.types.ts';

/**
 * The three views of an order: which members, sub-resources and operations each has, and what it calls them. The only place
 * that knows of a difference between the versions; a test holds the answers to it.
 */

const ALL = ['2.0', '3.0', '3.1'] as const satisfies readonly OrderVersion[];
const NEWER = ['3.0', '3.1'] as const satisfies readonly OrderVersion[];

/** Members of an order by themselves, in their order, and the views that have them. */
export const MEMBERS = {
  id: ALL,
  number: ALL,
  created: ALL,
  updated: ALL,
  operation: ALL,
  state: ['2.0'],
  status: NEWER,
  currency: ALL,
  amount: ALL,
  vatAmount: ALL,
  remainingCaptureAmount: ALL,
  remainingCancellationAmount: ALL,
  remainingReversalAmount: ALL,
  description: ALL,
  initiatingSystemUserAgent: ALL,
  userAgent: ['2.0'],
  language: ALL,
  instrument: ['2.0'],
  availableInstruments: ALL,
  implementation: ALL,
  integration: ALL,
  instrumentMode: ALL,
  guestMode: ALL,
  items: ['2.0'],
  paymentToken: ['2.0'],
  recurrenceToken: ['2.0'],
  unscheduledToken: ['2.0'],
  legs: ALL,
} as const satisfies Readonly<Record<string, readonly OrderVersion[]>>;

export type MemberName = keyof typeof MEMBERS;

/** Where a sub-resource is, below the order, and the views that link to it. */
export interface SubResourcePlace {
  readonly path: string;
  readonly versions: readonly OrderVersion[];
}

/** The sub-resources by the members that link to them. Each can be read in every view. */
export const SUB_RESOURCES = {
  orderItems: { path: 'orderitems', versions: ALL },
  urls: { path: 'urls', versions: ALL },
  payeeInfo: { path: 'payeeinfo', versions: ALL },
  payer: { path: 'payers', versions: ALL },
  history: { path: 'history', versions: ALL },
  failed: { path: 'failed', versions: ALL },
  aborted: { path: 'aborted', versions: ALL },
  paid: { path: 'paid', versions: ALL },
  cancelled: { path: 'cancelled', versions: ALL },
  reversed: { path: 'reversed', versions: ['3.1'] },
  financialTransactions: { path: 'financialtransactions', versions: ALL },
  failedAttempts: { path: 'failedattempts', versions: ALL },
  postPurchaseFailedAttempts: { path: 'postpurchasefailedattempts', versions: ['3.1'] },
  metadata: { path: 'metadata', versions: ALL },
  payments: { path: 'payments', versions: ['2.0'] },
  currentPayment: { path: 'currentpayment', versions: ['2.0'] },
} as const satisfies Readonly<Record<string, SubResourcePlace>>;

export type OrderPartName = keyof typeof SUB_RESOURCES;

/** What can be done with an order now. */
export type OrderPossible =
  | 'redirect'
  | 'view'
  | 'update'
  | 'abort'
  | 'abort-attempt'
  | 'set-instrument'
  | 'expand-instrument'
  | 'session'
  | 'capture'
  | 'cancel'
  | 'reverse'
  | 'show-paid'
  | 'show-failed'
  | 'show-aborted';

/** What an operation is: where it leads, and what it is called in each view that has it. */
export interface OperationPlace {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the order; `page` and `session` lie elsewhere. */
  readonly path: string;
  readonly to: 'order' | 'page' | 'session';
  readonly contentType: 'application/json' | 'application/problem+json' | 'application/javascript' | 'text/html';
  readonly rels: { readonly '2.0'?: string; readonly '3.0'?: string; readonly '3.1'?: string };
}

const JSON_TYPE = 'application/json';
const newer = (rel: string) => ({ '3.0': rel, '3.1': rel });

/** The operations, in the order in which they are listed: clients take the first whose rel holds the word that they look for. */
export const OPERATIONS: Readonly<Record<OrderPossible, OperationPlace>> = {
  update: {
    method: 'PATCH',
    path: '',
    to: 'order',
    contentType: JSON_TYPE,
    rels: { '2.0': 'update-paymentorder-updateorder', ...newer('update-order') },
  },
  abort: {
    method: 'PATCH',
    path: '',
    to: 'order',
    contentType: JSON_TYPE,
    rels: { '2.0': 'update-paymentorder-abort', ...newer('abort') },
  },
  'abort-attempt': {
    method: 'PATCH',
    path: '',
    to: 'order',
    contentType: JSON_TYPE,
    rels: newer('abort-paymentattempt'),
  },
  redirect: {
    method: 'GET',
    path: '',
    to: 'page',
    contentType: 'text/html',
    rels: { '2.0': 'redirect-paymentorder', ...newer('redirect-checkout') },
  },
  view: {
    method: 'GET',
    path: '/view.js',
    to: 'page',
    contentType: 'application/javascript',
    rels: { '2.0': 'view-paymentorder', ...newer('view-checkout') },
  },
  'set-instrument': {
    method: 'PATCH',
    path: '',
    to: 'order',
    contentType: JSON_TYPE,
    rels: { '2.0': 'update-paymentorder-setinstrument', ...newer('set-instrument') },
  },
  'expand-instrument': {
    method: 'PATCH',
    path: '',
    to: 'order',
    contentType: JSON_TYPE,
    rels: { '2.0': 'update-paymentorder-expandinstrument', ...newer('expand-instrument') },
  },
  session: {
    method: 'GET',
    path: '',
    to: 'session',
    contentType: JSON_TYPE,
    rels: { '3.1': 'view-paymentsession' },
  },
  capture: {
    method: 'POST',
    path: '/captures',
    to: 'order',
    contentType: JSON_TYPE,
    rels: { '2.0': 'create-paymentorder-capture', ...newer('capture') },
  },
  cancel: {
    method: 'POST',
    path: '/cancellations',
    to: 'order',
    contentType: JSON_TYPE,
    rels: { '2.0': 'create-paymentorder-cancel', ...newer('cancel') },
  },
  reverse: {
    method: 'POST',
    path: '/reversals',
    to: 'order',
    contentType: JSON_TYPE,
    rels: { '2.0': 'create-paymentorder-reversal', ...newer('reversal') },
  },
  'show-paid': {
    method: 'GET',
    path: '/paid',
    to: 'order',
    contentType: JSON_TYPE,
    rels: { '2.0': 'paid-paymentorder' },
  },
  'show-failed': {
    method: 'GET',
    path: '/failed',
    to: 'order',
    contentType: 'application/problem+json',
    rels: { '2.0': 'failed-paymentorder' },
  },
  'show-aborted': {
    method: 'GET',
    path: '/aborted',
    to: 'order',
    contentType: JSON_TYPE,
    rels: { '2.0': 'aborted-paymentorder' },
  },
};

/** The members of an order that a view has, by their names. What is undefined is absent. */
export function membersIn(
  version: OrderVersion,
  all: Readonly<Record<MemberName, unknown>>,
): (readonly [string, unknown])[] {
  const names = Object.keys(MEMBERS) as MemberName[];
  const shown = names.filter((name) => has(MEMBERS[name], version) && all[name] !== undefined);
  return shown.map((name) => [name, all[name]] as const);
}

/** The sub-resources that a view links to. */
export function partsIn(version: OrderVersion): readonly OrderPartName[] {
  const names = Object.keys(SUB_RESOURCES) as OrderPartName[];
  return names.filter((name) => has(SUB_RESOURCES[name].versions, version));
}

/** What a view lists of what is possible, in its order: each rel once. */
export function operationsIn(
  version: OrderVersion,
  possible: ReadonlySet<OrderPossible>,
): readonly (OperationPlace & { readonly rel: string })[] {
  const names = Object.keys(OPERATIONS) as OrderPossible[];
  return names.flatMap((name) => {
    const rel = OPERATIONS[name].rels[version];
    return possible.has(name) && rel !== undefined ? [{ rel, ...OPERATIONS[name] }] : [];
  });
}

/** Whether an answer to a capture, cancellation or reversal is the order, or the transaction as in 2.0. */
export function answersWithOrder(version: OrderVersion): boolean {
  return version === '3.1';
}

function has(versions: readonly OrderVersion[], version: OrderVersion): boolean {
  return versions.includes(version);
}
