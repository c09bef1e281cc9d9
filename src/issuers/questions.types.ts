import type { CardProblemCode } from '../kit/cards/card-problems.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type { Secret } from '../kit/secret.ts';
import type { TransactionOperation } from '../ledger/ledger.types.ts';
import type { HeldCard } from '../vault/vault.types.ts';
import type { AcquirerOperation, Agreement, Exemption } from './acquirers/acquirers.types.ts';

/** UUID version 7, made before the call. */
export type AttemptId = string;

/** What an issuer elsewhere can be asked to make. */
export type IssuerOperation = Exclude<AcquirerOperation, TransactionOperation>;

/** One question to an issuer elsewhere: for a payment, or about one that it approved. */
export type IssuerQuestion = ApprovalQuestion | FollowUpQuestion;

interface Question {
  readonly payeeId: PayeeId;
  /** An issuer that knows it already answers as before. */
  readonly attemptId: AttemptId;
  readonly amount: AmountMinor;
  readonly currency: Currency;
  readonly agreement: Agreement;
  readonly exchange: Exchange;
  /** What the cardholder reads on the statement; undefined: the name that the agreement says. */
  readonly descriptor: string | undefined;
  /** To be sent along as the header `traceparent` (W3C Trace Context), where the payee's request is part of a trace. */
  readonly traceparent: string | undefined;
}

/** A question for a payment, or for the look at a card (`Verify`, of nothing). */
export interface ApprovalQuestion extends Question {
  readonly operation: IssuerOperation;
  readonly card: CardData;
  readonly initiator: Initiator;
  /** Of the payment that stored the card: the scheme's name of it. A payment by the merchant needs it. */
  readonly schemeTransactionId: string | undefined;
  readonly authentication: AuthenticationResult | undefined;
  readonly exemption: Exemption | undefined;
  readonly device: Device;
  readonly billing?: { readonly street?: string; readonly postalCode?: string };
}

/**
 * A question about a payment: to capture `amount` of it, to cancel what is left of its hold, which is `amount`, or to
 * give `amount` back. The issuer knows the payment by the exchange that made it.
 */
export interface FollowUpQuestion extends Question {
  readonly operation: TransactionOperation;
  /** What a capture releases of the hold with it: all that is left then. 0 where the rest stays held. */
  readonly releasedAmount: AmountMinor;
  /** The question for the payment, as it was put and answered. */
  readonly original: Original;
  /** Which of the payment's captures it is, from 1; of what is no capture, how many there were. */
  readonly sequence: { readonly number: number; readonly isLast: boolean };
  /** Whether it was sent before, with the same exchange; it was not where this is undefined. */
  readonly sentBefore?: Sent;
  /** Only where the acquirer wants it again, and it is held still. */
  readonly card?: HeldCard;
}

/**
 * Whether bytes of a message were handed over to a line. What was, is sent again as a repeat. `Unknown`: the process that was to send it
 * has ended; the message is sent as if for the first time, and an answer to it may be one to a repeat.
 */
export type Sent = 'No' | 'Unknown' | 'Yes';

/** Who began the payment, and what that has to do with a stored card. */
export interface Initiator {
  readonly by: 'Customer' | 'Merchant';
  readonly channel: 'Page' | 'Api' | 'Terminal' | 'Mail' | 'Phone';
  readonly credential: 'None' | StoredCredential;
}

/** `First`: this payment stores the card. `Subsequent`: it is made with a card that an earlier one has stored. */
export interface StoredCredential {
  readonly use: 'Recurring' | 'Unscheduled' | 'OnFile';
  readonly step: 'First' | 'Subsequent';
}

/** Where the payer is. */
export interface Device {
  readonly address?: string;
  readonly userAgent?: string;
}

/** What 3-D Secure came to (EMV 3-D Secure 2.2.0). */
export interface AuthenticationResult {
  /** As in `2.2.0`. */
  readonly version: string;
  readonly transStatus: string;
  /** Two digits. */
  readonly eci: string;
  /** 20 bytes in Base64. */
  readonly authenticationValue?: Secret;
  readonly dsTransactionId?: string;
  readonly acsTransactionId?: string;
  /** `External`: the payee vouches for it. */
  readonly source: 'Own' | 'External';
}

/** What of a card is secret. It lives as long as the request; nothing of it is stored, queued or logged. */
export interface CardData {
  readonly number: Secret;
  /** `MM/YY`. */
  readonly expiryDate: string | undefined;
  readonly cvc: Secret | undefined;
  readonly track2: Secret | undefined;
  readonly encryptedPin: Secret | undefined;
}

/** One message to an acquirer, made and stored with its attempt before it is sent. Terminal, STAN and time name it for ever. */
export interface Exchange {
  readonly acquirerId: string;
  /** 8 characters. */
  readonly terminalId: string;
  /** System trace audit number: `000001` to `999999`. */
  readonly stan: string;
  /** Instant of whole seconds, ISO 8601 in UTC: fields 7 and 12 are made of it. */
  readonly sentAt: string;
  /** 12 characters: one for the life of a payment. */
  readonly retrievalReference: string;
}

/** A question as it was put earlier, and what its answer said. */
export interface Original {
  readonly attemptId: AttemptId;
  readonly operation: AcquirerOperation;
  readonly amount: AmountMinor;
  readonly exchange: Exchange;
  readonly approvalCode?: string;
  readonly schemeTransactionId?: string;
  /** How the card came, as the acquirer was told then (ISO 8583, field 22). */
  readonly pointOfService?: string;
}

/** What an acquirer calls a payment, as it said in its answer. */
export interface References {
  readonly acquirerReference?: string;
  readonly schemeTransactionId?: string;
  readonly retrievalReference?: string;
}

/** What an issuer decides. No answer is no member of this: the call then rejects. */
export type IssuerAnswer =
  | Approved
  | PartiallyApproved
  | Declined
  | AuthenticationRequired
  | NotUsable
  | Forwarded
  | Kept
  | NotSent;

/** What every answer says that came over the line. */
export interface Answered {
  /** Action code of the acquirer, three digits. */
  readonly responseCode: string;
  /** The scheme's own response code, two characters. */
  readonly schemeCode?: string;
  /** The day of settlement that the acquirer counts it to, `YYYY-MM-DD`. */
  readonly businessDay?: string;
  /** `M` matches, `N` does not, `P` not processed, `S` should be there, `U` not supported. */
  readonly cvcResult?: string;
  /** `Y` both match, `A` the street, `Z` the postal code, `N` none, `U` not known. */
  readonly addressResult?: string;
}

/** Done, for the full amount. */
export interface Approved extends Answered {
  readonly outcome: 'Approved';
  readonly approvalCode?: string;
  readonly references: References;
}

/** A part was not asked for: it counts as declined, and is taken back. */
export interface PartiallyApproved extends Answered {
  readonly outcome: 'PartiallyApproved';
  readonly approvedAmount: AmountMinor;
  readonly approvalCode?: string;
  readonly references: References;
}

/** Nothing was taken. With `takeBack` it is taken back to be sure. */
export interface Declined extends Answered {
  readonly outcome: 'Declined';
  readonly problem: CardProblemCode;
  /** Merchant advice code of the scheme, two digits. */
  readonly adviceCode?: string;
  readonly retry: Retry;
  readonly takeBack?: boolean;
}

/** Whether the same card may be tried again, and what must be other then. */
export interface Retry {
  readonly advice: 'Never' | 'Later' | 'NewData' | 'AfterAuthentication';
  /** With `Later`: not before so many hours. */
  readonly afterHours?: number;
}

/** A soft decline: with 3-D Secure it may be approved. */
export interface AuthenticationRequired extends Answered {
  readonly outcome: 'AuthenticationRequired';
}

/** There is an answer, and nothing can be concluded from it: taken back. */
export interface NotUsable {
  readonly outcome: 'NotUsable';
  readonly responseCode?: string;
}

/** A cancel that no answer came to: it counts as done, and is repeated until the acquirer acknowledges it. */
export interface Forwarded {
  readonly outcome: 'Forwarded';
  readonly sent: Sent;
  /** The action code where the acquirer said that it does not know the payment: it may have let it go. That counts the second time. */
  readonly unknownOriginal?: string;
}

/**
 * A capture that no line took. It is kept, and forwarded until the acquirer acknowledges it: what it takes stays reserved until then.
 * A message that is sent later must be the one that was made, so it says what the stored question does not.
 */
export interface Kept extends Pick<FollowUpQuestion, 'releasedAmount' | 'sequence'> {
  readonly outcome: 'Kept';
  /** The acquirer has said of a repeat that it knows no first message: the capture is told as the first one again. */
  readonly isUnknown?: true;
}

/** No byte left this process: no card was charged. */
export interface NotSent {
  readonly outcome: 'NotSent';
  /** For the log: why. */
  readonly cause: string;
}

/** What takes an attempt back, whatever became of it. */
export interface TakeBack {
  readonly payeeId: PayeeId;
  /** Of the attempt that is taken back. */
  readonly attemptId: AttemptId;
  readonly currency: Currency;
  readonly agreement: Agreement;
  /** As in the question that is taken back. */
  readonly descriptor: string | undefined;
  /** What the acquirer has approved of it, as far as that is known. */
  readonly amount: AmountMinor;
  /** The question that is taken back. */
  readonly original: Original;
  /** Of the taking back itself: the same each time that it is repeated. */
  readonly exchange: Exchange;
  readonly reason: TakeBackReason;
  readonly sentBefore: Sent;
  /** Where the acquirer wants it, and it is held still. */
  readonly card?: HeldCard;
}

/**
 * `Silence`: no answer came. `TooLate`: one came when no request waited any more. `Partial`: one that approved less than was asked
 * for. `NotUsable`: one that could not be used. `Refused`: an approval that the payee does not take.
 */
export type TakeBackReason = 'Silence' | 'TooLate' | 'Partial' | 'NotUsable' | 'Refused';

/** An acquirer that does not know the question has not charged a card, as long as it does not come late. */
export type TakeBackAnswer = { readonly outcome: 'TakenBack' | 'OriginalUnknown'; readonly responseCode?: string };

/**
 * The port that an acquirer's adapter implements. It is called outside of any transaction. What `ask` throws means that no
 * answer came: then the outcome is not known, and the attempt is taken back.
 */
export interface IssuerHost {
  /**
   * At most once for each attempt; a cancel or capture that is forwarded is asked again, with the same exchange, until an answer
   * comes to it. `handedOver` hears that from now on it may be known to the acquirer.
   */
  ask(question: IssuerQuestion, signal: AbortSignal, handedOver?: () => void): Promise<IssuerAnswer>;
  /**
   * What an attempt did is undone, and nothing else of its payment. Repeated until it is taken back, so it must be
   * idempotent. It rejects where no answer came, or one that is no acknowledgement.
   */
  reverse(attempt: TakeBack, signal: AbortSignal, handedOver?: () => void): Promise<TakeBackAnswer>;
}
