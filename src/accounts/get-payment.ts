import { notFound } from '../kit/errors.ts';
import { isUuid, type PayeeId } from '../kit/ids.ts';
import type { PaymentId } from '../ledger/ledger.types.ts';
import type { Payment, PaymentTransaction } from './account-payments.types.ts';
import type { AccountsContext, PaymentView, TransactionView } from './accounts.types.ts';
import { findPaymentId } from './find-payment-id.ts';
import { paymentView } from './payment-view.ts';
import { asOfNow } from './steps.rules.ts';

/** Names a payment as a path does. */
export interface PaymentPath {
  readonly payeeId: PayeeId;
  readonly paymentAccountId: string;
  readonly paymentId: string;
}

type Reads = Pick<AccountsContext, 'lookUps' | 'now'>;

/**
 * A payment with all that was done to it. One that waits for its issuer is not there yet.
 *
 * @throws Refusal `notfound` where it is unknown, foreign, or another account's
 */
export async function getPayment(context: Reads, path: PaymentPath): Promise<PaymentView> {
  const payment = await findPayment(context, path);
  if (payment === undefined || payment.state === 'CALLING') throw notFound();
  return paymentView(context, asOfNow(payment, context.now()), ALL);
}

const ALL: ReadonlySet<string> = new Set(['transactions', 'cancellations']);

/** Whether the payee's account has that payment. */
export async function paymentExists(context: Reads, path: PaymentPath): Promise<boolean> {
  return (await findPayment(context, path)) !== undefined;
}

/** Whether a reversal may name it: a payment of the account, or a capture. */
export async function reversibleExists(context: Reads, path: PaymentPath): Promise<boolean> {
  return (await findPayment(context, path)) !== undefined || (await paymentOfCapture(context, path)) !== undefined;
}

/**
 * The payment that a reversal names, itself or by one of its captures.
 *
 * @throws Refusal `notfound`
 */
export async function reversiblePayment(context: Reads, path: PaymentPath): Promise<Payment> {
  const paymentId = await paymentOfCapture(context, path);
  const payment = await findPayment(context, paymentId === undefined ? path : { ...path, paymentId });
  if (payment === undefined) throw notFound();
  return payment;
}

/**
 * A capture or reversal (`transactions`), or a cancel (`cancellations`), with its payment.
 *
 * @throws Refusal `notfound`
 */
export async function getTransaction(
  context: Reads,
  path: PaymentPath,
  { kind, id }: { readonly kind: 'transactions' | 'cancellations'; readonly id: string },
): Promise<TransactionView> {
  const view = await getPayment(context, path);
  const transaction = findIn(view[kind], id);
  if (transaction === undefined) throw notFound();
  return { transaction, payment: view.payment };
}

/** Whether the payment has that capture, reversal or cancel. */
export async function transactionExists(
  context: Reads,
  path: PaymentPath,
  { kind, id }: { readonly kind: 'transactions' | 'cancellations'; readonly id: string },
): Promise<boolean> {
  const payment = await findPayment(context, path);
  if (payment === undefined) return false;
  return findIn((await paymentView(context, payment, ALL))[kind], id) !== undefined;
}

function findIn(transactions: readonly PaymentTransaction[], id: string): PaymentTransaction | undefined {
  return transactions.find(({ transactionId }) => transactionId === id.toLowerCase());
}

/** The payment that a capture belongs to, where an id is a capture's that was carried out. */
export async function paymentOfCapture(
  { lookUps }: Pick<AccountsContext, 'lookUps'>,
  { payeeId, paymentId }: Pick<PaymentPath, 'payeeId' | 'paymentId'>,
): Promise<PaymentId | undefined> {
  if (!isUuid(paymentId)) return undefined;
  const transactionId = paymentId.toLowerCase() as never;
  const transaction = await lookUps.transaction({ payeeId, transactionId });
  const isCaptured = transaction?.operation === 'Capture' && transaction.state === 'OK';
  return isCaptured ? transaction.paymentId : undefined;
}

async function findPayment({ lookUps }: Reads, path: PaymentPath): Promise<Payment | undefined> {
  const { payeeId, paymentAccountId } = path;
  const paymentId = await findPaymentId({ lookUps }, path);
  if (paymentId === undefined) return undefined;
  const payment = await lookUps.payment({ payeeId, paymentId });
  return payment?.accountId === paymentAccountId.toLowerCase() ? payment : undefined;
}
