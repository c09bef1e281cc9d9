import type { Read } from '../../db/transaction.types.ts';
import type { Leg, Remaining } from '../../engine/leg.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AmountMinor, Currency } from '../../kit/money.ts';
import type { OrderInstrument, OrderItem, OrderLeg, OrderPart, OrderStatus } from '../../orders/orders.types.ts';
import type { EndingSlice } from '../newest-first.types.ts';
import type { AmountRange, Place } from '../payments/payments.types.ts';
import type { ListedTransaction, Moment } from '../payments/payments.wire.ts';
import type { HistoryLine } from './orders.wire.ts';

/** What pays an order, or is to pay it. */
export interface ListedInstrument {
  readonly type: OrderLeg['instrumentType'];
  /** The masked number. */
  readonly name: string;
  /** Of a card. */
  readonly brand: string | null;
}

/** An order as the portal lists it. Amounts in minor units, times ISO 8601 in UTC. */
export interface ListedOrder extends Pick<Leg, 'captured' | 'cancelled' | 'reversed'> {
  readonly orderId: string;
  readonly number: number;
  readonly operation: string;
  readonly status: OrderStatus;
  readonly currency: Currency;
  readonly amount: AmountMinor;
  readonly vatAmount: AmountMinor;
  readonly reservedHold: AmountMinor;
  readonly reservedReversal: AmountMinor;
  readonly payeeReference: string | null;
  readonly orderReference: string | null;
  readonly payerReference: string | null;
  readonly instruments: readonly ListedInstrument[];
  /** Whether an attempt was declined, and it is not paid. */
  readonly isDeclined: boolean;
  /** Code of the decline that it failed by, or of the last one of an unpaid order. */
  readonly problem: string | null;
  readonly shop: string | null;
  readonly site: string | null;
  /** Of the card that paid it, or a part of it. */
  readonly terminal: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When what is left of it is cancelled; null where nothing is. */
  readonly authorizedUntil: string | null;
  readonly isPaid: boolean;
  /** Whether its authorization is over: nothing can be captured, also where nothing has released it yet. */
  readonly isOver: boolean;
}

/**
 * What a list of orders can be cut down to. `Succeeded` are all that were paid, whatever became of them; `Declined` all that were
 * attempted and are not paid; `ToCapture` those of which something is authorized, those that end first in front.
 */
export type SearchedStatus = OrderStatus | 'Succeeded' | 'Declined' | 'ToCapture';

/** What a list of orders is cut down to, beside its period. Undefined: whichever. */
export interface OrderMatch {
  readonly status: SearchedStatus | undefined;
  readonly instrument: OrderInstrument | undefined;
  /** Whether more than one means pays it. */
  readonly isSplit: boolean | undefined;
  readonly amount: AmountRange | undefined;
  /** Code of a decline: an attempt failed by it. */
  readonly problem: string | undefined;
  readonly place: Place | undefined;
}

/** Which orders are wanted. */
export interface OrderSearch extends EndingSlice {
  readonly payeeId: PayeeId;
  readonly match: OrderMatch;
}

/**
 * How orders are found: in their order, by an index of status; or they are looked at one after the other, up to a limit,
 * and held against what is wanted: all, with `tried` those of which an attempt was declined, or with
 * `ending` those of which something is authorized, by its end.
 */
export type OrderWay = 'order' | 'status' | 'looked' | 'tried' | 'ending';

/** A leg with what became of its amount. */
export interface ShownLeg
  extends Leg,
    Pick<OrderLeg, 'legId' | 'position' | 'kind' | 'state' | 'instrumentType' | 'name'> {
  readonly accountId: string | null;
  readonly paymentId: string | null;
  readonly brand: string | null;
}

/** A leg as a page shows it. Before its order is paid nothing remains of it: what it has is held. */
export interface LegLine extends Omit<ShownLeg, 'reservedHold' | 'reservedReversal' | 'disputed' | 'holdExpiresAt'> {
  readonly remaining: Remaining;
}

/** A transaction of a whole order, and what of it fell on each leg. */
export interface OrderTransactionLine extends Omit<ListedTransaction, 'type' | 'checks'> {
  readonly type: ListedTransaction['type'] | 'Sale';
  readonly vatAmount: number;
  readonly initiatedBy: string;
  readonly parts: readonly Pick<OrderPart, 'legId' | 'amount'>[];
  readonly orderItems: readonly OrderItem[];
}

/** What the row of an order says beside the list. */
export interface OrderDetails extends ListedOrder {
  readonly intent: string | null;
  readonly description: string;
  readonly cardPaymentId: string;
  readonly isUnsettled: boolean;
  readonly abortReason: string | null;
  readonly cancelReason: string | null;
  readonly expiresAt: string;
  readonly heldUntil: string | null;
  readonly orderItems: readonly OrderItem[];
}

/** An order, what it is made of, and all that happened to it. */
export interface OrderStory {
  readonly order: OrderDetails & { readonly remaining: Remaining };
  readonly legs: readonly LegLine[];
  readonly transactions: readonly OrderTransactionLine[];
  /** With a card, oldest first. */
  readonly tries: readonly ListedTransaction[];
  readonly history: readonly HistoryLine[];
  readonly timeline: readonly Moment[];
}

/** What commands that show orders need. */
export interface OrdersService {
  readonly read: Read;
  readonly whichPayee: (payee: string | undefined) => Promise<PayeeId>;
}
