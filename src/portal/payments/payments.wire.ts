import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import type { Shown } from '../../kit/schemas.wire.ts';
import { waiting } from '../approvals/approvals.wire.ts';
import {
  InstantOrNull,
  Minor,
  next,
  objectParams,
  orNull,
  paging,
  period,
  searchedTo,
  Text,
  TextOrNull,
  Whole,
  WholeOrNull,
} from '../portal.wire.ts';

const Family = Type.Enum(['card', 'account']);
const STATES = [
  'Open',
  'Declined',
  'Authorized',
  'PartlyCaptured',
  'Captured',
  'PartlyReversed',
  'Reversed',
  'Cancelled',
  'Completed',
  'Failed',
  'Aborted',
] as const;
const SearchedState = Type.Enum([...STATES, 'Succeeded', 'ToCapture'], {
  description:
    'Succeeded: all that an issuer has approved, whatever became of them. Declined: all that were attempted and are not paid. Neither has credits. ToCapture: of which something is held until an instant, those that end first in front',
});
const Kind = Type.Enum(['Authorize', 'Purchase', 'Deposit', 'Credit', 'Verify', 'Recur', 'UnscheduledPurchase']);
const Amount = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,12}$', description: `a whole number: ${description}` }));

/** The member of a query that narrows a list down by reason. */
export const problem = Type.Optional(
  Type.String({ pattern: '^[a-z0-9/_-]{1,64}$', description: 'the code of a decline: an attempt failed by it' }),
);

/** The members of a query that narrow a list down by amount. */
export const amounts = {
  amountFrom: Amount("the smallest amount, in the currency's smallest unit"),
  amountTo: Amount('the largest amount'),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'ISO 4217; alone: of whatever amount',
    }),
  ),
};

/** The members of a query that narrow a list down by where a payment was made. */
export const place = {
  shop: Type.Optional(Type.String({ maxLength: 100, description: 'only of this payeeName or merchantName' })),
  site: Type.Optional(Type.String({ maxLength: 40, description: 'only of this siteId' })),
  terminal: Type.Optional(Type.String({ maxLength: 16, description: 'only of this terminal' })),
};

/** Where a payment was made. */
export const madeAt = {
  shop: orNull(Type.String({ description: 'The payeeName of the payment or order, or the merchantName' })),
  site: orNull(Type.String({ description: 'The siteId of the order' })),
  terminal: orNull(Type.String({ description: 'The terminal that the acquirer knows, or the terminalId' })),
};

const Legs = Type.Enum(['also'], { description: 'also payments that are legs of orders' });

const filters = {
  legs: Type.Optional(Legs),
  family: Type.Optional(Family),
  ...period,
  state: Type.Optional(SearchedState),
  kind: Type.Optional(Kind),
  problem,
  ...amounts,
  ...place,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'an id, a number or a reference, or the beginning of an id or of an order reference',
    }),
  ),
};

export const PaymentsQuery = Type.Object({ ...filters, ...paging });
export const PaymentFilterQuery = Type.Object(filters);
export const PaymentParams = objectParams('paymentId', 'The payment');

export const ListedPayment = Type.Object(
  {
    paymentId: Text,
    family: Family,
    number: orNull(Type.Integer({ description: 'What people read to each other; null for an account payment' })),
    kind: Kind,
    state: Type.Enum([...STATES, 'Pending'], {
      description:
        'Pending: an issuer has not answered yet. Declined: open, and an attempt was declined. Completed: approved, with nothing to capture. Reversed: given back whole',
    }),
    currency: Text,
    amount: Minor,
    captured: Minor,
    cancelled: Minor,
    reversed: Minor,
    remaining: Type.Object({ capture: Minor, cancel: Minor, reversal: Minor }),
    orderReference: TextOrNull,
    reference: TextOrNull,
    payerReference: TextOrNull,
    masked: orNull(Type.String({ description: "The card's masked number" })),
    problem: orNull(Type.String({ description: 'Code of the decline' })),
    ...madeAt,
    createdAt: Instant,
    updatedAt: Instant,
    authorizedUntil: InstantOrNull,
    accountId: TextOrNull,
    orderId: orNull(Type.String({ description: 'The order that it is a leg of' })),
    address: Type.String({ description: 'Of the payment in the API, where its operations are' }),
  },
  { $id: 'ListedPayment' },
);

export const PaymentsAnswer = Type.Object({ payments: Type.Array(ListedPayment), next, searchedTo });

export const CountAnswer = Type.Object({
  count: Whole,
  isMore: Type.Boolean({ description: 'Whether there are more, or may be: counting stops' }),
});

export const ListedEntry = Type.Object(
  {
    side: Type.String({ description: "Available and Held are an account's, the others the payee's" }),
    accountId: TextOrNull,
    amount: Type.Integer({ description: 'Negative: money leaves this side' }),
    balance: orNull(Type.Integer({ description: "What the account's bucket holds after it" })),
  },
  { $id: 'ListedEntry' },
);
export type ListedEntry = Shown<typeof ListedEntry>;

/** The entries of a movement, as each place that shows one has them. */
export const entries = Type.Array(ListedEntry);

export const CardChecks = Type.Object(
  {
    cvcResult: TextOrNull,
    addressResult: TextOrNull,
    authenticationStatus: TextOrNull,
    transStatusReason: TextOrNull,
    dsTransactionId: TextOrNull,
    eci: TextOrNull,
    liabilityShift: TextOrNull,
    schemeReference: TextOrNull,
  },
  { $id: 'CardChecks', description: 'As the authorization of a card payment shows them' },
);
export type CardChecks = Shown<typeof CardChecks>;

export const ListedTransaction = Type.Object(
  {
    transactionId: Text,
    number: WholeOrNull,
    type: Type.Enum(['Authorization', 'Verification', 'Capture', 'Cancellation', 'Reversal']),
    state: Text,
    amount: Minor,
    reference: TextOrNull,
    description: TextOrNull,
    problem: TextOrNull,
    checks: orNull(CardChecks),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'ListedTransaction' },
);
export type ListedTransaction = Shown<typeof ListedTransaction>;

export const Moment = Type.Object(
  {
    at: Instant,
    kind: Type.Enum(['call', 'transaction', 'movement', 'delivery', 'act']),
    title: Type.String({ description: 'A type, a kind of movement, a type of event, a verb or an operationId' }),
    id: Type.String({ description: 'Names it in its own list' }),
    state: TextOrNull,
    sessionId: TextOrNull,
    actor: TextOrNull,
    actorName: orNull(Type.String({ description: 'Of a person' })),
    amount: WholeOrNull,
    currency: TextOrNull,
    problem: TextOrNull,
    entries,
    webhookId: TextOrNull,
    status: orNull(Type.Integer({ description: 'Of the answer to a call or a delivery' })),
  },
  { $id: 'Moment' },
);
export type Moment = Shown<typeof Moment>;

export const StoryAnswer = Type.Object({
  payment: ListedPayment,
  waiting,
  transactions: Type.Array(ListedTransaction),
  timeline: Type.Array(Moment, { description: 'Oldest first' }),
});
