import { forbidden } from '../../kit/errors.ts';
import type { PayOrderRequest, RemoveGiftCardRequest } from '../order-requests.types.ts';
import type { AddGiftCardRequest, OnPage, OrderFlows } from '../orders-context.types.ts';

/** Adds a gift card or prepaid account to an order: nothing is held yet. */
export async function addGiftCard(_flows: OrderFlows, _request: AddGiftCardRequest): Promise<OnPage> {
  throw forbidden('PaymentOrder', 'It cannot be done yet.');
}

/** Removes a gift card from an order, and releases what is held of it at once. */
export async function removeGiftCard(_flows: OrderFlows, _request: RemoveGiftCardRequest): Promise<OnPage> {
  throw forbidden('PaymentOrder', 'It cannot be done yet.');
}

/** Pays an order with its gift cards alone. */
export async function payOrder(_flows: OrderFlows, _request: PayOrderRequest): Promise<OnPage> {
  throw forbidden('PaymentOrder', 'It cannot be done yet.');
}
