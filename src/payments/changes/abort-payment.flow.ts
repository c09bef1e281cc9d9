import { SERVICE } from '../../kit/caller.ts';
import { ABORT } from '../command-kinds.ts';
import { findCardPayment } from '../find-payment.ts';
import { release, sealedIn } from '../pay.flow.ts';
import { EXPIRED } from '../payment-state.rules.ts';
import type { Asked, CardPaymentKey, CardPaymentView, PaymentFlows } from '../payments.types.ts';

/** A request to abort. */
export interface AbortPayment extends Omit<Asked, 'idempotencyKey'> {
  readonly paymentId: string;
  readonly reason: string;
}

/**
 * Aborts a payment that has not been paid. Twice is as once.
 *
 * @throws Refusal `notfound`, `forbidden`, and as `Submit`
 */
export async function abortCardPayment(
  flows: PaymentFlows,
  { payeeId, actor, paymentId, reason }: AbortPayment,
): Promise<CardPaymentView> {
  const { context } = flows;
  const before = await findCardPayment(context, { payeeId, paymentId });
  const { payment } = before;
  await context.submit(ABORT, {
    payeeId,
    commandId: context.newId(),
    actor,
    paymentId: payment.paymentId,
    reason,
    isExpiry: false,
  });
  const after = await findCardPayment(context, { payeeId, paymentId });
  await release(flows, payeeId, { candidates: sealedIn(before), tried: undefined });
  return after;
}

/** Ends a payment whose time is over; one that is just being paid goes on. */
export async function expireCardPayment(flows: PaymentFlows, { payeeId, paymentId }: CardPaymentKey): Promise<void> {
  const { context } = flows;
  const before = await findCardPayment(context, { payeeId, paymentId });
  await context.submit(ABORT, {
    payeeId,
    commandId: context.newId(),
    actor: SERVICE,
    paymentId,
    reason: EXPIRED,
    isExpiry: true,
  });
  await release(flows, payeeId, { candidates: sealedIn(before), tried: undefined });
}
