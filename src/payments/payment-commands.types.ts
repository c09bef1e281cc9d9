import type { Answer } from '../engine/leg.types.ts';
import type { Consequence, ShownAuthentication } from '../issuers/authentication/three-ds.types.ts';
import type { Dispatch } from '../issuers/issuers.types.ts';
import type { AttemptId } from '../issuers/questions.types.ts';
import type { Refusal } from '../kit/errors.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type { CommandKind, LedgerCommand, OrderId, PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import type { MadeToken } from '../tokens/stored/make-tokens.types.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import type { CardSummary } from './cards/payment-cards.types.ts';
import type { SealedData } from './payers/sealed-payers.types.ts';
import type {
  CardOperation,
  CardPayment,
  CardTransaction,
  FollowUpType,
  Intent,
  LoadedRow,
  PaymentTerms,
  TryType,
} from './payments.types.ts';

/** References that a command takes. */
export interface OnceOnly {
  /** `<operation>:<reference>`. */
  readonly payeeReference: string | undefined;
  /** `<endpoint>:<key>`. */
  readonly idempotencyKey: string | undefined;
}

/** Where a command stands. `Known`: its reference has this effect already; `isOwn` where it is its own of an earlier run. */
export type Outcome =
  | { readonly kind: 'Done'; readonly payment: CardPayment; readonly transaction: CardTransaction | undefined }
  | { readonly kind: 'Call'; readonly payment: CardPayment; readonly transaction: CardTransaction }
  | { readonly kind: 'Calling' }
  | {
      readonly kind: 'Known';
      readonly paymentId: PaymentId;
      readonly transactionId: TransactionId | null;
      readonly isOwn: boolean;
    };

/** A payment that is to be made. */
export interface CreateCommand extends LedgerCommand, OnceOnly {
  readonly paymentId: PaymentId;
  readonly operation: CardOperation;
  readonly intent: Intent | null;
  readonly currency: Currency;
  readonly payerReference: string | null;
  readonly terms: PaymentTerms;
  /** What the payee says of the payer, sealed for the payment; undefined where that is nothing. */
  readonly payer: SealedData | undefined;
  /** Whether an acquirer could charge a card for it. */
  readonly hasAcquirer: boolean;
}

/** What a command on a payment that is there has in common with the others. */
export interface ChangeCommand extends LedgerCommand {
  readonly paymentId: PaymentId;
  /** The transaction that it makes, or that it is about; undefined where it is about none. */
  readonly transactionId?: TransactionId;
  readonly cardDigest?: Buffer;
  /** Of a card that its payee charges by itself, as accounts are found by it. */
  readonly numberDigest?: Buffer;
  /** The order that it belongs to, and that is locked; absent where it stands for itself. */
  readonly orderId?: OrderId;
}

/** An authorization or verification that is to be tried. Its `payeeReference` is that of a proof from elsewhere. */
export interface StartCommand extends ChangeCommand, OnceOnly {
  readonly transactionId: TransactionId;
  readonly attemptId: AttemptId;
  /** Undefined where no issuer decides on the card. */
  readonly dispatch: Dispatch | undefined;
  readonly type: TryType;
  readonly card: CardSummary;
  /** Of a payment of an order, tried on its page: what the payer saw. It is tried for nothing else. */
  readonly seen?: SeenSplit | undefined;
  /** The name on the card, sealed for the transaction; undefined where none was given. */
  readonly holder: SealedData | undefined;
}

/** What a payer saw when Pay was pressed: what each gift card pays of an order, and the card. Minor units. */
export interface SeenSplit {
  readonly legs: readonly { readonly legId: string; readonly amount: number }[];
  readonly card: number;
}

/** A capture, cancellation or reversal. */
export interface FollowUpCommand extends ChangeCommand, OnceOnly {
  readonly transactionId: TransactionId;
  readonly attemptId: AttemptId;
  readonly dispatch: Dispatch;
  /** The attempt that made the payment. */
  readonly originalAttemptId: AttemptId;
  readonly issuerId: string;
  readonly type: FollowUpType;
  /** Undefined for a cancellation, which takes all that is left. */
  readonly amount: AmountMinor | undefined;
  readonly vatAmount: AmountMinor | undefined;
  /** The VAT of what was authorized: captures have no more of it together. 0 in an order, which tells the VAT itself. */
  readonly vatAuthorized: AmountMinor;
  readonly description: string | null;
  /** As it was sent. */
  readonly reference: string | null;
  /** Whether the acquirer releases what a capture leaves of the hold. */
  readonly releasesRest: boolean;
  /** Why the acquirer is not to be asked. */
  readonly refusal: Refusal | undefined;
}

/** All that is left of an authorization is given up, and its acquirer is not asked. */
export interface CardRelease {
  readonly transactionId: TransactionId;
  readonly issuerId: string;
  readonly description: string | null;
}

/** The same of a payment that stands for itself. */
export interface ReleaseCommand extends ChangeCommand, CardRelease {
  readonly transactionId: TransactionId;
}

/** Another acquirer that is to be asked, in the place of one that was not. */
export interface FailOverCommand extends ChangeCommand {
  readonly transactionId: TransactionId;
  /** The attempt before, and what came of it. */
  readonly from: AttemptId;
  readonly answer: Answer;
  readonly attemptId: AttemptId;
  readonly issuerId: string;
  readonly dispatch: Dispatch;
}

/** What an issuer answered. */
export interface SettleCommand extends ChangeCommand {
  readonly transactionId: TransactionId;
  readonly attemptId: AttemptId;
  readonly answer: Answer;
  /** Set where it is the answer to a capture that was forwarded. */
  readonly from?: 'FORWARDING';
  /** The tokens that an approval makes. */
  readonly tokens: readonly MadeToken[];
  /** Of the payment that stored the card first, where an earlier one did. */
  readonly schemeTransactionId: string | undefined;
  /** How long the acquirer holds what it authorizes. */
  readonly holdSeconds: number;
  /** Of the capture that comes with the approval of an `AutoCapture`; undefined where none comes. */
  readonly captureId: TransactionId | undefined;
  /** How the try goes on once its payer has authenticated; undefined where it does not. */
  readonly sealed: SealedTry | undefined;
}

/** A card that is kept sealed for a try whose payer is to authenticate. */
export interface SealedTry {
  readonly instrumentId: InstrumentId;
  /** Another acquirer that is asked then; absent: the one that wants it. */
  readonly issuerId?: string;
}

/** What became of the payer's authentication. */
export interface FinishCommand extends ChangeCommand {
  readonly transactionId: TransactionId;
  /** Of the transaction as its authentication was found: another one means that it waits for another authentication now. */
  readonly seenAttemptId: AttemptId | null;
  readonly attemptId: AttemptId;
  /** Undefined where the card is gone. */
  readonly dispatch: Dispatch | undefined;
  readonly consequence: Consequence;
  readonly shown: ShownAuthentication;
}

export interface AbortCommand extends ChangeCommand {
  readonly reason: string;
  /** Whether its time is over: only then an expiry ends it. */
  readonly isExpiry: boolean;
}

/** A payer goes away from the page. */
export interface LeaveCommand extends ChangeCommand, OnceOnly {}

/** An issuer has confirmed that it took an attempt back. */
export interface TakenBackCommand extends ChangeCommand {
  readonly attemptId: AttemptId;
}

/** A kind of change of a payment. */
export interface ChangeKind<Command extends ChangeCommand> extends CommandKind<Command, Outcome, LoadedRow> {
  /** What it is to the order that the payment belongs to, where that treats it unlike others. */
  readonly role?: 'Try' | 'Renewal' | 'Leaving' | 'Abort';
}

/**
 * Changes a payment that belongs to a payment order: the order is locked before it, this slice's own rule decides, and what
 * the order makes of it is part of the same effect. A port: orders are above card payments, which know none.
 *
 * @throws Refusal `conflict` where its payer saw other amounts than what would be paid, and as `Submit`
 */
export type SubmitOfOrder = <Command extends ChangeCommand>(
  kind: ChangeKind<Command>,
  command: Command,
  orderId: OrderId,
) => Promise<Outcome>;
