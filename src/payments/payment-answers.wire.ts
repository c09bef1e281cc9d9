import { Type } from 'typebox';
import { logged, operations, type Shown } from '../kit/schemas.wire.ts';
import { PayeeInfoBody, UrlsBody } from './payment-bodies.wire.ts';

export const PaymentParams = Type.Object({ paymentId: Type.String({ description: 'The payment, a UUID' }) });
export const TransactionParams = Type.Object({
  paymentId: Type.String({ description: 'The payment, a UUID' }),
  transactionId: Type.String({ description: 'The transaction, a UUID' }),
});

const Id = Type.String({ description: 'Relative address' });

const Problem = Type.Object(
  {
    type: logged(Type.String()),
    title: logged(Type.String()),
    status: logged(Type.Integer()),
    detail: logged(Type.String()),
    acquirerCode: logged(
      Type.Optional(
        Type.String({ description: 'What the acquirer said: an action code of ISO 8583:1993, three digits' }),
      ),
    ),
    retry: logged(
      Type.Optional(
        Type.Enum(['Never', 'Later', 'NewData', 'AfterAuthentication'], {
          description: 'Whether the same card may be tried again, and what must be other then',
        }),
      ),
    ),
    retryAfterHours: logged(Type.Optional(Type.Integer({ description: 'With `Later`: not before so many hours' }))),
  },
  { description: 'Why it failed; there where it has', $id: 'CardProblem' },
);

const TransactionShown = Type.Object(
  {
    id: Id,
    created: logged(Type.String()),
    updated: logged(Type.String()),
    type: logged(Type.Enum(['Authorization', 'Verification', 'Capture', 'Cancellation', 'Reversal'])),
    state: logged(Type.Enum(['Initialized', 'Completed', 'Failed', 'AwaitingActivity'])),
    number: logged(Type.Integer()),
    amount: logged(Type.Integer()),
    vatAmount: logged(Type.Integer()),
    description: logged(Type.Optional(Type.String())),
    payeeReference: logged(Type.Optional(Type.String())),
    isOperational: logged(Type.Boolean()),
    problem: Type.Optional(Problem),
    operations,
  },
  { $id: 'CardTransaction' },
);
export type TransactionShown = Shown<typeof TransactionShown>;

const TryShown = Type.Object(
  {
    id: Id,
    cardBrand: logged(Type.Optional(Type.String())),
    cardType: logged(Type.Optional(Type.String())),
    maskedPan: Type.Optional(Type.String()),
    expiryDate: Type.Optional(Type.String({ description: 'MM/YYYY' })),
    issuingBank: Type.Optional(Type.String()),
    countryCode: Type.Optional(Type.String({ description: 'ISO 3166-1 numeric; 999 where it is unknown' })),
    cardholderName: Type.Optional(Type.String()),
    authenticationStatus: Type.Optional(
      Type.String({
        description:
          'By 3-D Secure. `Y`: the payer was authenticated; `A`: an attempt counts; `N`: not; `R`: refused by the card issuer; `U`: not possible',
      }),
    ),
    eci: Type.Optional(Type.String({ description: 'Electronic commerce indicator that the acquirer was told' })),
    liabilityShift: Type.Optional(
      Type.Enum(['Issuer', 'Merchant'], {
        description: "Who bears a fraud by the schemes' rules, as a rule",
      }),
    ),
    transStatusReason: Type.Optional(
      Type.String({
        description: 'Why 3-D Secure has not authenticated the payer: `transStatusReason` of EMV 3-D Secure',
      }),
    ),
    dsTransactionId: Type.Optional(
      Type.String({ description: 'Names the authentication at the directory server: disputes ask for it' }),
    ),
    issuerAuthorizationApprovalCode: Type.Optional(Type.String()),
    cvcResult: Type.Optional(
      Type.String({
        description:
          'What the acquirer says of the security code. `M`: it matches; `N`: it does not; `P`: not checked; `S`: the card has one, and none was sent; `U`: the card issuer does not check it',
      }),
    ),
    addressResult: Type.Optional(
      Type.String({
        description:
          'What the acquirer says of the billing address. `Y`: street and postal code match; `A`: the street; `Z`: the postal code; `N`: neither; `U`: not known',
      }),
    ),
    schemeReference: Type.Optional(
      Type.Enum(['Missing'], {
        description:
          'There where a token was made that is charged without its payer, and the acquirer has given no scheme transaction id. It may refuse payments with the token: have the payer pay again, or ask the operator',
      }),
    ),
    paymentToken: Type.Optional(Type.String()),
    recurrenceToken: Type.Optional(Type.String()),
    transactionOnFileToken: Type.Optional(Type.String()),
    unscheduledToken: Type.Optional(Type.String()),
    transaction: TransactionShown,
  },
  { $id: 'CardAuthorization' },
);
export type TryShown = Shown<typeof TryShown>;

const FollowUpShown = Type.Object({ id: Id, transaction: TransactionShown }, { $id: 'CardFollowUp' });

const Price = Type.Object({
  type: logged(Type.String()),
  amount: logged(Type.Integer()),
  vatAmount: logged(Type.Integer()),
});

const PaidTokenType = Type.Enum(['payment', 'recurrence', 'unscheduled', 'transactionsOnFile']);
export type PaidTokenType = Shown<typeof PaidTokenType>;

/** The sub-resources by name. Where they are not expanded there is the id alone. */
export const SUB_RESOURCES = {
  prices: Type.Object({ id: Id, priceList: Type.Optional(Type.Array(Price)) }),
  urls: Type.Object({ id: Id, ...UrlsBody.properties }),
  payeeInfo: Type.Object({ id: Id, ...PayeeInfoBody.properties }),
  metadata: Type.Object({ id: Id }, { additionalProperties: true }),
  transactions: Type.Object({ id: Id, transactionList: Type.Optional(Type.Array(TransactionShown)) }),
  authorizations: Type.Object({ id: Id, authorizationList: Type.Optional(Type.Array(TryShown)) }),
  verifications: Type.Object({ id: Id, verificationList: Type.Optional(Type.Array(TryShown)) }),
  captures: Type.Object({ id: Id, captureList: Type.Optional(Type.Array(FollowUpShown)) }),
  cancellations: Type.Object({ id: Id, cancellationList: Type.Optional(Type.Array(FollowUpShown)) }),
  reversals: Type.Object({ id: Id, reversalList: Type.Optional(Type.Array(FollowUpShown)) }),
  paid: Type.Object({
    id: Id,
    number: logged(Type.Optional(Type.Integer({ description: 'Of the payment' }))),
    amount: logged(Type.Optional(Type.Integer())),
    payeeReference: logged(Type.Optional(Type.String())),
    transaction: Type.Optional(Type.Object({ id: Id, number: logged(Type.Integer()) })),
    tokens: Type.Optional(
      Type.Array(
        Type.Object({
          type: logged(PaidTokenType),
          token: Type.String(),
          name: Type.String(),
          expiryDate: Type.String(),
        }),
      ),
    ),
  }),
  failed: Type.Object({ id: Id, problem: Type.Optional(Problem) }),
  aborted: Type.Object({ id: Id, abortReason: Type.Optional(Type.String()) }),
} as const;
export type SubResourceName = keyof typeof SUB_RESOURCES;

/** What a read of a sub-resource answers. */
export function subResourceAnswer(name: SubResourceName) {
  return Type.Object({ payment: Id, [name]: SUB_RESOURCES[name], operations });
}

const optional = Object.fromEntries(
  Object.entries(SUB_RESOURCES).map(([name, schema]) => [name, Type.Optional(schema)]),
);

export const PaymentAnswer = Type.Object(
  {
    payment: Type.Object(
      {
        id: Id,
        number: logged(Type.Integer({ description: '11 digits, to be read to each other' })),
        created: logged(Type.String()),
        updated: logged(Type.String()),
        instrument: logged(Type.String({ description: '`CreditCard`' })),
        operation: logged(Type.String()),
        intent: logged(Type.Optional(Type.String())),
        state: logged(Type.Enum(['Ready', 'Pending', 'Failed', 'Aborted'])),
        currency: logged(Type.String()),
        amount: logged(Type.Integer({ description: 'What was approved; 0 before' })),
        remainingCaptureAmount: logged(Type.Optional(Type.Integer())),
        remainingCancellationAmount: logged(Type.Optional(Type.Integer())),
        remainingReversalAmount: logged(Type.Optional(Type.Integer())),
        description: logged(Type.Optional(Type.String())),
        initiatingSystemUserAgent: Type.Optional(Type.String()),
        userAgent: Type.Optional(Type.String()),
        language: logged(Type.String()),
        payerReference: Type.Optional(Type.String()),
        recurrenceToken: Type.Optional(Type.String({ description: 'What a `Recur` is paid with' })),
        unscheduledToken: Type.Optional(Type.String({ description: 'What an `UnscheduledPurchase` is paid with' })),
        ...optional,
      },
      { $id: 'CardPayment' },
    ),
    operations,
  },
  { $id: 'CardPaymentAnswer' },
);

/** What a request for a transaction answers: the payment's id, what it made, and what can be done with the payment now. */
const made = <Name extends string, Schema extends typeof TryShown | typeof FollowUpShown>(name: Name, shown: Schema) =>
  Type.Object({ payment: Id, [name]: shown, operations } as {
    payment: typeof Id;
    operations: typeof operations;
  } & Record<Name, Schema>);

export const AuthorizationAnswer = made('authorization', TryShown);
export const VerificationAnswer = made('verification', TryShown);
export const CaptureAnswer = made('capture', FollowUpShown);
export const CancellationAnswer = made('cancellation', FollowUpShown);
export const ReversalAnswer = made('reversal', FollowUpShown);
export const TransactionAnswer = Type.Object({ payment: Id, transaction: TransactionShown, operations });
