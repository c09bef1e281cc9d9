import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import type { Shown } from '../../kit/schemas.wire.ts';
import { waiting } from '../approvals/approvals.wire.ts';
import { amounts, ListedTransaction, Moment, madeAt, place, problem } from '../payments/payments.wire.ts';
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

const Status = Type.Enum(['Initialized', 'Paid', 'Failed', 'Aborted', 'Cancelled', 'Reversed']);
const SearchedStatus = Type.Enum(
  ['Initialized', 'Paid', 'Failed', 'Aborted', 'Cancelled', 'Reversed', 'Succeeded', 'Declined', 'ToCapture'],
  {
    description:
      'Succeeded: all that were paid. Declined: all that were attempted and are not paid. ToCapture: of which something is authorized, those that end first in front',
  },
);
const InstrumentType = Type.Enum(['giftcard', 'prepaid', 'creditcard']);

const filters = {
  ...period,
  status: Type.Optional(SearchedStatus),
  problem,
  instrument: Type.Optional(Type.Enum(['CreditCard', 'GiftCard'], { description: 'paid by it, or partly' })),
  split: Type.Optional(Type.Enum(['yes', 'no'], { description: 'whether more than one means pays it' })),
  ...amounts,
  ...place,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "an id, the number of an order or of a transaction, a reference, or the last four digits of a card's number",
    }),
  ),
};

export const OrdersQuery = Type.Object({ ...filters, ...paging });
export const OrderFilterQuery = Type.Object(filters);
export const SplitQuery = Type.Object({
  type: Type.Enum(['Capture', 'Reversal']),
  amount: Type.String({ pattern: '^[0-9]{1,12}$', description: "in the currency's smallest unit" }),
});
export const SplitAnswer = Type.Object({
  parts: Type.Array(Type.Object({ legId: Text, amount: Minor }), {
    description: 'In the order in which they are taken',
  }),
  vatAmount: Minor,
});
export const OrderParams = objectParams('orderId', 'The payment order');

const Remaining = Type.Object({ capture: Minor, cancel: Minor, reversal: Minor });

const orderMembers = {
  orderId: Text,
  number: Type.Integer({ description: 'What people read to each other' }),
  operation: Text,
  status: Status,
  currency: Text,
  amount: Minor,
  vatAmount: Minor,
  captured: Minor,
  cancelled: Minor,
  reversed: Minor,
  payeeReference: TextOrNull,
  orderReference: TextOrNull,
  payerReference: TextOrNull,
  instruments: Type.Array(
    Type.Object(
      { type: InstrumentType, name: Type.String({ description: 'The masked number' }), brand: TextOrNull },
      { $id: 'ListedInstrument' },
    ),
    { description: 'What pays it, or is to pay it' },
  ),
  isDeclined: Type.Boolean({ description: 'An attempt was declined, and it is not paid' }),
  problem: orNull(
    Type.String({ description: 'Code of the decline that it failed by, or of the last one while unpaid' }),
  ),
  ...madeAt,
  createdAt: Instant,
  updatedAt: Instant,
  authorizedUntil: InstantOrNull,
  remaining: Remaining,
};

export const ListedOrder = Type.Object(orderMembers, { $id: 'ListedOrder' });
export const OrdersAnswer = Type.Object({ orders: Type.Array(ListedOrder), next, searchedTo });

const OrderLine = Type.Object(
  { reference: Text, name: Text, quantity: Type.Number(), quantityUnit: Text, amount: Whole, vatAmount: Whole },
  { $id: 'OrderLine', description: 'What is bought; amounts are negative for a discount' },
);

const OrderShown = Type.Object(
  {
    ...orderMembers,
    intent: TextOrNull,
    description: Text,
    cardPaymentId: Text,
    isPaid: Type.Boolean(),
    isUnsettled: Type.Boolean({ description: 'Whether an outcome is unknown' }),
    abortReason: TextOrNull,
    cancelReason: TextOrNull,
    expiresAt: Instant,
    heldUntil: InstantOrNull,
    orderItems: Type.Array(OrderLine),
    address: Type.String({ description: 'Of the order in the API, where its operations are' }),
  },
  { $id: 'OrderShown' },
);

const OrderLegShown = Type.Object(
  {
    legId: Text,
    position: Whole,
    kind: Type.Enum(['Account', 'Card']),
    state: Type.Enum(['Added', 'Held', 'Authorized', 'Released']),
    instrumentType: InstrumentType,
    name: Text,
    brand: TextOrNull,
    accountId: TextOrNull,
    paymentId: TextOrNull,
    amount: Minor,
    captured: Minor,
    cancelled: Minor,
    reversed: Minor,
    remaining: Remaining,
  },
  { $id: 'OrderLegShown' },
);

const { type: _, checks: _checks, ...transactionMembers } = ListedTransaction.properties;

const OrderTransactionShown = Type.Object(
  {
    ...transactionMembers,
    type: Type.Enum(['Authorization', 'Sale', 'Verification', 'Capture', 'Cancellation', 'Reversal']),
    vatAmount: Minor,
    initiatedBy: Text,
    parts: Type.Array(Type.Object({ legId: Text, amount: Minor })),
    orderItems: Type.Array(OrderLine),
  },
  { $id: 'OrderTransactionShown' },
);

export const HistoryLine = Type.Object(
  {
    name: Text,
    initiatedBy: Text,
    instrument: TextOrNull,
    number: WholeOrNull,
    amount: WholeOrNull,
    createdAt: Instant,
  },
  { $id: 'HistoryLine' },
);
export type HistoryLine = Shown<typeof HistoryLine>;

export const OrderStoryAnswer = Type.Object({
  order: OrderShown,
  waiting,
  legs: Type.Array(OrderLegShown),
  transactions: Type.Array(OrderTransactionShown, { description: 'Of the whole order, oldest first' }),
  tries: Type.Array(ListedTransaction, { description: 'With a card, oldest first' }),
  history: Type.Array(HistoryLine),
  timeline: Type.Array(Moment, { description: 'Oldest first' }),
});
