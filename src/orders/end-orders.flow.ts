import { SERVICE } from '../kit/caller.ts';
import { LAPSE } from './change-kinds.ts';
import { expireOrder } from './changes/change-order.flow.ts';
import { followUpOrder } from './changes/follow-up-order.flow.ts';
import type { OrderKey } from './orders.types.ts';
import type { OrderFlows } from './orders-context.types.ts';
import { changeOrder } from './submit-change.ts';

const BY_SERVICE = { actor: SERVICE, initiatedBy: 'PaymentGateway', idempotencyKey: undefined } as const;

/** Ends an order that was not paid in time. */
export function endOrder(flows: OrderFlows, order: OrderKey): Promise<void> {
  return expireOrder(flows, { ...order, ...BY_SERVICE });
}

/** Gives back what is held of gift cards for a payer who has not come back. */
export async function releaseGiftCards({ context }: OrderFlows, order: OrderKey): Promise<void> {
  await changeOrder(context, LAPSE, { changing: { ...order, ...BY_SERVICE }, make: (base) => base });
}

/** Cancels all that is left of an order whose authorization is over: its legs never end one by one. */
export async function endAuthorization(flows: OrderFlows, order: OrderKey): Promise<void> {
  await followUpOrder(flows, {
    ...order,
    ...BY_SERVICE,
    type: 'Cancellation',
    amount: undefined,
    vatAmount: undefined,
    description: undefined,
    payeeReference: undefined,
    receiptReference: undefined,
    orderItems: undefined,
    legs: undefined,
  });
}
