import { inputError } from '../../kit/errors.ts';
import { type AmountMinor, amountMinor } from '../../kit/money.ts';
import type { OrderInstrument, OrderItem } from '../orders.types.ts';
import type { ChangeOrderBody } from './order-bodies.wire.ts';
import { instrumentOf, refuseBadItems, refuseOtherSum } from './order-items.rules.ts';

/** What is to be changed of an order: well-formed, and not yet looked at as a whole. */
export type SentChange = ChangeOrderBody['paymentorder'];

/** What an unpaid order is to be from now on. What is absent stays. */
export interface OrderUpdate {
  readonly amount: AmountMinor;
  readonly vatAmount: AmountMinor;
  readonly description?: string;
  readonly orderItems?: readonly OrderItem[];
  readonly orderReference?: string;
}

/** A change, once it is found to make sense. */
export type WantedChange =
  | { readonly operation: 'UpdateOrder'; readonly update: OrderUpdate }
  | { readonly operation: 'Abort' | 'PaymentAttemptAborted'; readonly reason: string }
  | { readonly operation: 'SetInstrument' | 'ExpandInstrument'; readonly instrument: OrderInstrument };

/** What an attempt is ended for where the payee gives no reason. */
const ATTEMPT_ABORTED = 'AbortedByMerchant';

/** @throws Refusal `inputerror` where a member is missing, or makes no sense beside the others */
export function readChange(sent: SentChange): WantedChange {
  const { operation, abortReason, instrument } = sent;
  switch (operation) {
    case 'UpdateOrder':
      return { operation, update: readUpdate(sent) };
    case 'Abort':
      if (abortReason === undefined) throw inputError('paymentorder.abortReason', 'is required');
      return { operation, reason: abortReason };
    case 'PaymentAttemptAborted':
      return { operation, reason: abortReason ?? ATTEMPT_ABORTED };
    default: {
      if (instrument === undefined) throw inputError('paymentorder.instrument', 'is required');
      const known = instrumentOf(instrument);
      if (known !== undefined) return { operation, instrument: known };
      throw inputError('paymentorder.instrument', 'must be CreditCard or GiftCard');
    }
  }
}

function readUpdate({ amount, vatAmount, description, orderItems, payeeInfo }: SentChange): OrderUpdate {
  if (amount === undefined) throw inputError('paymentorder.amount', 'is required');
  if (amount < 1) throw inputError('paymentorder.amount', 'must be at least 1');
  const vat = vatAmount ?? 0;
  if (vat > amount) throw inputError('paymentorder.vatAmount', 'must not be above the amount');
  if (orderItems !== undefined) {
    refuseBadItems('paymentorder.orderItems', orderItems);
    refuseOtherSum('paymentorder.orderItems', orderItems, { amount, vatAmount: vat });
  }
  const orderReference = payeeInfo?.orderReference;
  return {
    amount: amountMinor(amount),
    vatAmount: amountMinor(vat),
    ...(description !== undefined && { description: description.trim() }),
    ...(orderItems !== undefined && { orderItems }),
    ...(orderReference !== undefined && { orderReference }),
  };
}
