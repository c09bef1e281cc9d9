import { Type } from 'typebox';
import { links, logged, operations, reference, type Shown } from '../kit/schemas.wire.ts';

const Text = (description?: string) => Type.Optional(Type.String(description === undefined ? {} : { description }));
const Instant = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) });
const Minor = (description: string) => Type.Integer({ description });

const Issuer = Type.Object(
  {
    acquirerId: logged(Type.String()),
    acquirerName: logged(Type.String()),
    issuerId: logged(Type.String()),
    issuerName: logged(Type.String()),
    settlementProvided: logged(Type.Boolean({ description: 'Whether the issuer settles with the payee' })),
  },
  { $id: 'Issuer' },
);

const Merchant = Type.Object(
  { merchantName: logged(Type.String()), terminalId: logged(Text()) },
  { $id: 'MerchantAnswer' },
);

const State = Type.Enum(['OK', 'FAILED', 'REVERSED', 'DUPLICATE'], {
  description: 'DUPLICATE: the reference is known and the request was no repetition; nothing was done',
});

const Problem = Type.Object(
  { type: logged(Type.String()), title: logged(Type.String()), detail: logged(Type.String()) },
  { $id: 'Decline', description: 'Why the card was declined; only where the state is FAILED' },
);

const MaskedIdentifier = Type.Object(
  {
    accountId: logged(Text()),
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
  productId: logged(Type.String()),
  amount: logged(Type.Integer()),
  quantity: logged(Type.Optional(Type.Number())),
  unitOfMeasure: logged(Text()),
  vatAmount: logged(Type.Optional(Type.Integer())),
  vatRate: logged(Type.Optional(Type.Number())),
  description: logged(Text()),
});

const remaining = {
  remainingCancelAmount: logged(Minor('What a cancel would release')),
  remainingCaptureAmount: logged(Minor('What may still be captured')),
  remainingReversalAmount: logged(Minor('What may still be given back')),
};

const followUpMembers = {
  _links: links,
  state: logged(State),
  problem: Type.Optional(Problem),
  operation: logged(Type.Enum(['Capture', 'Cancel', 'Reversal'])),
  amount: logged(Minor('What was moved or released')),
  currency: logged(Type.String()),
  description: logged(Text()),
  additionalData: Text(),
  paymentOrderRef: logged(Type.String()),
  paymentTransactionRef: logged(Type.String()),
  merchant: Type.Optional(Merchant),
  issuer: Issuer,
  created: logged(Instant()),
  updated: logged(Instant()),
  transmissionTime: Instant(),
  initiatingSystemUserAgent: Text(),
  ...remaining,
  operations,
};

export const TransactionAnswer = Type.Object(
  { transactionId: logged(Type.String()), ...followUpMembers },
  { $id: 'AccountTransaction', description: 'A capture or a reversal, with what is left of its payment' },
);
export const OperationAnswer = Type.Object(
  { operationId: Type.String(), ...followUpMembers },
  { $id: 'AccountOperation', description: 'A cancel, with what is left of its payment' },
);
export type TransactionAnswer = Shown<typeof TransactionAnswer>;
export type OperationAnswer = Shown<typeof OperationAnswer>;

export const PaymentAnswer = Type.Object(
  {
    _links: links,
    accountIdentifier: MaskedIdentifier,
    additionalData: Text(),
    allowedProductIds: Type.Array(Type.String(), { description: 'What the account can be spent on; empty: anything' }),
    amount: logged(Minor('As asked')),
    created: logged(Instant()),
    currency: logged(Type.String()),
    description: logged(Text()),
    initiatingSystemUserAgent: Text(),
    issuer: Issuer,
    merchant: Type.Optional(Merchant),
    operation: logged(Type.Enum(['Authorize', 'Purchase', 'Deposit', 'Credit'])),
    paymentId: logged(Type.String()),
    paymentOrderRef: logged(Type.String()),
    paymentTransactionRef: logged(Type.String()),
    problem: Type.Optional(Problem),
    products: Type.Optional(Type.Array(Product)),
    ...remaining,
    state: logged(State),
    transmissionTime: Instant(),
    updated: logged(Instant()),
    transactions: Type.Optional(Type.Array(TransactionAnswer, { description: 'With $expand=transactions' })),
    cancellations: Type.Optional(Type.Array(OperationAnswer, { description: 'With $expand=cancellations' })),
    operations,
  },
  { $id: 'AccountPayment' },
);
export type PaymentAnswer = Shown<typeof PaymentAnswer>;

export const BalanceAnswer = Type.Object({
  _links: links,
  operations,
  paymentAccount: Type.Object({
    accountSummary: Type.Object({
      accountId: logged(Type.String({ description: 'The paymentAccountId of addresses' })),
      balance: logged(Minor('What is available: holds are taken off; 0 for an external card')),
      currency: logged(Text()),
      expiryDate: Text('YYYY-MM-DD, the last day'),
      paymentInstrumentType: logged(Type.Enum(['giftcard', 'prepaid', 'creditcard'])),
    }),
    issuerSummary: Issuer,
  }),
});

export const LookUpAnswer = Type.Object({
  status: logged(Type.Enum(['notSeen', 'inProgress', 'done'])),
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
export const LookUpQuery = Type.Object({
  paymentTransactionRef: reference('the reference of the request whose fate is asked for'),
});
export type BalanceAnswer = Shown<typeof BalanceAnswer>;
