import type { Dialect } from '../../iso8583/dialects/dialect.types.ts';
import type { ConnectionStatus } from '../../iso8583/link/link.types.ts';
import type { Validity } from '../../kit/certificates.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Secret } from '../../kit/secret.ts';
import type { PaymentOperation, TransactionOperation } from '../../ledger/ledger.types.ts';

/** Where a host listens. */
export interface Site {
  readonly host: string;
  readonly port: number;
}

/** What an acquirer can be asked for. */
export type AcquirerOperation = Exclude<PaymentOperation, 'Deposit'> | 'Verify' | TransactionOperation;

/** The host that card payments are sent to, as `acquirers.json` describes it. Files are named by absolute paths. */
export interface Acquirer {
  /** Names it in the tables, for ever. */
  readonly id: string;
  readonly name: string;
  /** `iso93`, or the path of a dialect file. */
  readonly dialect: string;
  /** Where it is, and where its other sites are: lines go to all of them, and each takes any message. */
  readonly host: string;
  readonly port: number;
  readonly otherSites: readonly Site[];
  /** Connections of each instance to each site. */
  readonly connections: number;
  /** The acquirer's own number, 1 to 11 digits (ISO 8583, field 32). */
  readonly acquiringInstitution: string;
  /** Ours at the acquirer, 1 to 11 digits (field 33). */
  readonly forwardingInstitution: string;
  readonly tls: AcquirerTls | 'none';
  /** The key of message authentication codes, where the dialect has them: the absolute path of a file. */
  readonly macKey?: string;
  /** Milliseconds until a ready connection has taken the question: else the acquirer was not asked. */
  readonly sendMs: number;
  /** Milliseconds from then to the answer. */
  readonly answerMs: number;
  /** A connection on which nothing came for so long is asked for an echo. */
  readonly echoSeconds: number;
  readonly holdSeconds: number;
  readonly operations: readonly AcquirerOperation[];
  /** `one`: a capture releases the rest of the hold. */
  readonly captures: 'many' | 'one';
  /** What follows a payment and is asked with number and expiry of the card: these are held sealed until then. */
  readonly needCard: readonly (TransactionOperation | 'TakeBack')[];
  /** What becomes of an MIT whose token has no scheme transaction id. */
  readonly withoutSchemeReference: 'refuse' | 'send';
  /** Action codes that say that no issuer was asked, so that another acquirer may be. */
  readonly failoverCodes: readonly string[];
  /** How long a capture that no line took is kept and forwarded, before it fails; 0: it fails at once. */
  readonly forwardHours: number;
  /** What becomes of a payment whose payer 3-D Secure could not authenticate, where it has not failed either. */
  readonly withoutShift: 'decline' | 'attempt';
  /** That it may be asked for. */
  readonly exemptions: readonly Exemption[];
  /** The largest amounts that may go exempted, in minor units, by exemption and currency. */
  readonly exemptionLimits: Partial<Readonly<Record<Exemption, Readonly<Record<string, number>>>>>;
  /** When its next business day begins, as in `23:00`, in its time zone. */
  readonly cutOver: string;
  /** As in `Europe/Oslo`. */
  readonly timeZone: string;
  /** Whether the totals of each day are compared by messages. */
  readonly reconciliation: boolean;
  readonly settlementFile: SettlementFileForm;
  /**
   * Whether it is one to try against, which charges no cards. Production takes no question to a test host that is not
   * marked so, nor to a real one that is.
   */
  readonly testHost: boolean;
}

export type Exemption = (typeof EXEMPTIONS)[number];

/** Why a payer need not authenticate (EU 2018/389, chapter III). */
export const EXEMPTIONS = ['LowValue', 'RiskAnalysis', 'TrustedPayee', 'SecureCorporate'] as const;

/** How an acquirer's settlement files are written. Ours on the left: names of columns, types of lines. */
export type SettlementFileForm =
  | { readonly format: 'standard' }
  | {
      readonly delimiter: string;
      /** Of amounts: `minor` where they are in the currency's smallest unit, else the decimal mark. */
      readonly decimals: 'minor' | '.' | ',';
      readonly dateFormat: 'YYYY-MM-DD' | 'YYYYMMDD' | 'DD.MM.YYYY' | 'MM/DD/YYYY';
      readonly columns: Readonly<Record<string, string>>;
      readonly types: Readonly<Record<string, string>>;
    };

/** Our certificate with its key, and who must have signed the other side's. Absolute paths of PEM files. */
export interface MutualTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Both sides show certificates. */
export interface AcquirerTls extends MutualTls {
  /** The name that the acquirer's certificate must have. */
  readonly serverName: string;
}

/** One merchant number at one acquirer: under it a payee's cards are charged there. */
export interface Agreement {
  /** Names it in the tables, for ever. */
  readonly id: string;
  readonly payeeId: PayeeId;
  /** `id` of its acquirer. */
  readonly acquirer: string;
  /** 1 is asked first. */
  readonly priority: number;
  /** As the acquirer knows the payee: 15 characters (field 42). */
  readonly merchantId: string;
  /** 8 characters each (field 41). */
  readonly terminalIds: readonly string[];
  /** What some of them are for. One that is not here is for whatever has none of its own. */
  readonly terminalChannels?: Readonly<Record<string, readonly TerminalChannel[]>>;
  /** Merchant category code, four digits (ISO 18245). */
  readonly mcc: string;
  readonly merchant: AgreedMerchant;
  /** ISO 4217, as in `NOK`. */
  readonly currencies: readonly string[];
  /** As card ranges name them, as in `Visa`. */
  readonly brands: readonly string[];
  /** First digits of numbers; none: of every number. */
  readonly bins: readonly string[];
  /** Kept for what follows payments that were made under it: no new one is. */
  readonly closed: boolean;
  /** How the payee is known to directory servers, by brand; a brand that is not here is not authenticated. */
  readonly threeDS: Readonly<Record<string, ThreeDSMerchant>>;
  /** Whether a payment may ask that its payer is not authenticated. */
  readonly allowNo3DSecure: boolean;
}

/** How a payment comes to a terminal: by its payer on the web, by the merchant, by mail or phone, at a till. */
export const TERMINAL_CHANNELS = ['ECommerce', 'Merchant', 'MailOrPhone', 'Terminal'] as const;
export type TerminalChannel = (typeof TERMINAL_CHANNELS)[number];

/** A payee at a scheme's directory server (EMV 3-D Secure 2.2.0, AReq). */
export interface ThreeDSMerchant {
  /** `acquirerBIN`, 1 to 11 digits. */
  readonly acquirerBin: string;
  /** `acquirerMerchantID`, up to 35 characters. */
  readonly merchantId: string;
  /** `threeDSRequestorID`, up to 35 characters. */
  readonly requestorId: string;
  /** `threeDSRequestorName`, up to 40 characters. */
  readonly requestorName: string;
}

/** What holders of cards read on their statements. */
export interface AgreedMerchant {
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
  /** ISO 3166-1, three letters. */
  readonly country: string;
  readonly url?: string;
}

/** We as a 3DS Server (EMV 3-D Secure 2.2.0), and the directory servers that we know. */
export interface ThreeDSServer {
  /** `threeDSServerRefNumber`: what the body behind the standard has approved the product by. */
  readonly serverReferenceNumber: string;
  /** `threeDSServerOperatorID`. */
  readonly operatorId: string;
  /** Where directory servers post results: `threeDSServerURL`. */
  readonly resultsUrl: string;
  /** Where we listen for them. */
  readonly resultsPort: number;
  /** What we show where results are posted, and who signs those who may. `none`: on this machine alone. */
  readonly tls: MutualTls | 'none';
  readonly directoryServers: readonly DirectoryServer[];
}

/** A scheme's directory server. */
export interface DirectoryServer {
  /** The brand that it is for. */
  readonly scheme: string;
  readonly url: string;
  readonly tls: MutualTls | 'none';
  /** Milliseconds until the answer to a question is there. */
  readonly answerMs: number;
}

/** All that `acquirers.json` says. */
export interface AcquirersFile {
  readonly acquirers: readonly Acquirer[];
  readonly agreements: readonly Agreement[];
  readonly threeDS: ThreeDSServer | undefined;
}

/** The file with what it names beside it. */
export interface AcquirersSetup extends AcquirersFile {
  /** Where the file lies; undefined for the sandbox's own acquirer, which has none. */
  readonly path: string | undefined;
  /** Of each acquirer, by its id. */
  readonly dialects: ReadonlyMap<string, Dialect>;
}

/** How the lines to an acquirer are. */
export interface LinesState {
  readonly acquirerId: string;
  /** To all sites. */
  readonly connections: number;
  readonly ready: number;
  /** How each connection is; none where they are not open. */
  readonly statuses: readonly ConnectionStatus[];
}

/** Reads files of the operator's. */
export interface AcquirerFiles {
  /**
   * The text of a file.
   *
   * @returns undefined where there is no such file
   * @throws Trouble where it cannot be read, or is too large
   */
  text(path: string): string | undefined;
  /**
   * Certificates and key of a line, as PEM.
   *
   * @throws Trouble where one cannot be read, where others may read the key, or where certificate and key are no pair
   */
  tls(files: MutualTls): MutualTls;
  /**
   * The key in a file of hexadecimal digits.
   *
   * @param bytes how many it may have
   * @throws Trouble where it cannot be read, where others may read it, or where it is no such key
   */
  macKey(path: string, bytes: readonly number[]): Secret;
  /** Until when each certificate of a file is valid, by its subject; ISO 8601. They must be readable. */
  validity(path: string): readonly Validity[];
}
