import type { LedgerCommand, PaymentId } from '../ledger/ledger.types.ts';
import type { OnceOnly } from '../payments/payment-commands.types.ts';
import type { CardOperation, Intent, PaymentTerms } from '../payments/payments.types.ts';
import type {
  OrderId,
  OrderInstrument,
  OrderItem,
  OrderSettings,
  OrderTerms,
  OrderVersion,
  PaymentOrder,
  SplitTransaction,
} from './orders.types.ts';

/** What every command on an order has. */
export interface OrderCommand extends LedgerCommand {
  readonly orderId: OrderId;
}

/** An order that is to be made. */
export interface CreateOrderCommand extends OrderCommand, OnceOnly {
  readonly cardPaymentId: PaymentId;
  readonly operation: CardOperation;
  readonly intent: Intent | null;
  readonly currency: PaymentOrder['currency'];
  readonly amount: PaymentOrder['amount'];
  readonly vatAmount: PaymentOrder['vatAmount'];
  readonly madeIn: OrderVersion;
  readonly instrument: OrderInstrument | null;
  readonly payerReference: string | null;
  readonly terms: OrderTerms;
  readonly orderItems: readonly OrderItem[];
  readonly contentDigest: Buffer;
  /** Of the card payment. */
  readonly cardTerms: PaymentTerms;
  readonly settings: OrderSettings;
  /** Whether anything could pay it. */
  readonly canBePaid: boolean;
}

/** Where a command stands. `Known`: its reference has this effect already; `isOwn` where it is its own of an earlier run. */
export type OrderOutcome =
  | { readonly kind: 'Done'; readonly order: PaymentOrder; readonly transaction: SplitTransaction | undefined }
  | {
      readonly kind: 'Known';
      readonly orderId: OrderId;
      readonly transactionId: string | null;
      readonly isOwn: boolean;
    };
