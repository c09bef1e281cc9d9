import { forbidden } from '../../kit/errors.ts';
import type {
  AbortOrderRequest,
  OrderChanged,
  OrderFollowUpRequest,
  UpdateOrderRequest,
} from '../order-requests.types.ts';
import type { OrderView } from '../orders.types.ts';
import type { OrderFlows } from '../orders-context.types.ts';

/** Changes the amount, items, description or reference of an unpaid order. The same content again changes nothing. */
export async function updateOrder(_flows: OrderFlows, _request: UpdateOrderRequest): Promise<OrderView> {
  throw forbidden('UpdateOrder', 'It cannot be done yet.');
}

/** Ends an unpaid order. Twice is as once. */
export async function abortOrder(_flows: OrderFlows, _request: AbortOrderRequest): Promise<OrderView> {
  throw forbidden('Abort', 'It cannot be done yet.');
}

/** Captures, cancels or reverses. A decline is an outcome, and no refusal: see the transaction. */
export async function followUpOrder(_flows: OrderFlows, request: OrderFollowUpRequest): Promise<OrderChanged> {
  throw forbidden(request.type, 'It cannot be done yet.');
}
