import { type Static, Type } from 'typebox';
import { links, operations, reference } from '../kit/schemas.wire.ts';

const Text = (description?: string) => Type.Optional(Type.String(description === undefined ? {} : { description }));
const Instant = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) });
const Minor = (description: string) => Type.Integer({ description });

const Issuer = Type.Object(
  {
    acquirerId: Type.String(),
    acquirerName: Type.String(),
    issuerId: Type.String(),
    issuerName: Type.String(),
    settlementProvided: Type.Boolean({ description: 'Whether the issuer settles with the payee' }),
  },
  { $id: 'Issuer' },
);

const Merchant = Type.Object({ merchantName: Type.String(), terminalId: Text() }, { $id: 'MerchantAnswer' });

const State = Type.Enum(['OK', 'FAILED', 'REVERSED', 'DUPLICATE'], {
  description: 'DUPLICATE: the reference is known and the request was no repetition; nothing was done',
});

const Problem = Type.Object(
  { type: Type.String(), title: Type.String(), detail: Type.String() },
  { $id: 'Decline', description: 'Why the card was declined; only where the state is FAILED' },
);

const MaskedIdentifier = Type.Object(
  {
    accountId: Text(),
    accountKey: Text('First six, asterisks, last four'),
    cvc: Text('Always ***'),
    encryptedPin: Text('Always ***'),
    expiryDate: Text('MM/YY'),
    securityCode: Text('Always ***'),
    track2: Text('Always ***'),
  },
  { $id: 'AccountIdentifierAnswer', description: 'The members that were sent; what is secret is masked' },
);

const Product = Type.Object({
  productId: Type.String(),
  amount: Type.Integer(),
  quantity: Type.Optional(Type.Number()),
  unitOfMeasure: Text(),
  vatAmount: Type.Optional(Type.Integer()),
  vatRate: Type.Optional(Type.Number()),
  description: Text(),
});

const remaining = {
  remainingCancelAmount: Minor('What a cancel would release'),
  remainingCaptureAmount: Minor('What may still be captured'),
  remainingReversalAmount: Minor('What may still be given back'),
};

const followUpMembers = {
  _links: links,
  state: State,
  problem: Type.Optional(Problem),
  operation: Type.Enum(['Capture', 'Cancel', 'Reversal']),
  amount: Minor('What was moved or released'),
  currency: Type.String(),
  description: Text(),
  additionalData: Text(),
  paymentOrderRef: Type.String(),
  paymentTransactionRef: Type.String(),
  merchant: Type.Optional(Merchant),
  issuer: Issuer,
  created: Instant(),
  updated: Instant(),
  transmissionTime: Instant(),
  initiatingSystemUserAgent: Text(),
  ...remaining,
  operations,
};

export const TransactionAnswer = Type.Object(
  { transactionId: Type.String(), ...followUpMembers },
  { $id: 'AccountTransaction', description: 'A capture or a reversal, with what is left of its payment' },
);
export const OperationAnswer = Type.Object(
  { operationId: Type.String(), ...followUpMembers },
  { $id: 'AccountOperation', description: 'A cancel, with what is left of its payment' },
);
export type TransactionAnswer = Static<typeof TransactionAnswer>;
export type OperationAnswer = Static<typeof OperationAnswer>;

export const PaymentAnswer = Type.Object(
  {
    _links: links,
    accountIdentifier: MaskedIdentifier,
    additionalData: Text(),
    allowedProductIds: Type.Array(Type.String(), { description: 'What the account can be spent on; empty: anything' }),
    amount: Minor('As asked'),
    created: Instant(),
    currency: Type.String(),
    description: Text(),
    initiatingSystemUserAgent: Text(),
    issuer: Issuer,
    merchant: Type.Optional(Merchant),
    operation: Type.Enum(['Authorize', 'Purchase', 'Deposit', 'Credit']),
    paymentId: Type.String(),
    paymentOrderRef: Type.String(),
    paymentTransactionRef: Type.String(),
    problem: Type.Optional(Problem),
    products: Type.Optional(Type.Array(Product)),
    ...remaining,
    state: State,
    transmissionTime: Instant(),
    updated: Instant(),
    transactions: Type.Optional(Type.Array(TransactionAnswer, { description: 'With $expand=transactions' })),
    cancellations: Type.Optional(Type.Array(OperationAnswer, { description: 'With $expand=cancellations' })),
    operations,
  },
  { $id: 'AccountPayment' },
);
export type PaymentAnswer = Static<typeof PaymentAnswer>;

export const BalanceAnswer = Type.Object({
  _links: links,
  operations,
  paymentAccount: Type.Object({
    accountSummary: Type.Object({
      accountId: Type.String({ description: 'The paymentAccountId of addresses' }),
      balance: Minor('What is available: holds are taken off; 0 for an external card'),
      currency: Text(),
      expiryDate: Text('YYYY-MM-DD, the last day'),
      paymentInstrumentType: Type.Enum(['giftcard', 'prepaid', 'creditcard']),
    }),
    issuerSummary: Issuer,
  }),
});

export const LookUpAnswer = Type.Object({
  status: Type.Enum(['notSeen', 'inProgress', 'done']),
  payment: Type.Optional(PaymentAnswer),
  transaction: Type.Optional(TransactionAnswer),
  operation: Type.Optional(OperationAnswer),
});

const Id = (description: string) => Type.String({ description });

export const AccountParams = Type.Object({ paymentAccountId: Id('The account, as balance gives it') });
export const PaymentParams = Type.Object({
  paymentAccountId: Id('The account, as balance gives it'),
  paymentId: Id('The payment'),
});
export const TransactionParams = Type.Object({
  paymentAccountId: Id('The account, as balance gives it'),
  paymentId: Id('The payment'),
  transactionId: Id('A capture or a reversal'),
});
export const OperationParams = Type.Object({
  paymentAccountId: Id('The account, as balance gives it'),
  paymentId: Id('The payment'),
  operationId: Id('A cancel'),
});
export const NoParams = Type.Object({});
export const NoQuery = Type.Object({});
export const LookUpQuery = Type.Object({
  paymentTransactionRef: reference('the reference of the request whose fate is asked for'),
});
export type BalanceAnswer = Static<typeof BalanceAnswer>;
