import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { notFound } from '../kit/errors.ts';
import { isUuid, type PayeeId } from '../kit/ids.ts';
import type { PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import type { Payment, PaymentTransaction } from './account-payments.types.ts';
import type { AccountsContext, LookedUp, PaymentView, TransactionView } from './accounts.types.ts';
import { LOOK_UP } from './command-kinds.ts';
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
  const transactionId = paymentId.toLowerCase() as TransactionId;
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

/** A whole number that a double holds, without leading zeros. */
const NUMBER = /^[1-9][0-9]{0,15}$/;

/**
 * The payment that a path names: by its id, or by the number that it has as a deposit on a gift card. Undefined where the
 * text is neither; an id need not be one of ours.
 */
export async function findPaymentId(
  { lookUps }: Pick<AccountsContext, 'lookUps'>,
  { payeeId, paymentId }: { readonly payeeId: PayeeId; readonly paymentId: string },
): Promise<PaymentId | undefined> {
  if (isUuid(paymentId)) return paymentId.toLowerCase() as PaymentId;
  const number = Number(paymentId);
  if (!NUMBER.test(paymentId) || !Number.isSafeInteger(number)) return undefined;
  return (await lookUps.paymentNumber({ payeeId, number }))?.paymentId;
}

/** A payment with what was done to it, which is read only where it is asked for. What waits for its issuer is not there yet. */
export async function paymentView(
  { lookUps }: Pick<AccountsContext, 'lookUps'>,
  payment: Payment,
  expand: ReadonlySet<string>,
): Promise<PaymentView> {
  const stored = expand.size === 0 ? [] : await lookUps.transactionsOf(payment);
  const all = stored.filter(({ state }) => state !== 'CALLING');
  return {
    payment,
    transactions: all.filter(({ operation }) => operation !== 'Cancel'),
    cancellations: all.filter(({ operation }) => operation === 'Cancel'),
  };
}

/** What became of the request with a reference, also one that is being carried out at this moment: that one is waited for. */
export async function lookUpReference(
  context: AccountsContext,
  { payeeId, actor, reference }: { readonly payeeId: PayeeId; readonly actor: Actor; readonly reference: string },
): Promise<LookedUp> {
  const { lookUps, newId } = context;
  const found = await context.submit(LOOK_UP, {
    payeeId,
    actor,
    commandId: newId(),
    reference,
    unusedId: newId() as PaymentId,
  });
  if (found === undefined) return { status: 'notSeen' };
  const stored = await lookUps.payment({ payeeId, paymentId: found.paymentId });
  assert(stored !== undefined, 'a reference stands for a payment');
  if (stored.state === 'CALLING') return { status: 'inProgress' };
  const payment = asOfNow(stored, context.now());
  if (found.transactionId === null) return { status: 'done', payment };
  const transaction = await lookUps.transaction({ payeeId, transactionId: found.transactionId });
  assert(transaction !== undefined, 'a reference stands for a transaction');
  if (transaction.state === 'CALLING') return { status: 'inProgress' };
  return { status: 'done', payment, transaction };
}
