import type { CardProblemCode } from '../../kit/cards/card-problems.ts';
import type { CharacterSet } from '../../kit/characters.ts';

/** What the code calls the fields of a message. A dialect says which number, form and length each has. */
export const FIELD_NAMES = [
  'cardNumber',
  'processingCode',
  'amount',
  'transmittedAt',
  'stan',
  'sentAt',
  'expiry',
  'pointOfService',
  'functionCode',
  'reasonCode',
  'merchantCategory',
  'reconciliationDay',
  'reconciliationNumber',
  'originalAmounts',
  'acquirerReference',
  'acquiringInstitution',
  'forwardingInstitution',
  'retrievalReference',
  'approvalCode',
  'actionCode',
  'terminalId',
  'merchantId',
  'merchantPlace',
  'additionalText',
  'privateData',
  'currency',
  'reconciliationCurrency',
  'original',
  'refundsNumber',
  'refundReversalsNumber',
  'salesNumber',
  'saleReversalsNumber',
  'refundsAmount',
  'refundReversalsAmount',
  'salesAmount',
  'saleReversalsAmount',
  'netAmount',
  // Parts of those above, for dialects that have them by themselves.
  'sentDate',
  'sentTime',
  'settlementDate',
  'pointOfServiceCondition',
  'exponent',
  'merchantName',
  'merchantStreet',
  'merchantCity',
  'merchantPostalCode',
  'merchantCountry',
  'originalType',
  'originalStan',
  'originalTransmittedAt',
  'originalSentAt',
  'originalAcquiringInstitution',
  'originalForwardingInstitution',
  'originalAmount',
  'replacementAmount',
] as const;

/** Names a field. */
export type FieldName = (typeof FIELD_NAMES)[number];

/** What the code calls the tags of the private data. */
export const TAG_NAMES = [
  'eci',
  'authenticationValue',
  'dsTransactionId',
  'threeDSVersion',
  'transStatus',
  'initiator',
  'schemeTransactionId',
  'exemption',
  'cvc',
  'cvcResult',
  'billingAddress',
  'addressResult',
  'partialApproval',
  'schemeCode',
  'adviceCode',
  'attemptId',
  'payerAddress',
  'captureSequence',
  'billingPostalCode',
  'billingStreet',
  // What an answer says of the card itself: it was replaced, or closed.
  'updateCode',
  'updatedNumber',
  'updatedExpiry',
] as const;

/** Names a tag of the private data. */
export type TagName = (typeof TAG_NAMES)[number];

/** Names a value of a message: a field, or a tag of private data. */
export type ValueName = FieldName | TagName;

/**
 * `n`: digits, zeros to the left. `b`: bytes, which a message has as hexadecimal digits. The others: text in Latin-1, blanks to the
 * right (ISO 8583:1993, 4.2).
 */
export const FORMS = ['n', 'an', 'anp', 'ans', 'b'] as const;

/** Digits as characters; or two in a byte, an odd number of them with a zero before (`left`) or an F behind (`right`). */
export const PACKINGS = ['no', 'left', 'right'] as const;

/** Names such a way. */
export type Packing = (typeof PACKINGS)[number];

/**
 * A value that is written otherwise than Kontor has it. `century`: a date or time without its century gets `20` before it. `base64`:
 * bytes that Kontor has in Base64.
 */
export const CONVERSIONS = ['century', 'base64'] as const;

/** Names such a way. */
export type Conversion = (typeof CONVERSIONS)[number];

/** Of one length, or of at most so many characters behind so many digits that tell how many. */
export type Size = { readonly length: number } | { readonly lengthDigits: number; readonly most: number };

/** How one value is written. */
export type Element = Size & {
  readonly form: (typeof FORMS)[number];
  /** Of digits; without it as the dialect's `packing` says. */
  readonly packed?: Packing;
  /** Whether what there is no room for is left out. */
  readonly cut?: boolean;
  /** Of digits: only so many of them count, and those before are zeros. */
  readonly digits?: number;
  readonly as?: Conversion;
  /** What is written for each value that Kontor has. */
  readonly codes?: Readonly<Record<string, string>>;
};

/** A field that holds one value. */
export type FieldForm = Element & { readonly number: number };

/**
 * How far a field reaches that is read and not needed: so many bytes, or as many as so many digits before it tell; half as many, where
 * these tell of packed digits.
 */
export type FieldSpan = { readonly number: number } & (
  | { readonly length: number }
  | { readonly lengthDigits: number; readonly packed?: boolean }
);

/** A part of a field: a value by its name, or a text that is always the same. */
export type Part = Element & ({ readonly name: ValueName } | { readonly literal: string });

/**
 * A field that holds several values: one behind the other (`parts`), as far as a bitmap of 8 bytes says (`bits`), or as tags. A
 * field of parts is there where all of their values are, another one where any is. The parts of a field of form `b` are written as
 * fields are; those of another field make one text, which is written as the field's form says.
 */
export type ComposedField = Size & {
  readonly number: number;
  readonly form: (typeof FORMS)[number];
  readonly packed?: Packing;
} & (
    | { readonly parts: readonly Part[] }
    | { readonly bits: Readonly<Record<string, Part>> }
    | { readonly tags: PrivateData }
  );

/** What an answer repeats of its ask. A dialect may demand that it does: `mustEcho`. */
export const ECHOES = [
  'amount',
  'transmittedAt',
  'sentAt',
  'acquiringInstitution',
  'forwardingInstitution',
  'retrievalReference',
  'terminalId',
  'merchantId',
  'currency',
] as const satisfies readonly FieldName[];

/** What is said to an acquirer, or asked of it. */
export const MESSAGE_KINDS = [
  'Authorize',
  'Verify',
  'Purchase',
  'Credit',
  'Reversal',
  'Capture',
  'Cancel',
  'TakeBack',
  'Reconcile',
  'Network',
] as const;

/** Names a kind of message. */
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/**
 * Why an ask is taken back: no answer came, it came too late, it was not usable, it approved a part, or its approval is not taken by
 * the payee.
 */
export const TAKE_BACK_REASONS = ['Silence', 'Late', 'Unusable', 'Partial', 'Refused'] as const;

/** Names such a reason. */
export type TakeBackReason = (typeof TAKE_BACK_REASONS)[number];

/** How a kind of message looks. A field or tag that is not known is left out of the message. */
export interface MessageForm {
  /** Four digits. */
  readonly type: string;
  /** Of the amount that there is: for a full capture, all of a hold. */
  readonly functionCode?: string;
  /** Of a capture or cancel of a part. */
  readonly otherFunctionCode?: string;
  readonly processingCode?: string;
  /** Fields that say something else in this message than elsewhere: a text, or what another field would. */
  readonly values?: Readonly<Partial<Record<FieldName, { readonly text: string } | { readonly of: FieldName }>>>;
  readonly reasonCode?: string;
  /** Without ones of their own, a part and what the payee does not take are taken back as what is not usable. */
  readonly reasonCodes?: Readonly<Record<'Silence' | 'Late' | 'Unusable', string>> & {
    readonly Partial?: string;
    readonly Refused?: string;
  };
  readonly fields: readonly FieldName[];
  readonly tags: readonly TagName[];
}

/** When it makes sense to ask again: never, later, with other data, once the payer has been authenticated. */
export const RETRIES = ['Never', 'Later', 'NewData', 'AfterAuthentication'] as const;

/** Names such a time. */
export type Retry = (typeof RETRIES)[number];

/**
 * What action codes of an answer to a request say, of an authorization, a sale or a refund. A code in no group says that
 * nothing is known.
 */
export interface ActionGroup {
  readonly codes: readonly string[];
  readonly outcome: 'Approved' | 'PartiallyApproved' | 'Declined' | 'AuthenticationRequired';
  /** Of what is declined or partial. */
  readonly problem?: CardProblemCode;
  readonly retry?: Retry;
  /** Whether the acquirer is told to take it back, to be sure. */
  readonly takeBack?: boolean;
}

/** What an acquirer's codes say. */
export interface ActionCodes {
  readonly requests: readonly ActionGroup[];
  /** Of advices: what is acknowledged, and what is as good as no answer. All others are declines. */
  readonly advices: { readonly acknowledged: readonly string[]; readonly silence: readonly string[] };
  /** What says of a repeat that its first message was taken. In an answer to a first message they say nothing of the kind. */
  readonly duplicates: readonly string[];
  readonly takeBacks: { readonly acknowledged: readonly string[]; readonly unknownOriginal: readonly string[] };
  /** Scheme codes beside a decline. */
  readonly schemeCodes: {
    readonly authenticate: readonly string[];
    /** Of Mastercard and Maestro alone. */
    readonly authenticateMastercard: readonly string[];
    readonly never: readonly string[];
  };
  /** Merchant advice codes beside a decline. */
  readonly adviceCodes: Readonly<Record<string, { readonly retry: Retry; readonly afterHours?: number }>>;
}

/** Codes of network management. */
export interface NetworkManagement {
  readonly signOn: string;
  readonly signOff: string;
  readonly echo: string;
  readonly cutOver: string;
  /** The action code of what was taken. */
  readonly accepted: string;
  /** The action code of a request that we do not take. */
  readonly refused: string;
}

/** Action codes of the answer to totals. */
export interface Reconciliation {
  readonly inBalance: readonly string[];
  readonly different: readonly string[];
}

/** What stands before a message. */
export interface FrameHeader {
  readonly lengthBytes: 2 | 4;
  /** The length as a number, the highest byte first, or as digits in ASCII. */
  readonly lengthForm?: 'binary' | 'digits';
  /** Whether the length counts its own bytes. */
  readonly countsItself: boolean;
  /** Bytes between length and type, the same in each frame, in hexadecimal; counted by the length. */
  readonly prefix: string;
  /** What the acquirer's frames have there, where that is something else: in a TPDU both addresses change places. */
  readonly answerPrefix?: string;
  /** The bitmap as bytes, or as twice as many hexadecimal digits. */
  readonly bitmap: 'binary' | 'hex';
}

/** What has two digits in a byte: the message's type, the digits that tell lengths, numbers. */
export interface DialectPacking {
  readonly type: boolean;
  readonly lengths: boolean;
  readonly numbers: Packing;
}

/** How a message authentication code is made. `retail`: ISO 9797-1, algorithm 3, with DES. */
export const MAC_ALGORITHMS = ['retail', 'aes-cmac', 'hmac-sha256'] as const;

/** What a key must be, in bytes, for each of them. */
export const MAC_KEY_BYTES: Readonly<Record<(typeof MAC_ALGORITHMS)[number], readonly number[]>> = {
  retail: [16],
  'aes-cmac': [16, 24, 32],
  'hmac-sha256': [16, 24, 32, 48, 64],
};

/** The message authentication code, in field 64 or 128: the last field of each message. */
export interface DialectMac {
  readonly algorithm: (typeof MAC_ALGORITHMS)[number];
  /** How many of its first bytes are sent. */
  readonly bytes: number;
}

/** Private data as tags, each with its length and value. */
export interface PrivateData {
  readonly tagCharacters: number;
  readonly lengthDigits: number;
  /** The characters that stand for a tag, and how many its value has at most. */
  readonly tags: Readonly<Partial<Record<TagName, { readonly tag: string; readonly most: number }>>>;
}

/** What a dialect can do without: messages that an acquirer is not asked for. */
type Messages = Readonly<Partial<Record<MessageKind, MessageForm>> & Record<'TakeBack' | 'Network', MessageForm>>;

/**
 * How an acquirer speaks ISO 8583: data, so that another one is a file and no code. The code knows names, the dialect
 * numbers.
 */
export interface Dialect {
  readonly name: string;
  /** Of names and addresses that we send. What comes is read as Latin-1 in any case. */
  readonly characters: CharacterSet;
  readonly header: FrameHeader;
  /** Without it nothing is packed. */
  readonly packing?: DialectPacking;
  /** Where a key is agreed. */
  readonly mac?: DialectMac;
  readonly fields: Readonly<Partial<Record<FieldName, FieldForm>>>;
  readonly composed?: readonly ComposedField[];
  /** Fields that the acquirer may send and that have no name: they are read and ignored. Any other field is unreadable. */
  readonly otherFields: readonly FieldSpan[];
  /** What an answer must repeat where its ask had it. Whatever it repeats must be right in any case. */
  readonly mustEcho: readonly (typeof ECHOES)[number][];
  /** The tags of the field `privateData`. */
  readonly f48?: PrivateData;
  readonly messages: Messages;
  readonly actionCodes: ActionCodes;
  /** Values of `updateCode` by which an answer says that the card has a new number or expiry, or was closed. */
  readonly cardUpdates?: { readonly replaced: readonly string[]; readonly closed: readonly string[] };
  readonly networkManagement: NetworkManagement;
  readonly reconciliation: Reconciliation;
  /** What a repeat has in place of its type's last digit. */
  readonly repeatDigit: string;
  /** Of `sentAt` (field 12), as in `Europe/Oslo`. */
  readonly timeZone: string;
}
