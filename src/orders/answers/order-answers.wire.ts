import { type TProperties, type TSchema, Type } from 'typebox';
import { logged, operations } from '../../kit/schemas.wire.ts';
import { PaymentAnswer } from '../../payments/payment-answers.wire.ts';
import { UrlsBody } from '../../payments/payment-bodies.wire.ts';
import { CreateOrderBody, OrderItemBody } from '../requests/order-bodies.wire.ts';

export const OrderParams = Type.Object({ orderId: Type.String({ description: 'The order, a UUID' }) });
export const OrderTransactionParams = Type.Object({
  orderId: Type.String({ description: 'The order, a UUID' }),
  transactionId: Type.String({ description: 'The transaction, a UUID' }),
});
export const SessionParams = Type.Object({
  session: Type.String({ description: 'As in the address that the order lists' }),
});

const Id = Type.String({ description: 'Relative address' });
const Text = Type.Optional(Type.String());
const KnownText = logged(Type.Optional(Type.String()));
const Number_ = logged(Type.Optional(Type.Integer()));
const Flag = logged(Type.Optional(Type.Boolean()));

const Problem = Type.Object(
  {
    type: logged(Type.String()),
    title: logged(Type.String()),
    status: logged(Type.Integer()),
    detail: logged(Type.String()),
  },
  { $id: 'PaymentOrderProblem', description: 'Why it failed' },
);

const Instrument = logged(Type.Enum(['CreditCard', 'GiftCard']));

const Leg = Type.Object(
  {
    id: logged(Type.String({ description: 'A UUID' })),
    position: logged(
      Type.Integer({ description: 'From 1, in the order in which they were added; the card comes last' }),
    ),
    instrument: Instrument,
    paymentInstrumentType: logged(Type.Enum(['giftcard', 'prepaid', 'creditcard'])),
    name: Type.String({ description: 'The masked number' }),
    amount: logged(Type.Integer({ description: 'What is held of it, or approved' })),
    capturedAmount: logged(Type.Integer()),
    cancelledAmount: logged(Type.Integer()),
    reversedAmount: logged(Type.Integer()),
    state: logged(Type.Enum(['Added', 'Held', 'Authorized', 'Released'])),
    payment: Type.Optional(Type.Object({ id: Id })),
  },
  { $id: 'PaymentOrderLeg', description: 'What one issuer pays of the order' },
);

const Token = Type.Object({
  type: logged(Type.Enum(['payment', 'recurrence', 'unscheduled', 'transactionsOnFile'])),
  token: Type.String(),
  name: Type.String(),
  expiryDate: Type.String(),
});

const Details = Type.Object({
  maskedPan: Text,
  bin: Text,
  cardBrand: KnownText,
  cardType: KnownText,
  expiryDate: Text,
  issuerAuthorizationApprovalCode: Text,
  acquirerTransactionType: KnownText,
  acquirerStan: KnownText,
  acquirerTerminalId: KnownText,
  acquirerTransactionTime: KnownText,
  transactionInitiator: KnownText,
});

const told = {
  id: Id,
  instrument: Type.Optional(Instrument),
  number: Number_,
  payeeReference: KnownText,
  orderReference: KnownText,
  transactionType: KnownText,
  amount: Number_,
  submittedAmount: Number_,
  feeAmount: Number_,
  discountAmount: Number_,
  paymentTokenGenerated: Flag,
  tokens: Type.Optional(Type.Array(Token)),
  details: Type.Optional(Details),
  legs: Type.Optional(Type.Array(Leg)),
};

const Part = Type.Object({
  legId: logged(Type.String()),
  instrument: Instrument,
  amount: logged(Type.Integer()),
});

export const FinancialTransaction = Type.Object(
  {
    id: Id,
    created: logged(Type.String()),
    updated: logged(Type.String()),
    type: logged(Type.Enum(['Authorization', 'Sale', 'Capture', 'Cancellation', 'Reversal'])),
    number: logged(Type.Integer()),
    amount: logged(Type.Integer()),
    vatAmount: logged(Type.Integer()),
    description: logged(Type.String()),
    payeeReference: KnownText,
    receiptReference: KnownText,
    orderItems: Type.Object({ id: Id }),
    parts: Type.Array(Part, { description: 'How it falls on the legs' }),
  },
  { $id: 'FinancialTransaction' },
);

const HistoryEntry = Type.Object({
  created: logged(Type.String()),
  name: logged(Type.String()),
  initiatedBy: logged(Type.Enum(['Payee', 'Payer', 'PaymentGateway'])),
  instrument: Type.Optional(Instrument),
  number: Number_,
  amount: Number_,
  prefill: Flag,
});

const payerMembers = CreateOrderBody.properties.paymentorder.properties.payer.properties;

/** The parts of an order by name. Where they are not expanded, and before there is anything to tell, there is the id alone. */
export const ORDER_PARTS = {
  orderItems: Type.Object({ id: Id, orderItemList: Type.Optional(Type.Array(OrderItemBody)) }),
  urls: Type.Object({ id: Id, ...UrlsBody.properties }),
  payeeInfo: Type.Object({
    id: Id,
    ...CreateOrderBody.properties.paymentorder.properties.payeeInfo.properties,
  }),
  payer: Type.Object({
    id: Id,
    reference: Text,
    name: Text,
    email: Text,
    msisdn: Text,
    shippingAddress: payerMembers.shippingAddress,
    billingAddress: payerMembers.billingAddress,
    accountInfo: payerMembers.accountInfo,
    device: Type.Optional(Type.Object({ userAgent: Text })),
  }),
  history: Type.Object({ id: Id, historyList: Type.Optional(Type.Array(HistoryEntry)) }),
  failed: Type.Object({ id: Id, problem: Type.Optional(Problem) }),
  aborted: Type.Object({ id: Id, abortReason: Text }),
  paid: Type.Object(told),
  cancelled: Type.Object({ ...told, cancelReason: KnownText }),
  reversed: Type.Object(told),
  financialTransactions: Type.Object({
    id: Id,
    financialTransactionsList: Type.Optional(Type.Array(FinancialTransaction)),
  }),
  failedAttempts: Type.Object({
    id: Id,
    failedAttemptList: Type.Optional(
      Type.Array(
        Type.Object({
          created: logged(Type.String()),
          instrument: Instrument,
          number: logged(Type.Integer()),
          status: logged(Type.Enum(['Failed', 'Aborted'])),
          problem: Type.Optional(Problem),
        }),
      ),
    ),
  }),
  postPurchaseFailedAttempts: Type.Object({
    id: Id,
    postpurchaseFailedAttemptList: Type.Optional(
      Type.Array(
        Type.Object({
          created: logged(Type.String()),
          status: logged(Type.String()),
          type: logged(Type.String()),
          number: logged(Type.Integer()),
          problem: Type.Optional(Problem),
        }),
      ),
    ),
  }),
  metadata: Type.Object({ id: Id }, { additionalProperties: true }),
  payments: Type.Object({
    id: Id,
    paymentList: Type.Optional(
      Type.Array(Type.Object({ id: Id, instrument: Instrument, created: logged(Type.String()) })),
    ),
  }),
  currentPayment: Type.Object({
    id: Id,
    menuElementName: KnownText,
    payment: Type.Optional(PaymentAnswer.properties.payment),
  }),
} as const;

const optional = (members: TProperties) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema as TSchema)]));

/** An order in any of its views: `state` is 2.0's and `status` the others'; docs/payment-orders.md has the table. */
export const OrderAnswer = Type.Object(
  {
    paymentOrder: Type.Object(
      {
        id: Id,
        number: logged(Type.Integer({ description: '11 digits, to be read to each other' })),
        created: logged(Type.String()),
        updated: logged(Type.String()),
        operation: logged(Type.Enum(['Purchase', 'Verify', 'Recur', 'UnscheduledPurchase'])),
        state: logged(Type.Optional(Type.Enum(['Ready', 'Pending', 'Failed', 'Aborted'], { description: 'In 2.0' }))),
        status: logged(
          Type.Optional(
            Type.Enum(['Initialized', 'Paid', 'Failed', 'Aborted', 'Cancelled', 'Reversed'], {
              description: 'In 3.0 and 3.1',
            }),
          ),
        ),
        currency: logged(Type.String()),
        amount: logged(Type.Integer()),
        vatAmount: logged(Type.Integer()),
        remainingCaptureAmount: Number_,
        remainingCancellationAmount: Number_,
        remainingReversalAmount: Number_,
        description: logged(Type.String()),
        initiatingSystemUserAgent: Text,
        userAgent: Text,
        language: logged(Type.String()),
        instrument: logged(Type.Optional(Type.Enum(['CreditCard', 'GiftCard'], { description: 'In 2.0' }))),
        availableInstruments: logged(Type.Array(Type.Enum(['CreditCard', 'GiftCard']), { description: 'The menu' })),
        implementation: logged(Type.String()),
        integration: logged(
          Type.Optional(
            Type.Enum(['Redirect', 'HostedView'], { description: 'How its page was opened; there from then on' }),
          ),
        ),
        instrumentMode: logged(Type.Boolean()),
        guestMode: logged(Type.Boolean({ description: 'Whether no payerReference was sent' })),
        items: Type.Optional(
          Type.Array(Type.Object({ creditCard: Type.Object({ cardBrands: logged(Type.Array(Type.String())) }) }), {
            description: 'In 2.0',
          }),
        ),
        paymentToken: Type.Optional(Type.String({ description: 'In 2.0, once it is paid' })),
        recurrenceToken: Type.Optional(Type.String({ description: 'In 2.0, once it is paid' })),
        unscheduledToken: Type.Optional(Type.String({ description: 'In 2.0, once it is paid' })),
        legs: Type.Optional(Type.Array(Leg)),
        ...optional(ORDER_PARTS),
      },
      { $id: 'PaymentOrder' },
    ),
    operations,
  },
  { $id: 'PaymentOrderAnswer' },
);

const FollowUpTransaction = Type.Object(
  {
    id: Id,
    created: logged(Type.String()),
    updated: logged(Type.String()),
    type: logged(Type.Enum(['Capture', 'Cancellation', 'Reversal'])),
    state: logged(Type.String()),
    number: logged(Type.Integer()),
    amount: logged(Type.Integer()),
    vatAmount: logged(Type.Integer()),
    description: KnownText,
    payeeReference: KnownText,
    receiptReference: KnownText,
    isOperational: logged(Type.Boolean()),
    operations,
  },
  { $id: 'PaymentOrderTransaction' },
);
const FollowUp = Type.Optional(Type.Object({ id: Id, transaction: FollowUpTransaction }));

/** What a capture, cancellation or reversal answers: in 3.1 the order, else what it made. */
export const OrderFollowUpAnswer = Type.Object(
  {
    paymentOrder: Type.Optional(OrderAnswer.properties.paymentOrder),
    payment: Type.Optional(Id),
    capture: FollowUp,
    cancellation: FollowUp,
    reversal: FollowUp,
    operations,
  },
  { $id: 'PaymentOrderFollowUp' },
);

/** One capture, cancellation or reversal. */
export const OrderTransactionAnswer = Type.Object({
  paymentOrder: Id,
  capture: FollowUp,
  cancellation: FollowUp,
  reversal: FollowUp,
});

export const FinancialTransactionAnswer = Type.Object({
  paymentOrder: Id,
  financialTransaction: FinancialTransaction,
});

/** What a read of a part answers. */
export function orderPartAnswer(name: keyof typeof ORDER_PARTS) {
  return Type.Object({ paymentOrder: Id, [name]: ORDER_PARTS[name] });
}

/** Older clients read its members at the root. */
export const CurrentPaymentAnswer = Type.Object({
  paymentOrder: Id,
  menuElementName: KnownText,
  payment: Type.Optional(PaymentAnswer.properties.payment),
});

export const OrderItemsAnswer = Type.Object({ paymentOrder: Id, orderItems: ORDER_PARTS.orderItems });

export const SessionAnswer = Type.Object(
  {
    paymentSession: Type.Object({
      id: Id,
      status: logged(Type.String()),
      culture: logged(Type.String()),
      problem: Type.Optional(Problem),
    }),
    operations,
  },
  { $id: 'PaymentSession' },
);
