import { EXPIRED_CARD_PAYMENTS } from '../kit/cards/card-payment-limits.ts';
import { notFound } from '../kit/errors.ts';
import { isUuid, type PayeeId } from '../kit/ids.ts';
import type { PaymentId } from '../ledger/ledger.types.ts';
import { CARD_PAYMENT_JOBS, selectDuePayments, selectPayment, selectTransactions } from './payments.store.ts';
import type { CardPaymentJob, CardPaymentKey, CardPaymentView, StoredCardPayment } from './payments.types.ts';
import type { CardPaymentsContext } from './payments-context.types.ts';

/** A payment as a path names it. */
export interface NamedPayment {
  readonly payeeId: PayeeId;
  readonly paymentId: string;
}

/**
 * A payment with all that was done to it.
 *
 * @throws Refusal `notfound` where it is unknown or another payee's
 */
export async function findCardPayment(
  context: Pick<CardPaymentsContext, 'read'>,
  named: NamedPayment,
): Promise<CardPaymentView> {
  const key = keyOf(named);
  if (key === undefined) throw notFound();
  const [found, transactions] = await Promise.all([
    selectPayment(context.read, key),
    selectTransactions(context.read, key),
  ]);
  if (found === undefined) throw notFound();
  const { now, ...payment } = found;
  return { payment, transactions, now };
}

/** A payment that was read with what it is a part of, as `findCardPayment` gives it. */
export function cardPaymentView({ payment, transactions }: StoredCardPayment, now: string): CardPaymentView {
  return {
    payment: { ...payment, payerSealed: bytesOf(payment.payerSealed) },
    transactions: transactions.map((transaction) => ({
      ...transaction,
      cardDigest: bytesOf(transaction.cardDigest),
      holderSealed: bytesOf(transaction.holderSealed),
    })),
    now,
  };
}

/** Bytes of a row that travels inside of another one. */
export function bytesOf(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text.slice(BYTES_BEGIN), 'hex');
}

/** Where the digits of bytes begin in JSON, behind `\\x`. */
const BYTES_BEGIN = 2;

/** Whether `findCardPayment` would find it. */
export async function cardPaymentExists(
  context: Pick<CardPaymentsContext, 'read'>,
  named: NamedPayment,
): Promise<boolean> {
  const key = keyOf(named);
  return key !== undefined && (await selectPayment(context.read, key)) !== undefined;
}

/** How many seconds the payments wait whose time came first, by the job that looks after them. */
export function measureOverdue(read: CardPaymentsContext['read']): Promise<(readonly [CardPaymentJob, number])[]> {
  return Promise.all(
    CARD_PAYMENT_JOBS.map(
      async (job) => [job, (await selectDuePayments(read, job, 1))[0]?.overdueSeconds ?? 0] as const,
    ),
  );
}

/** Payments that a job is to end. */
export function findDue(
  context: Pick<CardPaymentsContext, 'read'>,
  job: CardPaymentJob,
): Promise<readonly CardPaymentKey[]> {
  return selectDuePayments(context.read, job, EXPIRED_CARD_PAYMENTS);
}

function keyOf({ payeeId, paymentId }: NamedPayment) {
  return isUuid(paymentId) ? { payeeId, paymentId: paymentId.toLowerCase() as PaymentId } : undefined;
}
