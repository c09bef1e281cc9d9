import { forbidden } from '../../kit/errors.ts';
import type { ChangeCommand, ChangeKind, Outcome } from '../payment-commands.types.ts';
import type { CardPayment } from '../payments.types.ts';
import type { CardPaymentsContext } from '../payments-context.types.ts';

/** Submits a change of a payment: by itself, or under the lock of the order that it belongs to. */
export function submitChange<Command extends ChangeCommand>(
  { submit, submitOfOrder }: Pick<CardPaymentsContext, 'submit' | 'submitOfOrder'>,
  kind: ChangeKind<Command>,
  { command, payment: { orderId } }: { readonly command: Command; readonly payment: Pick<CardPayment, 'orderId'> },
): Promise<Outcome> {
  return orderId === null ? submit(kind, command) : submitOfOrder(kind, { ...command, orderId }, orderId);
}

/**
 * Requires that a payment stands for itself: one that belongs to an order changes with that alone.
 *
 * @throws Refusal `forbidden`, named `PaymentOrder`
 */
export function requireAlone({ orderId }: Pick<CardPayment, 'orderId'>): void {
  if (orderId !== null) throw forbidden('PaymentOrder', 'The payment belongs to a payment order: change that.');
}
