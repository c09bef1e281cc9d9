import type { PayeeId } from '../kit/ids.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type { WriteName } from '../kit/row-writes.ts';
import type { RowOfWork } from '../kit/work/background.ts';
import type { PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import type { HeldCard, HoldName } from '../vault/vault.types.ts';
import type { Acquirer, AcquirerOperation, Agreement, TerminalChannel } from './acquirers/acquirers.types.ts';
import type { Route, Wanted } from './acquirers/routing.rules.ts';
import type { AttemptId, Exchange, IssuerAnswer, IssuerHost, Kept, Retry, TakeBackReason } from './questions.types.ts';

/** What an answer tells of the one who decides on an account. */
export interface IssuerTerms {
  /** Names the issuer in the tables, for ever. */
  readonly issuerId: string;
  readonly issuerName: string;
  readonly acquirerId: string;
  readonly acquirerName: string;
  /** Whether the issuer settles with the payee. */
  readonly settlementProvided: boolean;
  /** How long an authorization holds. */
  readonly holdSeconds: number;
}

/**
 * Who decides on accounts whose numbers begin so. Without a `host` our own ledger decides, within the batch that locks
 * the account.
 */
export interface Issuer extends IssuerTerms {
  readonly prefixes: readonly string[];
  readonly host: IssuerHost | undefined;
  /** How long its host is waited for. */
  readonly limits: AcquirerLimits;
  /** What it can be asked for. */
  readonly operations: readonly AcquirerOperation[];
  readonly captures: Acquirer['captures'];
  readonly needCard: Acquirer['needCard'];
  readonly failoverCodes: Acquirer['failoverCodes'];
  readonly forwardHours: Acquirer['forwardHours'];
  readonly exemptions: Acquirer['exemptions'];
  readonly exemptionLimits: Acquirer['exemptionLimits'];
  /** Under what a payee's cards are charged there; none of our own ledger. */
  agreementsOf(payeeId: PayeeId): readonly Agreement[];
  /** Whether a line to it takes questions now. */
  isReady(): boolean;
}

/** An issuer elsewhere that may be asked, and the agreement under which. */
export interface IssuerRoute extends Route {
  readonly issuer: Issuer;
}

/** Milliseconds: see `Acquirer`. */
export type AcquirerLimits = Pick<Acquirer, 'sendMs' | 'answerMs'>;

/** What a message opens, or follows: hosts know a payment by its terminal too. */
export type MessageAbout = { readonly channel: TerminalChannel } | Pick<Exchange, 'terminalId' | 'retrievalReference'>;

/** What asking an issuer needs. */
export interface Asker {
  readonly issuers: Issuers;
  /** Does work that must be done in so many milliseconds: rejects then, and aborts the signal. */
  readonly withDeadline: <Result>(
    durationMs: number,
    work: (signal: AbortSignal) => Promise<Result>,
  ) => Promise<Result>;
  /** The present instant by this machine's clock, ISO 8601 in UTC. */
  readonly now: () => string;
  /** Names a new message: at a terminal for the channel, or about an earlier one, at its terminal and with its reference. */
  readonly newExchange: (agreement: Agreement, about: MessageAbout) => Promise<Exchange>;
  /** Holds a card sealed, for what follows the payment that the attempt makes. */
  readonly holdCard: (held: HoldName & HeldCard) => Promise<void>;
  /** Opens it; undefined where it is held no more. */
  readonly openHeldCard: (name: HoldName) => Promise<HeldCard | undefined>;
  /** What the acquirer has to be told first of the payment that an attempt is about. */
  readonly aheadOf: (attempt: Pick<Attempt, 'payeeId' | 'attemptId'>) => Promise<Ahead>;
}

/** What an acquirer still has to be told of a payment. What is told later must not overtake it. */
export interface Ahead {
  /** Something is being taken back. */
  readonly isTakingBack: boolean;
  /** A cancel or a capture is being forwarded. */
  readonly isForwarding: boolean;
  /** A capture is: its outcome is not known. */
  readonly isCaptureKept: boolean;
}

/** How a question is sent: decided before its attempt is stored, and stored with it. */
export interface Dispatch {
  readonly agreement: Agreement;
  readonly exchange: Exchange;
  readonly limits: AcquirerLimits;
  /** How the card came; what follows a payment has that of the payment. Null where that is not known. */
  readonly pointOfService: string | null;
  /** What the payment wants its payer to read on the statement; undefined where it says nothing. */
  readonly descriptor: string | undefined;
}

/** What the answer to an exchange said, or that there was none. */
export interface ExchangeAnswer {
  /** Of an advice that is told again: `Stored` where it was not sent, `Silent` where that is not known, `Forwarded` where it was. */
  readonly state: 'Stored' | 'NotSent' | 'Forwarded' | 'Answered' | 'Silent';
  readonly actionCode: string | null;
  readonly schemeCode: string | null;
  readonly approvalCode: string | null;
  /** Where it is a part of what was asked for. */
  readonly approvedAmount: AmountMinor | null;
  readonly acquirerReference: string | null;
  readonly schemeTransactionId: string | null;
  readonly retry: Retry['advice'] | null;
  readonly retryAfterHours: number | null;
  /** `YYYY-MM-DD`. */
  readonly businessDay: string | null;
  /** Of a capture that is kept to be forwarded. */
  readonly kept: Pick<Kept, 'releasedAmount' | 'sequence'> | null;
}

/** An exchange as it is stored. */
export interface StoredExchange extends Exchange {
  readonly attemptId: AttemptId;
  readonly agreementId: string;
  readonly operation: AcquirerOperation;
  readonly amount: AmountMinor;
  readonly currency: Currency;
  readonly originalAttemptId: AttemptId | null;
  readonly state: ExchangeAnswer['state'] | 'Abandoned';
  readonly approvalCode: string | null;
  readonly approvedAmount: AmountMinor | null;
  readonly schemeTransactionId: string | null;
  /** How the card came; null of exchanges from before it was stored. */
  readonly pointOfService: string | null;
  /** As it was sent; null where the payment says nothing, and of exchanges from before it was stored. */
  readonly descriptor: string | null;
  /** When the acquirer answered; of a take-back and of an advice, when it said first that it does not know what they are about. */
  readonly answeredAt: string | null;
  /** Of a take-back: why. */
  readonly reason: TakeBackReason | null;
  /** Of a capture that was kept to be forwarded: which one of its payment, and what it releases. Null of all else. */
  readonly captureNumber: number | null;
  readonly isLastCapture: boolean | null;
  readonly releasedAmount: AmountMinor | null;
}

/** An answer that no question of this process waits for, as it names the question. */
export interface LateAnswer {
  readonly acquirerId: string;
  readonly terminalId: string;
  readonly stan: string;
  /** YYMMDDhhmmss in the zone (ISO 8583, field 12). */
  readonly sentAt: string;
  readonly timeZone: string;
}

/** All issuers of an installation. */
export interface Issuers {
  readonly all: readonly Issuer[];
  /**
   * Under which agreements of a payee a card can be charged, the one to be asked first. None where the number is one of
   * our own ledger's.
   */
  routesOf(payeeId: PayeeId, wanted: Wanted): readonly IssuerRoute[];
  hasRoute(payeeId: PayeeId, wanted: Wanted): boolean;
  /** The one of that id. One that is configured no more takes no questions. */
  named(issuerId: string): Issuer;
  /** First digits of the numbers that issuers elsewhere decide on: no number of ours may begin so. */
  readonly externalPrefixes: readonly string[];
}

/**
 * `CALLING`: asked, no answer yet. `SETTLED`: answered in time. `REVERSING`: no answer in time; the issuer is told to take
 * it back until it confirms. `REVERSED`: it has. `FORWARDING`: an advice is repeated until it is acknowledged. A cancel counts as
 * done meanwhile; a capture that was not sent waits.
 */
export type AttemptState = 'CALLING' | 'SETTLED' | 'REVERSING' | 'REVERSED' | 'FORWARDING';

/** What an attempt is about, which decides who settles it. */
export type AttemptSubject = 'AccountPayment' | 'CardPayment';

/** A question that was put to an issuer, stored before it was. */
export interface Attempt {
  readonly payeeId: PayeeId;
  readonly attemptId: AttemptId;
  readonly paymentId: PaymentId;
  /** The capture, cancel or reversal that it asks for; null where it asks for the payment itself. */
  readonly transactionId: TransactionId | null;
  readonly issuerId: string;
}

/** An attempt whose time has come: to be given up, or to be reversed again. */
export interface DueAttempt extends Attempt, RowOfWork {
  readonly subject: AttemptSubject;
  /** Null where it is about a card payment. */
  readonly accountId: string | null;
  readonly state: 'CALLING' | 'REVERSING' | 'FORWARDING';
  /** What the issuer was asked for; null of attempts from before that was stored. */
  readonly operation: AcquirerOperation | null;
  /** Tries in this state that came to nothing: the issuer refused, or no answer came. */
  readonly tries: number;
  /** Since it was stored. */
  readonly ageSeconds: number;
}

/** Stores what becomes of attempts that no process finished. */
export interface AttemptSettler {
  /**
   * The process that asked has died between the call and its answer: what it asked for has failed, and is to be taken
   * back.
   */
  readonly giveUp: (attempt: DueAttempt) => Promise<void>;
  /** What became of a capture that was forwarded. Twice is as once. */
  readonly settleForwarded: (attempt: DueAttempt, answer: ForwardedAnswer) => Promise<void>;
  /** The issuer has taken it back. Twice is as once. */
  readonly noteTakenBack: (attempt: DueAttempt) => Promise<void>;
}

/** What an acquirer said to a capture that was forwarded, or that it is forwarded no more. `NoAnswer`: it may have been taken. */
export type ForwardedAnswer = IssuerAnswer | { readonly outcome: 'NoAnswer' };

/** A change of an attempt's state, guarded by the one before. */
export interface AttemptOutcome extends Pick<Attempt, 'payeeId' | 'attemptId'> {
  readonly from: AttemptState;
  readonly to: AttemptState;
  /** Undefined where nothing was asked now. */
  readonly answer: ExchangeAnswer | undefined;
}

/** A new attempt with what the job needs. */
export interface NewAttempt extends Attempt {
  /** Null makes it one about a card payment. */
  readonly accountId: string | null;
  /** `FORWARDING`: an advice that no request waits for. */
  readonly state: 'CALLING' | 'FORWARDING';
  /** When it is given up, or sent. */
  readonly dueAt: string;
  readonly dispatch: Dispatch;
  readonly operation: AcquirerOperation;
  readonly amount: AmountMinor;
  readonly currency: Currency;
  /** The attempt that made the payment; null for that itself. */
  readonly originalAttemptId: AttemptId | null;
}

/** Attempts that are about to be made. */
export const NEW_ATTEMPT: WriteName<NewAttempt> = 'new-attempt';
/** What became of attempts. */
export const ATTEMPT_OUTCOME: WriteName<AttemptOutcome> = 'attempt-outcome';

/** What an issuer has not acknowledged yet. */
export interface OpenAttempts {
  readonly issuerId: string;
  readonly takeBacks: number;
  readonly oldestTakeBackSeconds: number;
  /** Cancels and captures that it is told again. */
  readonly forwarded: number;
  /** Of both, those that it was told more than six times. */
  readonly unacknowledged: number;
}

/** A question that an acquirer has not answered or acknowledged yet. */
export interface OpenExchange extends Pick<StoredExchange, 'attemptId' | 'acquirerId' | 'agreementId' | 'operation'> {
  readonly payeeId: PayeeId;
  /** Minor units. */
  readonly amount: AmountMinor;
  readonly currency: Currency;
  readonly state: 'CALLING' | 'REVERSING' | 'FORWARDING';
  readonly tries: number;
  readonly createdAt: string;
  /** When it is looked after next. */
  readonly dueAt: string;
}
