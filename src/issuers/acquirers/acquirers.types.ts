import type { PayeeId } from '../../kit/ids.ts';
import type { PaymentOperation, TransactionOperation } from '../../ledger/ledger.types.ts';

/** What an acquirer can be asked for. */
export type AcquirerOperation = Exclude<PaymentOperation, 'Deposit'> | 'Verify' | 'Increment' | TransactionOperation;

/** The host that card payments are sent to, as `acquirers.json` describes it. Files are named by absolute paths. */
export interface Acquirer {
  /** Names it in the tables, for ever. */
  readonly id: string;
  readonly name: string;
  /** `iso93`, or the path of a dialect file. */
  readonly dialect: string;
  readonly host: string;
  readonly port: number;
  /** Connections of each instance. */
  readonly connections: number;
  /** The acquirer's own number, 1 to 11 digits (ISO 8583, field 32). */
  readonly acquiringInstitution: string;
  /** Ours at the acquirer, 1 to 11 digits (field 33). */
  readonly forwardingInstitution: string;
  readonly tls: AcquirerTls | 'none';
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
  /** What follows a payment only with the number and expiry of its card. */
  readonly needCard: readonly TransactionOperation[];
  /** What becomes of an MIT whose token has no scheme transaction id. */
  readonly withoutSchemeReference: 'refuse' | 'send';
  /** Action codes that say that no issuer was asked, so that another acquirer may be. */
  readonly failoverCodes: readonly string[];
}

/** Both sides show certificates. Absolute paths of PEM files. */
export interface AcquirerTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
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
