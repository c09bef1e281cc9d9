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
] as const;

/** Names a tag of the private data. */
export type TagName = (typeof TAG_NAMES)[number];

/** `n`: digits, zeros to the left. The others: text in Latin-1, blanks to the right (ISO 8583:1993, 4.2). */
export const FORMS = ['n', 'an', 'anp', 'ans'] as const;

/** A field: of one length, or of at most so many characters behind so many digits that tell how many. */
export type FieldForm = { readonly number: number; readonly form: (typeof FORMS)[number] } & (
  | { readonly length: number }
  | { readonly lengthDigits: number; readonly most: number }
);

/** How far a field reaches that is read and not needed: so many characters, or as many as so many digits before it tell. */
export type FieldSpan = { readonly number: number } & ({ readonly length: number } | { readonly lengthDigits: number });

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
  'Increment',
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

/** Why an ask is taken back: no answer came, it came too late, it was not usable, or it approved a part. */
export const TAKE_BACK_REASONS = ['Silence', 'Late', 'Unusable', 'Partial'] as const;

/** Names such a reason. */
export type TakeBackReason = (typeof TAKE_BACK_REASONS)[number];

/** How a kind of message looks. A field or tag that is not known is left out of the message. */
export interface MessageForm {
  /** Four digits. */
  readonly type: string;
  /** Of the amount that there is: for a final authorization, a full capture, all of a hold. */
  readonly functionCode?: string;
  /** Of an estimated authorization, of a capture or cancel of a part. */
  readonly otherFunctionCode?: string;
  readonly processingCode?: string;
  readonly reasonCode?: string;
  /** Without one of its own, a part is taken back as what is not usable. */
  readonly reasonCodes?: Readonly<Record<Exclude<TakeBackReason, 'Partial'>, string>> & { readonly Partial?: string };
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
  /** Whether the length counts its own bytes. */
  readonly countsItself: boolean;
  /** Bytes between length and type, the same in each frame, in hexadecimal; counted by the length. */
  readonly prefix: string;
  /** The bitmap as bytes, or as twice as many hexadecimal digits. */
  readonly bitmap: 'binary' | 'hex';
}

/** The private data: tags, each with its length and value. */
export interface PrivateData {
  readonly tagCharacters: number;
  readonly lengthDigits: number;
  /** The characters that stand for a tag, and how many its value has at most. */
  readonly tags: Readonly<Record<TagName, { readonly tag: string; readonly most: number }>>;
}

/**
 * How an acquirer speaks ISO 8583: data, so that another one is a file and no code. The code knows names, the dialect
 * numbers.
 */
export interface Dialect {
  readonly name: string;
  /** Of names and addresses that we send. What comes is read as Latin-1 in any case. */
  readonly characters: CharacterSet;
  readonly header: FrameHeader;
  readonly fields: Readonly<Record<FieldName, FieldForm>>;
  /** Fields that the acquirer may send and that have no name: they are read and ignored. Any other field is unreadable. */
  readonly otherFields: readonly FieldSpan[];
  /** What an answer must repeat where its ask had it. Whatever it repeats must be right in any case. */
  readonly mustEcho: readonly (typeof ECHOES)[number][];
  readonly f48: PrivateData;
  readonly messages: Readonly<Record<MessageKind, MessageForm>>;
  readonly actionCodes: ActionCodes;
  readonly networkManagement: NetworkManagement;
  readonly reconciliation: Reconciliation;
  /** What a repeat has in place of its type's last digit. */
  readonly repeatDigit: string;
  /** Of `sentAt` (field 12), as in `Europe/Oslo`. */
  readonly timeZone: string;
}
