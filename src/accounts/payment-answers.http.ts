import { linksOf, type Operation, operation, path } from '../http/operations.ts';
import { CARD_PROBLEMS, isCardProblemCode } from '../kit/cards/card-problems.ts';
import type { BalanceAnswer, OperationAnswer, PaymentAnswer, TransactionAnswer } from './account-answers.wire.ts';
import type {
  AccountsContext,
  BalanceAccount,
  Merchant,
  PaymentEcho,
  PaymentView,
  TransactionEcho,
  TransactionView,
} from './accounts.types.ts';
import { stepsFor, whatRemains } from './steps.rules.ts';

type Payment = PaymentView['payment'];
type Issuer = ReturnType<AccountsContext['issuers']['named']>;

/** Where the endpoints of accounts begin. */
export const ACCOUNT_PATH = '/api/payments/payment-account';

/** What an answer is made with. Everything in it comes from what is stored, never from the request. */
export interface AnswerContext {
  readonly issuers: AccountsContext['issuers'];
  readonly baseUrl: string;
}

/** How a payment is shown. */
export interface ShowPayment {
  /** The reference is known and the request was no repetition: nothing was done. */
  readonly isDuplicate?: boolean;
  /** Sub-resources to inline. */
  readonly expand?: ReadonlySet<string>;
}

/** A payment, masked, with what can be done with it now. */
export function paymentAnswer(
  { payment, transactions, cancellations }: PaymentView,
  context: AnswerContext,
  { isDuplicate = false, expand = NOTHING }: ShowPayment = {},
): PaymentAnswer {
  const echo = payment.echo as PaymentEcho;
  const { words, circumstances } = echo;
  const href = paymentHref(payment, context.baseUrl);
  const possible = paymentOperations(payment, href, context.issuers);
  return {
    _links: linksOf(href, possible),
    accountIdentifier: echo.accountIdentifier,
    ...(words.additionalData !== undefined && { additionalData: words.additionalData }),
    allowedProductIds: echo.allowedProductIds,
    amount: payment.amount,
    created: payment.createdAt,
    currency: payment.currency,
    ...(words.description !== undefined && { description: words.description }),
    ...(circumstances.userAgent !== undefined && { initiatingSystemUserAgent: circumstances.userAgent }),
    issuer: issuerAnswer(context.issuers.named(echo.issuer)),
    ...merchantOf(words.merchant),
    operation: payment.operation,
    paymentId: payment.paymentId,
    paymentOrderRef: payment.paymentOrderRef,
    paymentTransactionRef: payment.paymentTransactionRef,
    ...declineOf(payment.problem, context),
    ...(words.products !== undefined && { products: words.products }),
    ...remainingOf(payment),
    state: isDuplicate ? 'DUPLICATE' : shown(payment.state),
    transmissionTime: circumstances.transmissionTime ?? payment.createdAt,
    updated: payment.updatedAt,
    ...(expand.has('transactions') && {
      transactions: transactions.map((transaction) => transactionAnswer({ transaction, payment }, context)),
    }),
    ...(expand.has('cancellations') && {
      cancellations: cancellations.map((transaction) => operationAnswer({ transaction, payment }, context)),
    }),
    operations: possible,
  };
}

const NOTHING: ReadonlySet<string> = new Set();

/** Where a payment was made. A deposit on a gift card says nothing of it. */
function merchantOf(merchant: Merchant | undefined) {
  return merchant === undefined ? {} : { merchant };
}

/** A capture, cancel or reversal with its payment as it is now. */
export interface ShowTransaction extends TransactionView {
  readonly isDuplicate?: boolean;
}

/** A capture or reversal, with what is left of its payment. */
export function transactionAnswer(shown: ShowTransaction, context: AnswerContext): TransactionAnswer {
  return { transactionId: shown.transaction.transactionId, ...followUpMembers(shown, context, 'transactions') };
}

/** A cancel, with what is left of its payment. */
export function operationAnswer(shown: ShowTransaction, context: AnswerContext): OperationAnswer {
  return { operationId: shown.transaction.transactionId, ...followUpMembers(shown, context, 'operations') };
}

function followUpMembers(
  { transaction, payment, isDuplicate = false }: ShowTransaction,
  context: AnswerContext,
  collection: 'transactions' | 'operations',
): Omit<TransactionAnswer, 'transactionId'> {
  const { words, circumstances, currency, issuer } = transaction.echo as TransactionEcho;
  const href = paymentHref(payment, context.baseUrl);
  const possible = paymentOperations(payment, href, context.issuers);
  return {
    _links: linksOf(`${href}/${collection}/${transaction.transactionId}`, possible),
    state: isDuplicate ? 'DUPLICATE' : shown(transaction.state),
    ...declineOf(transaction.problem, context),
    operation: transaction.operation,
    amount: transaction.amount,
    currency,
    ...(words.description !== undefined && { description: words.description }),
    ...(words.additionalData !== undefined && { additionalData: words.additionalData }),
    paymentOrderRef: transaction.paymentOrderRef,
    paymentTransactionRef: transaction.paymentTransactionRef,
    ...merchantOf(words.merchant ?? (payment.echo as PaymentEcho).words.merchant),
    issuer: issuerAnswer(context.issuers.named(issuer)),
    created: transaction.createdAt,
    updated: transaction.updatedAt,
    transmissionTime: circumstances.transmissionTime ?? transaction.createdAt,
    ...(circumstances.userAgent !== undefined && { initiatingSystemUserAgent: circumstances.userAgent }),
    ...remainingOf(payment),
    operations: possible,
  };
}

/** What is available on an account, and its id. */
export function balanceAnswer(account: BalanceAccount, { issuers, baseUrl }: AnswerContext): BalanceAnswer {
  const href = `${baseUrl}${path`/api/payments/payment-account/${account.accountId}/payment`}`;
  const possible = [
    operation('POST', 'create-authorization', `${href}/authorize`),
    operation('POST', 'create-purchase', `${href}/purchase`),
    operation('POST', 'create-credit', `${href}/credit`),
    ...(account.kind === 'StoredValue' ? [operation('POST', 'create-deposit', `${href}/deposit`)] : []),
  ];
  return {
    _links: linksOf(`${baseUrl}${ACCOUNT_PATH}/balance`, possible),
    operations: possible,
    paymentAccount: {
      accountSummary: {
        accountId: account.accountId,
        balance: account.available,
        ...(account.currency !== null && { currency: account.currency }),
        ...(account.expiresOn !== null && { expiryDate: account.expiresOn }),
        paymentInstrumentType: account.instrument,
      },
      issuerSummary: issuerAnswer(issuers.named(account.issuer)),
    },
  };
}

/** What can be done with a payment now: the same under a capture, cancel or reversal of it. */
function paymentOperations(payment: Payment, href: string, issuers: AnswerContext['issuers']): Operation[] {
  const itself = operation('GET', 'get-payment', href);
  // A leg of an order is changed by its order.
  if (payment.orderId !== null) return [itself];
  const steps = stepsFor(payment, issuers.named((payment.echo as PaymentEcho).issuer));
  return [itself, ...steps.map((step) => operation('POST', LINKS[step].rel, href + LINKS[step].path))];
}

/** What each step is called, and where it leads. */
const LINKS = {
  Capture: { rel: 'create-capture', path: '/capture' },
  Cancel: { rel: 'create-cancellation', path: '/cancel' },
  Reversal: { rel: 'create-reversal', path: '/reversal' },
} as const;

function remainingOf(payment: Payment) {
  const { capture, cancel, reversal } = whatRemains(payment);
  return { remainingCancelAmount: cancel, remainingCaptureAmount: capture, remainingReversalAmount: reversal };
}

function paymentHref({ accountId, paymentId }: Payment, baseUrl: string): string {
  return `${baseUrl}${path`/api/payments/payment-account/${accountId}/payment/${paymentId}`}`;
}

function issuerAnswer({ acquirerId, acquirerName, issuerId, issuerName, settlementProvided }: Issuer) {
  return { acquirerId, acquirerName, issuerId, issuerName, settlementProvided };
}

function declineOf(code: string | null, { baseUrl }: AnswerContext) {
  if (code === null || !isCardProblemCode(code)) return {};
  const { title, meaning } = CARD_PROBLEMS[code];
  return { problem: { type: `${baseUrl}/errordetail/creditcard/${code}`, title, detail: meaning } };
}

/** What waits for its issuer is shown nowhere, so only the three outcomes are left. */
function shown(state: Payment['state']): 'OK' | 'FAILED' | 'REVERSED' {
  return state === 'CALLING' ? 'FAILED' : state;
}
