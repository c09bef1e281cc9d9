import type { CardHistory } from '../engine/card-history/card-history.types.ts';
import { LEG_STATES, type Leg, type LegState, type StateTable } from '../engine/leg.types.ts';
import type { StoredExchange } from '../issuers/issuers.types.ts';
import type { AttemptId, Retry } from '../issuers/questions.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { Actor } from '../kit/caller.ts';
import type { CardProblemCode } from '../kit/cards/card-problems.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type { WriteName } from '../kit/row-writes.ts';
import type { OrderId, PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import type { TokenGuid, TokenType } from '../tokens/tokens.types.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import type { ShownCard } from './cards/payment-cards.types.ts';

export type CardOperation = 'Purchase' | 'Verify' | 'Recur' | 'UnscheduledPurchase';
export type Intent = 'Authorization' | 'AutoCapture';

/** What costs how much: `CreditCard`, or one brand. */
export type Price = { readonly type: string; readonly amount: number; readonly vatAmount: number };

export type PaymentUrls = {
  readonly hostUrls?: readonly string[];
  readonly completeUrl?: string;
  readonly cancelUrl?: string;
  readonly paymentUrl?: string;
  readonly callbackUrl?: string;
  readonly logoUrl?: string;
  readonly termsOfServiceUrl?: string;
};

export type PayeeInfo = {
  readonly payeeId?: string;
  readonly payeeReference?: string;
  readonly payeeName?: string;
  readonly productCategory?: string;
  readonly orderReference?: string;
  readonly subsite?: string;
};

/** Flat: no objects and no lists. */
export type Metadata = { readonly [name: string]: string | number | boolean };

/** Which cards are taken, and what is not asked of them. */
export type CardRules = {
  readonly rejectCreditCards?: boolean;
  readonly rejectDebitCards?: boolean;
  readonly rejectConsumerCards?: boolean;
  readonly rejectCorporateCards?: boolean;
  readonly no3DSecure?: boolean;
  readonly noCvc?: boolean;
  /** A mail or telephone order: its payer is not there, and cannot authenticate. */
  readonly orderedBy?: 'Mail' | 'Phone';
  readonly rejectCvcMismatch?: boolean;
  readonly rejectAddressMismatch?: boolean;
};

/** Whether a payer must agree to having the card stored for the payment to go on. */
export type TokenConsent = 'Required' | 'Optional';

/** What the payee asked for beside the columns: all that answers show, and all that a repeat is compared with. */
export type PaymentTerms = {
  readonly prices: readonly Price[];
  readonly description?: string;
  readonly userAgent?: string;
  readonly language: string;
  /** As it was sent; one that was made up is in the column alone. */
  readonly payerReference?: string;
  /** Types of the tokens that a success makes. */
  readonly generate: readonly TokenType[];
  /** As it was sent; absent, `consentOf` decides. */
  readonly tokenConsent?: TokenConsent;
  /** Of a payment that others follow by agreement: until which day (`YYYY-MM-DD`), and how many lie between two at least. */
  readonly recurring?: { readonly until: string; readonly everyDays: number };
  /** The token that is paid with, or that the page is filled in with. */
  readonly token?: string;
  readonly urls: PaymentUrls;
  readonly payeeInfo: PayeeInfo;
  readonly metadata: Metadata;
  /** Of payments of before, whose payers are not sealed yet. */
  readonly cardholder?: Cardholder;
  /** The payee has said who pays: see `payerSealed`. */
  readonly hasCardholder?: true;
  /** Its User-Agents and metadata have ended: a repeat is not compared by them. */
  readonly areCircumstancesEnded?: true;
  readonly cards: CardRules;
  /** The calling system: no part of the content. */
  readonly initiatingSystemUserAgent?: string;
};

/** What a payee knows of a payer: texts, and objects of texts. */
export type Cardholder = { readonly [name: string]: string | { readonly [name: string]: string } };

/** A card payment as it is stored. Amounts in minor units, times ISO 8601 in UTC. */
export interface CardPayment extends Omit<Leg, 'holdExpiresAt'> {
  readonly payeeId: PayeeId;
  readonly paymentId: PaymentId;
  readonly number: number;
  readonly operation: CardOperation;
  readonly intent: Intent | null;
  readonly state: 'Ready' | 'Failed' | 'Aborted';
  readonly currency: Currency;
  /** The authorization or verification that was approved. */
  readonly paidBy: TransactionId | null;
  readonly failedTries: number;
  /** Times that its payer has left the page by its cancel button. */
  readonly leaves: number;
  /** Attempts at the issuer without an answer, or that are being taken back. */
  readonly unsettled: number;
  readonly abortReason: string | null;
  readonly payerReference: string | null;
  readonly terms: PaymentTerms;
  readonly expiresAt: string;
  /** When what is left of its authorization is released; null where nothing is, where its order says so, and of payments of before. */
  readonly authorizedUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly eventSequence: number;
  /** Changes so far; guards the next one. */
  readonly version: number;
  /** The payment order whose card part it pays, and whose lock it changes under; null where it stands for itself. */
  readonly orderId: OrderId | null;
  /** What the payee has said of the payer, sealed; null where that is nothing, or it has ended. */
  readonly payerSealed: Buffer | null;
  readonly payerSealedWith: KeyId | null;
}

/** `Ready` stays so when it is paid; `Pending` while an outcome is unknown. */
export type ShownState = CardPayment['state'] | 'Pending';

/** The state of a card payment, what has become of its leg included. `Open`: it can be paid. */
export type CardState = 'Pending' | 'Open' | 'Failed' | 'Aborted' | LegState;

type StateMember =
  | Exclude<keyof Leg, 'holdExpiresAt' | 'disputed'>
  | 'state'
  | 'operation'
  | 'paidBy'
  | 'expiresAt'
  | 'now';

/** The states of a card payment, whatever an issuer still has to answer. */
export const SETTLED_CARD_STATES: StateTable<Exclude<CardState, 'Pending'>, StateMember> = [
  ['Failed', [['state'], '=', 'Failed']],
  ['Aborted', [['state'], '=', 'Aborted']],
  // The job stores it a moment later.
  ['Aborted', [['paidBy'], '=', null], [['expiresAt'], '<=', { of: 'now' }]],
  ['Open', [['paidBy'], '=', null]],
  ['Completed', [['operation'], '=', 'Verify']],
  ...LEG_STATES,
];

/** The same, `Pending` while the outcome of something is unknown. */
export const CARD_STATES: StateTable<CardState, StateMember | 'unsettled'> = [
  ['Pending', [['unsettled'], '>', 0]],
  ...SETTLED_CARD_STATES,
];

/** What can be done with a payment now. */
export type Possible =
  | 'abort'
  | 'authorize'
  | 'verify'
  | 'capture'
  | 'cancel'
  | 'reverse'
  | 'show-paid'
  | 'show-failed'
  | 'show-aborted';

export type TryType = 'Authorization' | 'Verification';
export type FollowUpType = 'Capture' | 'Cancellation' | 'Reversal';
export type TransactionType = TryType | FollowUpType;

/** A token that a payment has made, as the payment shows it. */
export type ShownToken = { readonly type: TokenType; readonly token: TokenGuid };

/** An authorization, verification, capture, cancellation or reversal. */
export interface CardTransaction {
  readonly payeeId: PayeeId;
  readonly transactionId: TransactionId;
  readonly paymentId: PaymentId;
  readonly number: number;
  readonly type: TransactionType;
  readonly state: 'Initialized' | 'Completed' | 'Failed' | 'AwaitingActivity';
  readonly amount: AmountMinor;
  readonly vatAmount: AmountMinor;
  readonly description: string | null;
  readonly payeeReference: string | null;
  readonly attemptId: AttemptId | null;
  readonly issuerId: string | null;
  readonly problem: CardProblemCode | null;
  /** The issuer's decision is not known, and it has not confirmed yet that it took the attempt back. */
  readonly takingBack: boolean;
  readonly card: ShownCard | null;
  readonly tokens: readonly ShownToken[];
  /** Types of the tokens that an approval makes. Null where that was not asked: then all that the payment names. */
  readonly tokenTypes: readonly TokenType[] | null;
  readonly cardDigest: Buffer | null;
  readonly instrumentId: InstrumentId | null;
  /** Whether its payer has chosen the card among those that were stored before. */
  readonly isStored: boolean;
  /** What a capture releases of the hold with what it takes. */
  readonly released: AmountMinor;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The name on the card, sealed; null where none was given, or it has ended. */
  readonly holderSealed: Buffer | null;
  readonly holderSealedWith: KeyId | null;
}

/** A transaction with what its issuer said to it. */
export interface AskedTransaction extends CardTransaction {
  /** Null where no issuer was asked. */
  readonly exchange: TransactionExchange | null;
}

/** What is stored of the question to an issuer, and of the answer. */
export interface TransactionExchange extends StoredExchange {
  readonly actionCode: string | null;
  readonly retry: Retry['advice'] | null;
  readonly retryAfterHours: number | null;
}

/** What a GET finds. */
export interface CardPaymentView {
  readonly payment: CardPayment;
  /** Oldest first. */
  readonly transactions: readonly AskedTransaction[];
  /** When it was looked at. */
  readonly now: string;
}

/** A payment that was read with what it is a part of: bytes are texts there. */
export interface StoredCardPayment {
  readonly payment: BytesAsText<CardPayment>;
  readonly transactions: readonly BytesAsText<AskedTransaction>[];
}

type BytesAsText<Row> = { readonly [Name in keyof Row]: Row[Name] extends Buffer | null ? string | null : Row[Name] };

/** A job that ends card payments, or their authorizations. */
export type CardPaymentJob = 'end-card-payments' | 'end-card-authorizations';

/** Names a card payment. */
export interface CardPaymentKey {
  readonly payeeId: PayeeId;
  readonly paymentId: PaymentId;
}

/** What a batch loads of a payment that it has locked. */
export interface LoadedPayment extends CardPayment, CardHistory {
  /** Times that the command's card was declined within the hour, as far as they are counted. */
  readonly declines: number;
  /** The VAT of its captures, also of those that wait for their issuer. Minor units. */
  readonly vatCaptured: AmountMinor;
  /** How many there are, also those that failed. */
  readonly captures: number;
  readonly reversals: number;
  /** The transaction that the command names, or else the one that waits for its payer; null where there is none. */
  readonly named: CardTransaction | null;
}

/** The same as its row: the members of the named transaction stand beside the payment's own, null where there is none. */
export type LoadedRow = Omit<LoadedPayment, 'named'> & {
  readonly [Member in keyof CardTransaction as `named${Capitalize<Member>}`]: CardTransaction[Member] | null;
};

/** A transaction as a change leaves it, and the state that it must be in before. */
export interface ChangedTransaction extends CardTransaction {
  readonly from: CardTransaction['state'];
}

/** Card payments that are made. */
export const NEW_CARD_PAYMENT: WriteName<CardPayment> = 'new-card-payment';
/** Card payments as changes leave them. */
export const CHANGED_CARD_PAYMENT: WriteName<CardPayment> = 'changed-card-payment';
/** Transactions of card payments that are made. */
export const NEW_CARD_TRANSACTION: WriteName<CardTransaction> = 'new-card-transaction';
/** Transactions of card payments as changes leave them. */
export const CHANGED_CARD_TRANSACTION: WriteName<ChangedTransaction> = 'changed-card-transaction';

/** A card to try a sandbox with. */
export interface TestCard {
  readonly number: string;
  readonly brand: string;
  /** `MM/YY`. */
  readonly expiry: string;
  readonly cvc: string;
  readonly needsAuthentication: boolean;
}

/** Who asks, and for whom. */
export interface Asked {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  readonly idempotencyKey: string | undefined;
}

/** A request for a capture, cancellation or reversal. */
export interface FollowUpRequest extends Asked {
  readonly paymentId: string;
  readonly type: FollowUpType;
  readonly amount: number | undefined;
  readonly vatAmount: number | undefined;
  readonly description: string | undefined;
  readonly payeeReference: string | undefined;
}

/** How a request went: what there is now. */
export interface Changed extends CardPaymentView {
  /** The transaction that it made, or that an earlier one with the same reference has made. */
  readonly transaction: AskedTransaction;
  readonly isReplay: boolean;
  /** Cards that were sealed for it, and for what it replaces: see `releaseCards`. */
  readonly leftOver: readonly InstrumentId[];
  /** The one of them with which the request has begun a try. */
  readonly tried: InstrumentId | undefined;
}
