import type { Actor } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type { SeenSplit } from '../payments/payment-commands.types.ts';
import type { CardOperation, Intent } from '../payments/payments.types.ts';
import type {
  Initiator,
  OrderInstrument,
  OrderItem,
  OrderTerms,
  OrderVersion,
  OrderView,
  SplitTransaction,
} from './orders.types.ts';
import type { OrderPayer } from './requests/new-order.types.ts';

/** Who asks, and for whom. */
export interface OrderAsked {
  readonly payeeId: PayeeId;
  readonly orderId: string;
  readonly actor: Actor;
  readonly initiatedBy: Initiator;
  readonly idempotencyKey: string | undefined;
}

/** A request for an order: well-formed, looked at as a whole, and in its normal form. */
export interface CreateOrderRequest extends Omit<OrderAsked, 'orderId'> {
  readonly operation: CardOperation;
  /** Null for a Verify. */
  readonly intent: Intent | null;
  readonly currency: Currency;
  /** 0 for a Verify. */
  readonly amount: AmountMinor;
  readonly vatAmount: AmountMinor;
  readonly madeIn: OrderVersion;
  readonly instrument: OrderInstrument | null;
  readonly terms: OrderTerms;
  readonly orderItems: readonly OrderItem[];
  /** What the payee says of the payer: kept sealed. */
  readonly payer?: OrderPayer | undefined;
}

/** An UpdateOrder. */
export interface UpdateOrderRequest extends OrderAsked {
  readonly amount: AmountMinor;
  readonly vatAmount: AmountMinor;
  /** Undefined: stays as it is. */
  readonly orderItems: readonly OrderItem[] | undefined;
  readonly description: string | undefined;
  readonly orderReference: string | undefined;
}

/** An Abort. */
export interface AbortOrderRequest extends OrderAsked {
  readonly reason: string;
}

/** A gift card that a payer does not want to pay with any more. */
export interface RemoveGiftCardRequest extends OrderAsked {
  readonly legId: string;
}

/** Pay with gift cards alone. With a card the page's form pays: see `payOnPage` of card payments. */
export interface PayOrderRequest extends OrderAsked {
  readonly seen: SeenSplit;
}

/** A part that a request names itself. */
export interface WantedPart {
  readonly legId: string;
  readonly amount: number;
}

/** A request for a capture, cancellation or reversal of an order. */
export interface OrderFollowUpRequest extends OrderAsked {
  readonly type: 'Capture' | 'Cancellation' | 'Reversal';
  /** Undefined for a cancellation, which takes all that is left. */
  readonly amount: number | undefined;
  readonly vatAmount: number | undefined;
  readonly description: string | undefined;
  readonly payeeReference: string | undefined;
  readonly receiptReference: string | undefined;
  readonly orderItems: readonly OrderItem[] | undefined;
  /** How it falls on the legs; undefined: by the payee's setting. */
  readonly legs: readonly WantedPart[] | undefined;
}

/** How a request went: what there is now, and the transaction that it made, or an earlier one with the same reference has made. */
export interface OrderChanged {
  readonly view: OrderView;
  readonly transaction: SplitTransaction | undefined;
  readonly isReplay: boolean;
  /** What the page offers, where it was looked up with the change, which does not alter it. */
  readonly menu?: readonly OrderInstrument[] | undefined;
  /** Whether it is a capture that waits for its acquirer, and needs no repeat. */
  readonly isKept: boolean;
}

/** What a payer enters to pay with a gift card or prepaid account of the payee. Both live as long as the request. */
export interface GiftCardEntry {
  readonly number: string;
  readonly code: string;
}
