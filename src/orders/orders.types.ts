import type { Payment } from '../accounts/account-payments.types.ts';
import type { Read, Transact } from '../db/transaction.types.ts';
import type { Leg, Remaining } from '../engine/leg.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { CardProblemCode } from '../kit/cards/card-problems.ts';
import type { Branded, PayeeId } from '../kit/ids.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type { WriteName } from '../kit/row-writes.ts';
import type { AccountId, OrderId, PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import type {
  CardOperation,
  CardPaymentView,
  CardRules,
  Intent,
  Metadata,
  PayeeInfo,
  PaymentUrls,
  StoredCardPayment,
  TransactionType,
} from '../payments/payments.types.ts';
import type { TokenContext, TokenType } from '../tokens/tokens.types.ts';

/** A leg of an order. UUID version 7. */
export type LegId = Branded<string, 'LegId'>;

/** The view that an order is shown in: three forms of one stored order. */
export type OrderVersion = '2.0' | '3.0' | '3.1';

/** A means of payment on the menu. */
export type OrderInstrument = 'CreditCard' | 'GiftCard';

export type OrderStatus = 'Initialized' | 'Paid' | 'Failed' | 'Aborted' | 'Cancelled' | 'Reversed';

/** Who did something to an order: the payee's program or user, the payer on the page, or the service by itself. */
export type Initiator = 'Payee' | 'Payer' | 'PaymentGateway';

/** Which legs a capture takes from first, or a reversal gives back to. */
export type LegOrder = 'GiftCardsFirst' | 'CardFirst';

/** A line of what is bought, as it was sent. Amounts in minor units, negative for a discount. */
export type OrderItem = {
  readonly reference: string;
  readonly name: string;
  readonly type: 'PRODUCT' | 'SERVICE' | 'SHIPPING_FEE' | 'PAYMENT_FEE' | 'DISCOUNT' | 'VALUE_CODE' | 'OTHER';
  readonly class: string;
  readonly itemUrl?: string;
  readonly imageUrl?: string;
  readonly description?: string;
  readonly discountDescription?: string;
  /** Above 0, four decimals at most. */
  readonly quantity: number;
  readonly quantityUnit: string;
  readonly unitPrice: number;
  readonly discountPrice?: number;
  /** Hundredths of a percent. */
  readonly vatPercent: number;
  readonly amount: number;
  readonly vatAmount: number;
  readonly restrictedToInstruments?: readonly string[];
};

/** What the payee asked for beside the columns: all that answers show, and all that a repeat is compared with. */
export type OrderTerms = {
  readonly description: string;
  readonly userAgent?: string;
  readonly language: string;
  readonly productName?: string;
  /** Filters and orders the menu; names that there is no instrument for were left out. */
  readonly restrictedToInstruments?: readonly OrderInstrument[];
  readonly expandFirstInstrument?: boolean;
  /** What the menu opens first, where the payee has asked for it since. */
  readonly expandedInstrument?: OrderInstrument;
  readonly disablePaymentMenu?: boolean;
  readonly disableStoredPaymentDetails?: boolean;
  readonly enablePaymentDetailsConsentCheckbox?: boolean;
  /** Types of the tokens that a success makes, of the card. */
  readonly generate: readonly TokenType[];
  /** The token that is paid with, or that the page is filled in with. */
  readonly token?: string;
  /** As it was sent; one that was made up is in the column alone. */
  readonly payerReference?: string;
  readonly urls: PaymentUrls;
  readonly payeeInfo: PayeeInfo & { readonly siteId?: string };
  readonly metadata: Metadata;
  readonly cards: CardRules;
  /** Whether gift cards are bought with it, as the payee says. */
  readonly buysGiftCards?: boolean;
  /** The calling system: no part of the content. */
  readonly initiatingSystemUserAgent?: string;
};

/** A payment order as it is stored. Amounts in minor units, times ISO 8601 in UTC. */
export interface PaymentOrder extends Pick<Leg, 'captured' | 'cancelled' | 'reversed'> {
  readonly payeeId: PayeeId;
  readonly orderId: OrderId;
  readonly number: number;
  readonly operation: CardOperation;
  /** Null for a Verify. */
  readonly intent: Intent | null;
  readonly status: OrderStatus;
  readonly currency: Currency;
  /** What is to be paid; 0 for a Verify. */
  readonly amount: AmountMinor;
  readonly vatAmount: AmountMinor;
  readonly reservedHold: AmountMinor;
  readonly reservedReversal: AmountMinor;
  /** The card payment that a card pays its part by, and that the page runs on. */
  readonly cardPaymentId: PaymentId;
  readonly paidBy: TransactionId | null;
  /** Tries and transactions whose outcome is unknown. */
  readonly unsettled: number;
  readonly failedTries: number;
  readonly abortReason: string | null;
  readonly cancelReason: string | null;
  readonly problem: CardProblemCode | null;
  readonly madeIn: OrderVersion;
  readonly integration: 'Redirect' | 'HostedView' | null;
  /** The only means that the page offers, in instrument mode. */
  readonly instrument: OrderInstrument | null;
  readonly payerReference: string | null;
  readonly terms: OrderTerms;
  readonly orderItems: readonly OrderItem[];
  /** SHA-256 of what creating it was asked for, which a repeat is compared with. */
  readonly contentDigest: Buffer;
  readonly expiresAt: string;
  /** When the holds of gift cards go back; null where nothing is held. */
  readonly heldUntil: string | null;
  /** When all that is left is cancelled; null where nothing is authorized. */
  readonly authorizedUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly eventSequence: number;
  readonly historyCount: number;
  /** Changes so far; guards the next one. */
  readonly version: number;
}

/**
 * What one issuer pays of an order. `Added`: known, and nothing is held. `Released`: it is none any more, and its hold has
 * gone back.
 */
export interface OrderLeg {
  readonly payeeId: PayeeId;
  readonly legId: LegId;
  readonly orderId: OrderId;
  readonly position: number;
  readonly kind: 'Account' | 'Card';
  readonly state: 'Added' | 'Held' | 'Authorized' | 'Released';
  /** Null for a card. */
  readonly accountId: AccountId | null;
  /** The account payment of the present hold, or the card payment. */
  readonly paymentId: PaymentId | null;
  readonly instrumentType: 'giftcard' | 'prepaid' | 'creditcard';
  /** The masked number. */
  readonly name: string;
  /** What is held of it or approved. */
  readonly amount: AmountMinor;
  /** The version of the account's code that was compared. */
  readonly cvcSequence: number | null;
  readonly addedAt: string;
  readonly updatedAt: string;
}

/** A leg with the amounts of the payment that it stands for: zeros while there is none. */
export interface LegWithAmounts extends OrderLeg {
  readonly amounts: Leg;
}

/** Transactions of an order by their types, each with what the payment of a leg calls it. */
export const TYPES_ON_LEGS = {
  Authorization: 'Authorization',
  Sale: 'Authorization',
  Verification: 'Verification',
  Capture: 'Capture',
  Cancellation: 'Cancellation',
  Reversal: 'Reversal',
} as const satisfies Readonly<Record<string, TransactionType>>;

export type OrderTransactionType = keyof typeof TYPES_ON_LEGS;

/** What of a transaction falls on one leg. */
export interface OrderPart {
  readonly legId: LegId;
  readonly amount: AmountMinor;
  readonly released: AmountMinor;
  /** Its transaction in the leg's own table; of an authorization of an account, the account payment. */
  readonly ownId: string;
}

/** An authorization, sale, verification, capture, cancellation or reversal of a whole order. */
export interface OrderTransaction {
  readonly payeeId: PayeeId;
  readonly transactionId: TransactionId;
  readonly orderId: OrderId;
  readonly number: number;
  readonly type: OrderTransactionType;
  readonly state: 'Initialized' | 'Completed' | 'Failed';
  readonly amount: AmountMinor;
  readonly vatAmount: AmountMinor;
  readonly description: string | null;
  readonly payeeReference: string | null;
  readonly receiptReference: string | null;
  readonly orderItems: readonly OrderItem[] | null;
  readonly initiatedBy: Initiator;
  readonly problem: CardProblemCode | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A transaction with its parts, in the order of the legs. */
export interface SplitTransaction extends OrderTransaction {
  readonly parts: readonly OrderPart[];
}

export type HistoryName =
  | 'PaymentCreated'
  | 'PaymentUpdated'
  | 'PaymentLoaded'
  | 'PaymentInstrumentSet'
  | 'PaymentInstrumentSelected'
  | 'PaymentGiftCardAdded'
  | 'PaymentGiftCardRemoved'
  | 'PaymentAttemptStarted'
  | 'PaymentAttemptAborted'
  | 'PaymentAttemptFailed'
  | 'PaymentPaid'
  | 'PaymentAborted'
  | 'PaymentExpired'
  | `Payment${'' | 'Partially'}${'Captured' | 'Cancelled' | 'Reversed'}${'' | 'Failed'}`;

/** Something that happened to an order. */
export interface HistoryEntry {
  readonly position: number;
  readonly name: HistoryName;
  readonly initiatedBy: Initiator;
  readonly instrument: OrderInstrument | null;
  readonly number: number | null;
  readonly amount: AmountMinor | null;
  readonly isPrefilled: boolean | null;
  readonly createdAt: string;
}

/** What a payee has settled about its orders, the defaults filled in. */
export interface OrderSettings {
  /** Undefined: where the payee has a product or stored-value account in the currency. */
  readonly giftCardsOnPage: boolean | undefined;
  readonly giftCardsBuyGiftCards: boolean;
  /** Minutes that gift cards stay held for a payer: 5 to 60. */
  readonly holdMinutes: number;
  /** Days that an authorization of our own ledger stands: 1 to 180. */
  readonly orderHoldDays: number;
  /** Hours that an order waits to be paid: 1 to 672. */
  readonly unpaidHours: number;
  /** Minor units: the least that a card is asked for. */
  readonly smallestCardAmount: AmountMinor;
  readonly captureOrder: LegOrder;
  readonly reversalOrder: LegOrder;
}

/** What a payee has set itself about its orders: a setting that is missing or null has its default. */
export type OwnOrderSettings = { readonly [Name in keyof OrderSettings]?: OrderSettings[Name] | null };

/** Which payee, and what its orders are in. */
export interface OfferKey {
  readonly payeeId: PayeeId;
  readonly currency: Currency;
}

/** What a payee offers to pay its orders in a currency with. */
export interface PayeeOffer {
  readonly settings: OrderSettings;
  /** Whether it sells gift cards in the currency, or has an account of stored value: a gift card, or a prepaid account. */
  readonly hasGiftCards: boolean;
  /** Whether it limits what is spent with gift cards. */
  readonly limitsGiftCards: boolean;
}

/** The same as it is stored. */
export interface StoredOffer extends OwnOrderSettings, Pick<PayeeOffer, 'hasGiftCards' | 'limitsGiftCards'> {}

/** Names an order. */
export interface OrderKey {
  readonly payeeId: PayeeId;
  readonly orderId: OrderId;
}

/** What is known of the payer of an order who was not erased. */
export interface SealedPayer extends OrderKey {
  readonly sealed: Buffer;
  readonly sealedWith: KeyId;
}

/** What a GET finds. */
export interface OrderView {
  readonly order: PaymentOrder;
  /** In menu order; what was released is left out. */
  readonly legs: readonly LegWithAmounts[];
  /** Of the last leg, also where that was released; 0 where there was none. */
  readonly lastPosition: number;
  /** Oldest first. */
  readonly transactions: readonly SplitTransaction[];
  /** The card payment of the order, with its tries. */
  readonly card: CardPaymentView;
  /** What can still be done with all legs together. */
  readonly remaining: Remaining;
  /** When it was looked at. */
  readonly now: string;
}

/** An order as a change has left it, where the change was none of its card payment. */
export interface OrderAfter extends Pick<OrderView, 'order' | 'legs'> {
  /** The one that the change has made. */
  readonly transaction: SplitTransaction | undefined;
}

/** An order as it is stored, with all that belongs to it, and the present instant. */
export interface StoredOrder extends PaymentOrder {
  readonly legs: readonly StoredLeg[];
  readonly card: StoredCardPayment;
  readonly transactions: readonly SplitTransaction[];
  readonly now: string;
}

/** The payment of a page, and its order as it is stored; members of that are null where it pays a part of none. */
export type StoredAtPage = (StoredOrder | ({ readonly orderId: null } & Pick<StoredOrder, 'card' | 'now'>)) & {
  /** Whether its payee takes payments. */
  readonly isOpen: boolean;
};

/** A leg with what it holds of a gift card; null while it holds nothing, and of a card. */
export interface StoredLeg extends OrderLeg {
  readonly held: (Leg & Pick<Payment, 'state'>) | null;
}

/** Where the money of a gift card is. */
export interface Successor {
  readonly accountId: AccountId;
  /** Itself, where it was not merged or replaced. */
  readonly target: AccountId;
  /** Whether that has ended too: it was swept or voided. */
  readonly isClosed: boolean;
}

/** What commands about orders need. */
export interface OrderService {
  readonly read: Read;
  readonly transact: Transact;
  readonly whichPayee: (payee: string | undefined) => Promise<PayeeId>;
}

/** What commands about payers need. */
export interface PersonService extends OrderService {
  readonly person: TokenContext & { readonly read: Read };
}

/** A part as its row. */
export interface OrderPartRow extends OrderPart {
  readonly payeeId: PayeeId;
  readonly transactionId: TransactionId;
}

/** An entry of a history as its row. */
export interface HistoryRow extends HistoryEntry, OrderKey {}

/**
 * What a batch reads of an order as it locks it. Of the version that its command has seen all is as it was seen, but for what
 * visits of its page note.
 */
export type LockedOrderRow = Pick<PaymentOrder, 'version' | 'integration' | 'historyCount' | 'updatedAt'>;

/** Orders that are made. */
export const NEW_ORDER: WriteName<PaymentOrder> = 'new-order';
/** Orders as changes leave them. */
export const CHANGED_ORDER: WriteName<PaymentOrder> = 'changed-order';
/** Of orders that have changed: what is asked for is another. */
export const OTHER_TERMS: WriteName<PaymentOrder> = 'other-terms-of-order';
/** Legs that are added. */
export const NEW_LEG: WriteName<OrderLeg> = 'new-leg';
/** Legs as changes leave them. */
export const CHANGED_LEG: WriteName<OrderLeg> = 'changed-leg';
/** Transactions of orders that are made. */
export const NEW_ORDER_TRANSACTION: WriteName<OrderTransaction> = 'new-order-transaction';
/** Their parts. */
export const NEW_PART: WriteName<OrderPartRow> = 'new-part';
/** Transactions of orders that waited for an issuer. */
export const ENDED_ORDER_TRANSACTION: WriteName<OrderTransaction> = 'ended-order-transaction';
/** What is noted in histories of orders. */
export const HISTORY_ENTRY: WriteName<HistoryRow> = 'history-entry';
/** What is known of payers of new orders. */
export const PAYER_OF_ORDER: WriteName<SealedPayer> = 'payer-of-order';

/** Gift cards and prepaid accounts that may pay one order. */
export const GIFT_CARDS_OF_ORDER = 3;
