import type { Read, Transact } from '../../db/transaction.types.ts';
import type { TracedMessage } from '../../iso8583/messages.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Secret } from '../../kit/secret.ts';
import type { PaymentId, TransactionId } from '../../ledger/ledger.types.ts';
import type {
  Acquirer,
  Agreement,
  DirectoryServer,
  ThreeDSMerchant,
  ThreeDSServer,
} from '../acquirers/acquirers.types.ts';
import type { AuthenticationResult } from '../questions.types.ts';

// What EMV 3-D Secure 2.2.0 calls a 3DS Server: who asks, whom, and how an authentication stands.

/** Cards of one scheme whose issuers take part. Both ends have as many digits as the cards. */
export interface EnrolledRange {
  readonly startRange: string;
  readonly endRange: string;
  /** Where a browser is sent before the question, so that the issuer knows it again. */
  readonly methodUrl: string | undefined;
}

/**
 * `Created`: nothing was asked. `Method`: the browser is at the issuer's method URL. `Requested`: the directory server was
 * asked, once for ever. `Challenge`: the payer is at the issuer. All others are ends.
 */
export type AuthenticationState = OpenState | EndState;
export type OpenState = 'Created' | 'Method' | 'Requested' | 'Challenge';
export type EndState = 'Succeeded' | 'Attempted' | 'Failed' | 'Rejected' | 'Unavailable' | 'Cancelled' | 'Expired';

/** `transStatus` (EMV 3-D Secure 2.2.0, table A.1). */
export type TransStatus = 'Y' | 'A' | 'N' | 'R' | 'U' | 'C' | 'D' | 'I';

/** The authentication of a payer for one transaction. */
export interface Authentication {
  readonly payeeId: PayeeId;
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
  /** UUID of version 4: names it at the directory server. */
  readonly serverTransactionId: string;
  readonly scheme: string;
  /** The agreement whose merchant the directory server is told of; null of authentications from before it was stored. */
  readonly agreementId: string | null;
  readonly version: string;
  readonly state: AuthenticationState;
  readonly methodUrl: string | null;
  readonly dsTransactionId: string | null;
  readonly acsTransactionId: string | null;
  /** Where the payer is challenged. */
  readonly acsUrl: string | null;
  readonly transStatus: TransStatus | null;
  /** `transStatusReason`, two digits. */
  readonly reason: string | null;
  readonly eci: string | null;
  /** What the issuer wants its holder to read. */
  readonly cardholderInfo: string | null;
  /** Whether the payer had to be challenged (`threeDSRequestorChallengeInd` 04). */
  readonly isChallengeWanted: boolean;
  /** Whether a browser was led to the challenge. */
  readonly isChallengeShown: boolean;
  /** Of the result that came, to tell a repeated one from another one. */
  readonly resultDigest: Buffer | null;
  /** The value that proves it, sealed; null before there is one, and once the acquirer has answered. */
  readonly valueSealed: Buffer | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** An end as its message says it. The value is opened once, for the acquirer. */
export interface AuthenticationEnd {
  readonly state: EndState;
  readonly transStatus: TransStatus | null;
  readonly reason: string | null;
  readonly eci: string | null;
  readonly authenticationValue: Secret | undefined;
}

/** What a browser says of itself (EMV 3-D Secure 2.2.0, table A.1, browser members). */
export interface BrowserData {
  readonly acceptHeader: string;
  readonly userAgent: string;
  readonly address: string | undefined;
  readonly language: string;
  /** What only a script knows; undefined without one. */
  readonly scripted:
    | {
        readonly isJavaEnabled: boolean;
        readonly colorDepth: number;
        readonly screenHeight: number;
        readonly screenWidth: number;
        /** Minutes that UTC is ahead, as `getTimezoneOffset` says. */
        readonly timeZone: number;
      }
    | undefined;
}

/** The line to directory servers. */
export interface DirectoryLine {
  /**
   * Posts a message, once. Never rejects.
   *
   * @returns the answer's text; undefined where none came in time, or one that is too long or no answer of HTTP's kind 200
   */
  ask(
    server: DirectoryServer,
    message: Readonly<Record<string, unknown>>,
    mostBytes: number,
  ): Promise<string | undefined>;
}

/**
 * What a look at a directory server has found: milliseconds until it answered, or what Node says of the line that was lost,
 * and whether the certificates of both sides had seemed to be right by then.
 */
export type Probed = { readonly answerMs: number } | { readonly cause: string; readonly hasOpened: boolean };

/** How it stands with what a directory server was asked for. */
export interface DirectoryState {
  readonly scheme: string;
  readonly url: string;
  /** Seconds since it was asked last, and since it has answered; null: never. */
  readonly askedSeconds: number;
  readonly preparedSeconds: number | null;
  /** How many ranges of cards we have of it. */
  readonly ranges: number;
  /** How many of its last answer are not of their form, and not among these. */
  readonly leftOut: number;
}

/** A member of a directory server's messages that was not of its form, and how many messages had it. */
export interface LeftOutMember {
  readonly scheme: string;
  readonly message: 'ARes' | 'RReq';
  readonly member: string;
  readonly times: number;
}

/** Hears which members were left out of a message. */
export type NoteLeftOut = (
  leftOut: Pick<LeftOutMember, 'scheme' | 'message'> & { readonly members: readonly string[] },
) => void;

/** A message of 3-D Secure that has passed. */
export interface PassedThreeDS {
  /** Undefined where it names no transaction that is known. */
  readonly scheme: string | undefined;
  /** As in `ds.example.com:9100`; `results` where it came to the address for results, and what answered it; `browser`. */
  readonly site: string;
  readonly isOurs: boolean;
  /** Undefined where what came is no JSON object. */
  readonly message: Readonly<Record<string, unknown>> | undefined;
}

/** One as it may be kept and shown. */
export interface TracedThreeDS extends TracedMessage, Pick<PassedThreeDS, 'site' | 'isOurs'> {
  readonly scheme: string | null;
  /** As the message says them, and a CRes as its transaction is known; null where it does not. */
  readonly serverTransactionId: string | null;
  readonly dsTransactionId: string | null;
}

/** Sees what passes: what is secret is out of it by then. */
export type TraceThreeDS = (traced: TracedThreeDS) => void;

/** What was found on the port for results: our certificate, another one, something that is no TLS, or nothing. */
export type FoundOnPort = 'Ours' | 'Another' | 'NoTls' | 'Nothing';

/** What speaking with directory servers needs. */
export interface DirectoryFlows {
  readonly transact: Transact;
  readonly keyRing: KeyRing;
  readonly line: DirectoryLine;
  readonly server: ThreeDSServer;
  readonly leftOut?: NoteLeftOut;
  /** Undefined where no trace is kept. */
  readonly trace?: TraceThreeDS;
  /** A UUID of version 4. */
  readonly newServerTransactionId: () => string;
}

/** How a payee is known to the directory server of a brand, and what its acquirer makes of an attempt. */
export interface AuthenticationTerms {
  readonly merchant: ThreeDSMerchant;
  readonly agreement: Pick<Agreement, 'mcc' | 'merchant'>;
  readonly withoutShift: Acquirer['withoutShift'];
  /** Whether a card that does not take part may not be stored to be charged without its payer. */
  readonly refusesMandates: boolean;
}

/** Under which agreement of a payee a card of the brand is to be charged. */
export interface AskedTerms {
  readonly payeeId: PayeeId;
  readonly brand: string;
  readonly agreement: Agreement;
}

/** 3-D Secure of this installation. */
export interface ThreeDS extends DirectoryFlows {
  readonly read: Read;
  readonly pause: (durationMs: number) => Promise<void>;
  /** Undefined where the agreement does not say how the payee is known to the directory server of the brand. */
  readonly termsFor: (asked: AskedTerms) => AuthenticationTerms | undefined;
}

/**
 * Whether the payer of a card has to authenticate. `NotEnrolled`: there is nothing to ask, and the acquirer is asked
 * without; `Impossible`: there is nothing to ask, and the acquirer does not want to be asked then. `External`, `Exempted`:
 * the payee vouches for an authentication elsewhere, or asks for none.
 */
export type Look =
  | { readonly is: 'NotMeant' }
  | { readonly is: 'Needed' }
  | { readonly is: 'NotEnrolled' | 'Exempted'; readonly shown: Omit<ShownAuthentication, 'authenticationStatus'> }
  | { readonly is: 'External'; readonly shown: ShownAuthentication }
  | { readonly is: 'Impossible' };

/** What follows an end: the acquirer is asked, or the try is over. */
export type Consequence = 'Authorize' | '3dsecuredeclined' | '3dsecureusercancelled';

/** What a transaction shows of how its payer was authenticated. What schemes' rules say as a rule, no promise. */
export interface ShownAuthentication {
  readonly authenticationStatus: 'Y' | 'N' | 'A' | 'U' | 'R';
  readonly eci?: string;
  readonly liabilityShift?: 'Issuer' | 'Merchant';
  /** What the issuer wants its holder to read. */
  readonly cardholderInfo?: string;
  /** Why the payer was not authenticated (EMV 3-D Secure 2.2.0, table A.1), two digits. */
  readonly transStatusReason?: string;
  /** The authentication at the directory server, UUID: disputes ask for it. */
  readonly dsTransactionId?: string;
}

/** What an end means for the payment: what follows, what is shown, and what the acquirer is told. */
export interface AuthenticationOutcome {
  readonly consequence: Consequence;
  readonly shown: ShownAuthentication;
  readonly result: AuthenticationResult | undefined;
}

/** An authentication whose time is over. */
export interface OverdueAuthentication
  extends Pick<Authentication, 'payeeId' | 'paymentId' | 'transactionId' | 'serverTransactionId'> {
  /** Its own id: see `RowOfWork`. */
  readonly rowId: string;
}
