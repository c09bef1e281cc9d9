import { SERVICE } from '../../kit/caller.ts';
import { ABORT } from '../command-kinds.ts';
import { findCardPayment } from '../find-payment.ts';
import { release, sealedIn } from '../pay.flow.ts';
import type { AbortCommand } from '../payment-commands.types.ts';
import { EXPIRED } from '../payment-state.rules.ts';
import type { Asked, CardPaymentKey, CardPaymentView } from '../payments.types.ts';
import type { PaymentFlows } from '../payments-context.types.ts';

import { requireAlone, submitChange } from './submit-change.ts';

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
  const before = await findCardPayment(flows.context, { payeeId, paymentId });
  requireAlone(before.payment);
  await endCardPayment(flows, { before, actor, reason, isExpiry: false });
  return findCardPayment(flows.context, { payeeId, paymentId });
}

/** Ends a payment whose time is over; one that is just being paid goes on. */
export async function expireCardPayment(flows: PaymentFlows, { payeeId, paymentId }: CardPaymentKey): Promise<void> {
  const before = await findCardPayment(flows.context, { payeeId, paymentId });
  await endCardPayment(flows, { before, actor: SERVICE, reason: EXPIRED, isExpiry: true });
}

/** How a payment that was found ends. */
export interface EndPayment extends Pick<AbortPayment, 'actor' | 'reason'> {
  readonly before: CardPaymentView;
  readonly isExpiry: boolean;
}

/**
 * Ends an unpaid payment, or the order that it belongs to, and destroys the cards that it kept sealed.
 *
 * @throws Refusal `forbidden`, and as `Submit`
 */
export async function endCardPayment(
  flows: PaymentFlows,
  { before, actor, reason, isExpiry }: EndPayment,
): Promise<void> {
  const { context } = flows;
  const { payment } = before;
  const { payeeId, paymentId } = payment;
  const command: AbortCommand = { payeeId, commandId: context.newId(), actor, paymentId, reason, isExpiry };
  await submitChange(context, ABORT, { command, payment });
  await release(flows, payeeId, { candidates: sealedIn(before), tried: undefined });
}
