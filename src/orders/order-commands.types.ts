import type { Refusal } from '../kit/errors.ts';
import type { AmountMinor } from '../kit/money.ts';
import type {
  Account,
  AccountId,
  LedgerCommand,
  OrderId,
  PaymentId,
  RowName,
  TransactionId,
} from '../ledger/ledger.types.ts';
import type { PageOutcome } from '../payments/page/page.types.ts';
import type {
  FollowUpCommand as CardFollowUpCommand,
  Outcome as CardOutcome,
  CardRelease,
  ChangeCommand,
  OnceOnly,
  SeenSplit,
} from '../payments/payment-commands.types.ts';
import type { CardOperation, CardPayment, Intent, PaymentTerms } from '../payments/payments.types.ts';
import type {
  Initiator,
  OrderAfter,
  OrderInstrument,
  OrderItem,
  OrderSettings,
  OrderTerms,
  OrderVersion,
  OrderView,
  PaymentOrder,
  SealedPayer,
} from './orders.types.ts';
import type { FollowUpOfOrder, Share } from './split.rules.ts';

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
  readonly sealedPayer: SealedPayer | undefined;
}

/** Where a command stands. `Known`: its reference has this effect already; `isOwn` where it is its own of an earlier run. */
export type OrderOutcome =
  | { readonly kind: 'Done'; readonly order: PaymentOrder; readonly payment: CardPayment }
  | {
      readonly kind: 'Known';
      readonly orderId: OrderId;
      readonly transactionId: string | null;
      readonly isOwn: boolean;
    };

/** What every command on an order that there is has in common with the others. */
export interface ChangeOrderCommand extends OrderCommand {
  /** Its card payment. */
  readonly paymentId: PaymentId;
  /** The transaction of that which it makes, or is about. */
  readonly transactionId?: TransactionId;
  readonly cardDigest?: Buffer;
  readonly numberDigest?: Buffer;
  /** The order that was read: where it has changed since, other accounts may have to be locked. */
  readonly view: OrderView;
  /** Of its legs, and those that money goes back to. */
  readonly accountIds: readonly AccountId[];
  /** The sums that its gift cards count to while it is unpaid, by account. */
  readonly turnovers: Readonly<Record<string, readonly string[]>>;
  /** The payments of its legs, and their transactions that wait; and those sums. */
  readonly rows: readonly RowName[];
  /** Accounts that money goes back to, of legs whose own has ended: by leg. */
  readonly targets: Readonly<Record<string, AccountId>>;
  /** Legs whose money has nowhere to go back to: their account, and those that it led to, have ended. */
  readonly ended: readonly string[];
  /** For the rows that it makes. */
  readonly ids: readonly string[];
  readonly settings: OrderSettings;
  readonly initiatedBy: Initiator;
}

/** A command on the card payment of an order, as card payments made it. */
export interface CardOfOrderCommand<Card extends ChangeCommand = ChangeCommand> extends ChangeOrderCommand {
  readonly card: Card;
  /** How long an authorization of an acquirer stands, in seconds. */
  readonly holdSecondsOf: (issuerId: string) => number;
}

/** Pay with gift cards alone. */
export interface PayOrderCommand extends ChangeOrderCommand, OnceOnly {
  readonly seen: SeenSplit;
}

/** A gift card that was judged. */
export interface AddLegCommand extends ChangeOrderCommand {
  readonly account: Pick<Account, 'accountId' | 'instrument' | 'numberMasked' | 'cvcSequence'>;
}

/** A gift card that goes off the order. */
export interface RemoveLegCommand extends ChangeOrderCommand {
  readonly legId: string;
}

/** New terms of an unpaid order. */
export interface UpdateOrderCommand extends ChangeOrderCommand {
  readonly amount: PaymentOrder['amount'];
  readonly vatAmount: PaymentOrder['vatAmount'];
  readonly orderItems: readonly OrderItem[];
  readonly terms: OrderTerms;
}

/** A capture, cancellation or reversal over the legs. */
export interface FollowUpOrderCommand extends ChangeOrderCommand, OnceOnly {
  readonly transactionId: TransactionId;
  readonly type: FollowUpOfOrder;
  readonly shares: readonly Share[];
  /** Why it cannot be split, unless its reference is known. */
  readonly refusal: Refusal | undefined;
  readonly vatAmount: AmountMinor;
  readonly description: string | null;
  readonly reference: string | null;
  readonly receiptReference: string | null;
  readonly orderItems: readonly OrderItem[] | null;
  /** Of the card part; undefined where none falls on the card, or its acquirer is not asked. */
  readonly card: CardFollowUpCommand | undefined;
  /** The same of a cancellation that its acquirer cannot be asked for. */
  readonly released: CardRelease | undefined;
}

/** Where a change of an order stands. `Stale`: the order has changed since it was read. */
export type ChangeOutcome =
  | { readonly kind: 'Stale' }
  | {
      readonly kind: 'Done';
      readonly outcome: PageOutcome;
      /** The order as it is then, where this is all that has changed of what was seen. */
      readonly after?: OrderAfter;
    }
  | Extract<OrderOutcome, { kind: 'Known' }>;

/** Where what follows a payment stands. `Call`: the acquirer is to be asked for the card part. */
export type FollowUpOutcome =
  | { readonly kind: 'Stale' }
  /** `after`: the order as it is then, where no card has a part in it. */
  | { readonly kind: 'Done'; readonly after: OrderAfter | undefined }
  | { readonly kind: 'Call'; readonly card: Extract<CardOutcome, { kind: 'Call' }> }
  | Extract<OrderOutcome, { kind: 'Known' }>;
