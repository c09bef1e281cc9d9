import type { Read } from '../../db/transaction.types.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import { selectResourceCalls } from '../calls/calls.store.ts';
import { selectPaymentMovements } from '../ledger/movements.store.ts';
import { selectPayment } from './payments.store.ts';
import { timelineOf } from './story.rules.ts';
import { selectStory } from './story.store.ts';
import type { PaymentStory } from './story.types.ts';

/**
 * A payment and what happened to it: calls, its transactions, what moved, who was told and who did what.
 *
 * @throws Refusal `notfound`
 */
export async function paymentStory(read: Read, payeeId: PayeeId, id: string): Promise<PaymentStory> {
  const paymentId = id.toLowerCase();
  const payment = isUuid(paymentId) ? await selectPayment(read, payeeId, paymentId) : undefined;
  if (payment === undefined) throw notFound();
  const key = { payeeId, paymentId };
  const [parts, movements] = await Promise.all([
    selectStory(read, key, payment.family),
    selectPaymentMovements(read, key),
  ]);
  const sessionIds = parts.acts.flatMap(({ sessionId }) => sessionId ?? []);
  const calls = await selectResourceCalls(read, { payeeId, resourceId: paymentId }, sessionIds);
  const timeline = timelineOf(payment, { ...parts, movements, calls });
  return { payment, transactions: parts.transactions, timeline };
}
