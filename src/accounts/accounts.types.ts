import type { Find, Transact } from '../db/transaction.types.ts';
import type { Renewal } from '../engine/card-history/card-history.types.ts';
import type { Answer, ResultKind } from '../engine/leg.types.ts';
import type { Asker, Dispatch, StoredExchange } from '../issuers/issuers.types.ts';
import type { AttemptId } from '../issuers/questions.types.ts';
import type { Actor } from '../kit/caller.ts';
import type { Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type { WriteName } from '../kit/row-writes.ts';
import type { Secret } from '../kit/secret.ts';
import type { Kontor } from '../kontor.types.ts';
import type { LedgerLookUps } from '../ledger/accounts/ledger-reads.types.ts';
import type {
  Account,
  AccountId,
  AccountKey,
  LedgerCommand,
  PaymentId,
  PaymentKey,
  PaymentOperation,
  Submit,
  TransactionId,
  TransactionKey,
  TransactionOperation,
} from '../ledger/ledger.types.ts';
import type { AttemptSubject } from '../merchants/merchants.types.ts';
import type { Payment, PaymentTransaction } from './account-payments.types.ts';
import type { Rest, StoppedByLimit } from './turnover/turnover.types.ts';

/** What a request says of the card or account, as it came: everything secret is wrapped. */
export interface SentIdentifier {
  readonly accountId: string | undefined;
  readonly accountKey: Secret | undefined;
  readonly cvc: SentCode | undefined;
  readonly securityCode: SentCode | undefined;
  readonly encryptedPin: Secret | undefined;
  /** `MM/YY`. */
  readonly expiryDate: string | undefined;
  readonly track2: Secret | undefined;
}

/** A verification code. One that came as a number has lost its leading zeros. */
export interface SentCode {
  readonly digits: Secret;
  readonly cameAsNumber: boolean;
}

/** What the edge found out about the card: it travels instead of the card. */
export interface CardVerdict {
  /** Whether the number is the one of the account in the path. */
  readonly numberMatches: boolean;
  /** `Unchecked`: there is nothing of ours to check it with; the issuer does. */
  readonly code: 'Matches' | 'Wrong' | 'NotSent' | 'Unchecked';
  /** `YYYY-MM`, of `expiryDate` or else of track 2. */
  readonly expiryMonth: string | undefined;
}

/** Where a payment is made. */
export type Merchant = { readonly merchantName: string; readonly terminalId?: string };

/** A line of a purchase, as stored. */
export type Product = {
  readonly productId: string;
  readonly amount: number;
  readonly quantity?: number;
  readonly unitOfMeasure?: string;
  readonly vatAmount?: number;
  readonly vatRate?: number;
  readonly description?: string;
};

/** What a request says beside money and references: what is compared when its reference comes again. */
export type Words = {
  readonly description?: string;
  readonly additionalData?: string;
  readonly merchant?: Merchant;
  readonly products?: readonly Product[];
};

/** Where a request came from: stored, and no part of its content. */
export type Circumstances = {
  /** Instant of the `Transmission-Time` header; without one the time of receipt is shown. */
  readonly transmissionTime?: string;
  readonly userAgent?: string;
  readonly payerAddress?: string;
};

/** The members of `accountIdentifier` that were sent, masked. */
export type MaskedIdentifier = {
  readonly accountId?: string;
  readonly accountKey?: string;
  readonly cvc?: string;
  readonly encryptedPin?: string;
  readonly expiryDate?: string;
  readonly securityCode?: string;
  readonly track2?: string;
};

/** What is stored of a payment beside its columns: all that its answers show, and all that a repeat is compared with. */
export type PaymentEcho = {
  readonly accountIdentifier: MaskedIdentifier;
  readonly words: Words;
  readonly circumstances: Circumstances;
  readonly allowedProductIds: readonly string[];
  readonly issuer: string;
  /** Of the card that was sent, for comparing: whether it was the account's, its masked number, its expiry. */
  readonly card: { readonly matches: boolean; readonly numberMasked: string; readonly expiryMonth: string | null };
  /** Whether the payee named no order: then what follows the payment up may name any. */
  readonly hasNoOrder?: true;
};

/** The same of a capture, cancel or reversal. */
export type TransactionEcho = {
  readonly words: Words;
  readonly circumstances: Circumstances;
  readonly currency: Currency;
  readonly issuer: string;
  readonly cancelRemainingAuth: boolean;
  readonly block?: true;
};

/** A request that makes a payment, ready for the queue: without cvc, track 2 and PIN. */
export interface NewPaymentCommand extends LedgerCommand {
  readonly operation: PaymentOperation;
  readonly accountId: AccountId;
  /** Of the payment that it will be. */
  readonly paymentId: PaymentId;
  readonly amount: AmountMinor;
  readonly currency: Currency;
  readonly paymentOrderRef: string;
  readonly paymentTransactionRef: string;
  readonly repeat: boolean;
  readonly verdict: CardVerdict;
  readonly echo: PaymentEcho;
  readonly holdSeconds: number;
  /** Set where an external issuer has to be asked: names the attempt. */
  readonly attempt: NamedAttempt | undefined;
  /** The sums that it counts to; see `turnover/`. */
  readonly turnovers: readonly string[];
  /** The card that an acquirer is to charge; undefined where none is asked, or money is given. */
  readonly charged: ChargedCard | undefined;
}

/** A card as what issuers have said of it is known by. */
export interface ChargedCard {
  readonly cardDigest: Buffer;
  readonly brand: string | undefined;
}

/** A command that is about a card which an acquirer charges. */
export type ChargingCommand = Pick<NewPaymentCommand, 'payeeId' | 'accountId'> &
  Partial<Pick<NewPaymentCommand, 'charged'>>;

/** A capture, cancel or reversal, ready for the queue. */
export interface FollowUpCommand extends LedgerCommand {
  readonly operation: TransactionOperation;
  readonly accountId: AccountId;
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
  /** Undefined for a cancel, which takes all that is left. */
  readonly amount: AmountMinor | undefined;
  readonly paymentOrderRef: string;
  readonly paymentTransactionRef: string;
  readonly repeat: boolean;
  readonly cancelRemainingAuth: boolean;
  /** Whether a capture releases what it leaves of the hold: it was asked for, or the issuer does so by itself. */
  readonly releasesRest: boolean;
  /** Whether the card is blocked where a deposit on it is reversed. */
  readonly block: boolean;
  readonly words: Words;
  readonly circumstances: Circumstances;
  /** Set where an external issuer has to be asked: names the attempt. */
  readonly attempt: NamedAttempt | undefined;
  /** Why the issuer is not to be asked. */
  readonly refusal: Refusal | undefined;
}

/** An attempt that is about to be made. */
export interface NamedAttempt {
  readonly attemptId: AttemptId;
  readonly issuerId: string;
  readonly dispatch: Dispatch;
  /** The attempt that made the payment; null for that itself. */
  readonly originalAttemptId: AttemptId | null;
}

/** Another acquirer for a payment, because the one before was not asked, ready for the queue. */
export interface FailOverCommand extends LedgerCommand {
  readonly accountId: AccountId;
  readonly paymentId: PaymentId;
  /** The attempt before, and what is known of it. */
  readonly from: NamedAttempt;
  readonly answer: Answer;
  readonly attempt: NamedAttempt;
}

/** The answer of an issuer, or that there was none, ready for the queue. */
export interface SettleAttemptCommand extends LedgerCommand {
  readonly attemptId: AttemptId;
  /** Who was asked. No acquirer is asked twice for a payment. */
  readonly issuerId: string;
  readonly accountId: AccountId;
  readonly paymentId: PaymentId;
  /** The capture, cancel or reversal that was asked for; null where it was the payment itself. */
  readonly transactionId: TransactionId | null;
  readonly answer: Answer;
  /** Set where it is the answer to a capture that was forwarded. */
  readonly from?: 'FORWARDING';
  readonly holdSeconds: number;
  /** Tells the issuer what a capture releases of the hold; undefined where it releases nothing, or the issuer knows. */
  readonly release: NamedAttempt | undefined;
  /** Set where it is the answer to the charge of a card: it counts for later ones. */
  readonly charged?: ChargedCard | undefined;
}

/** A look-up by number that finds nothing: what was sent is no card's, or not all of it is one card's. */
export interface FailedLookUp {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  /** Of the number, under a key. */
  readonly numberDigest: Buffer;
  /** Whether the number is a card's, and its code or expiry was sent and is wrong. */
  readonly isWrong: boolean;
}

/** Numbers that were asked for and are no card's. */
export const UNKNOWN_NUMBER: WriteName<AttemptSubject> = 'unknown-number';

/** A look-up that found nothing, outside of a payment. */
export interface NoteFailureCommand extends LedgerCommand, FailedLookUp {
  /** Undefined: no card has the number. */
  readonly accountId: AccountId | undefined;
}

/** A question for what a reference stands for. */
export interface LookUpCommand extends LedgerCommand {
  readonly reference: string;
  /** Stands in the place of a payment's id while the reference is asked for. */
  readonly unusedId: PaymentId;
}

/** How a request that makes a payment went: what there is now. */
export interface PaymentResult {
  readonly payment: Payment;
  readonly kind: ResultKind;
}

/** How a capture, cancel or reversal went, with the payment as it is now. */
export interface TransactionResult extends TransactionView {
  readonly kind: ResultKind;
}

/** What an attempt was about, after its answer. `transaction` is undefined where it was the payment itself. */
export interface SettledAttempt {
  readonly payment: Payment;
  readonly transaction: PaymentTransaction | undefined;
}

/** What a GET of a payment finds. */
export interface PaymentView {
  readonly payment: Payment;
  /** Captures and reversals, oldest first. */
  readonly transactions: readonly PaymentTransaction[];
  readonly cancellations: readonly PaymentTransaction[];
}

/** What a GET of a capture, cancel or reversal finds. */
export interface TransactionView {
  readonly transaction: PaymentTransaction;
  readonly payment: Payment;
}

/** What an answer about a balance shows of an account. */
export type BalanceAccount = Account;

/** What became of a reference. */
export type LookedUp =
  | { readonly status: 'notSeen' | 'inProgress' }
  | { readonly status: 'done'; readonly payment: Payment }
  | ({ readonly status: 'done' } & TransactionView);

/** Reads of account payments outside of a batch: what was committed last. */
export interface PaymentLookUps {
  readonly payment: Find<PaymentKey, Payment>;
  readonly transaction: Find<TransactionKey, PaymentTransaction>;
  /** The captures, cancels and reversals of a payment, oldest first. */
  transactionsOf(payment: PaymentKey): Promise<readonly PaymentTransaction[]>;
}

/** What the verbs of this slice need; it lives as long as the service. */
export interface AccountsContext extends Kontor, Asker {
  /** Whether a card may be tried again at once, whatever its issuer has said. */
  readonly isSandbox: boolean;
  readonly submit: Submit;
  readonly lookUps: LedgerLookUps & PaymentLookUps;
  /** The question that made a payment; undefined where no issuer was asked. */
  readonly originalExchange: Find<PaymentKey, StoredExchange>;
  /** Brings what issuers have said of a card under the key of now: see `renewVerdicts`. */
  readonly renewVerdicts: (renewal: Renewal) => Promise<void>;
  /** Puts off the end of the digest that a card's account is found by: see `findAccountByNumber`. */
  readonly renewNumber: (named: { readonly payeeId: PayeeId; readonly number: Secret }) => Promise<void>;
  /** The sums that a gift card counts to; none where the account is something else, or its product has no limits. */
  readonly turnoversOf: (account: AccountKey) => Promise<readonly string[]>;
  /** What limits leave of a gift card to be spent now; none where it has none. */
  readonly restsToSpend: (account: AccountKey) => Promise<readonly Rest[]>;
  /** Tells the payee that a limit has stopped something. */
  readonly noteLimitReached: (stopped: StoppedByLimit) => Promise<void>;
  /** Resolves after so many milliseconds. */
  readonly pause: (durationMs: number) => Promise<void>;
}

/** What a request that makes a payment asks for, before the card was looked at. */
export interface NewPayment {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  /** As the path has it. */
  readonly paymentAccountId: string;
  readonly operation: PaymentOperation;
  readonly amount: number;
  readonly currency: string;
  readonly paymentOrderRef: string;
  readonly paymentTransactionRef: string;
  readonly repeat: boolean;
  readonly words: Words;
  readonly circumstances: Circumstances;
  readonly identifier: SentIdentifier;
}

/** What a capture, cancel or reversal asks for. */
export interface FollowUp {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  readonly paymentAccountId: string;
  /** As the path has it; a reversal may also name a capture. */
  readonly paymentId: string;
  readonly operation: TransactionOperation;
  readonly amount: number | undefined;
  readonly paymentOrderRef: string;
  readonly paymentTransactionRef: string;
  readonly repeat: boolean;
  readonly cancelRemainingAuth: boolean;
  readonly block: boolean;
  readonly words: Words;
  readonly circumstances: Circumstances;
}

/** What the routes of this slice are made with. */
export interface AccountRoutesOptions {
  readonly transact: Transact;
  readonly context: AccountsContext;
  readonly baseUrl: () => string;
  /** Whether look-ups of unknown numbers from this address are not counted. */
  readonly isExempt: (address: string) => boolean;
}
