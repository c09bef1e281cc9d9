import type { Acquirer } from '../../issuers/acquirers/acquirers.types.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import type { DifferenceKind } from '../settlements.types.ts';

/** The columns of a settlement file. */
export const COLUMNS = [
  'batchId',
  'lineId',
  'type',
  'merchantId',
  'acquirerReference',
  'retrievalReference',
  'attemptReference',
  'transactionDate',
  'valueDate',
  'cardLast4',
  'brand',
  'currency',
  'transactionCurrency',
  'transactionAmount',
  'exchangeRate',
  'grossAmount',
  'feeAmount',
  'interchangeAmount',
  'schemeFeeAmount',
  'netAmount',
  'reasonCode',
  'caseId',
  'respondBy',
] as const;
export type Column = (typeof COLUMNS)[number];

/** What every file must have. */
export const REQUIRED_COLUMNS: readonly Column[] = [
  'batchId',
  'lineId',
  'type',
  'merchantId',
  'currency',
  'grossAmount',
  'feeAmount',
  'netAmount',
];

/** What a line may be about. */
export const LINE_TYPES = [
  'Sale',
  'Refund',
  'Fee',
  'Chargeback',
  'ChargebackReversal',
  'Adjustment',
  'Reserve',
  'Payout',
] as const;
export type LineType = (typeof LINE_TYPES)[number];

/** A line of a settlement file. Amounts in minor units with their sign: fees are below 0. Days are `YYYY-MM-DD`. */
export interface FileLine {
  /** The name of its batch. */
  readonly batch: string;
  readonly lineId: string;
  readonly type: LineType;
  readonly merchantId: string;
  readonly acquirerReference: string | null;
  readonly retrievalReference: string | null;
  /** The attempt that we have named in the message, as a UUID; null where the file has none, or one that is not ours. */
  readonly attemptReference: string | null;
  readonly transactionDate: string | null;
  readonly valueDate: string | null;
  readonly cardLast4: string | null;
  readonly brand: string | null;
  /** In which it pays. */
  readonly currency: Currency;
  /** What it says of the sale, where that is in another currency; null: the same as `currency` and `gross`. */
  readonly transactionCurrency: Currency | null;
  readonly transactionAmount: number | null;
  /** As the file has it, with a point. */
  readonly exchangeRate: string | null;
  readonly gross: number;
  readonly fee: number;
  readonly interchange: number | null;
  readonly schemeFee: number | null;
  readonly net: number;
  readonly reasonCode: string | null;
  readonly caseId: string | null;
  readonly respondBy: string | null;
}

/** Why a line cannot be read. */
export type LineFaultCode =
  | 'openQuotes'
  | 'cellCount'
  | 'unknownType'
  | 'unknownCurrency'
  | 'noAmount'
  | 'netDiffers'
  | 'tooLong'
  | 'controlCharacters'
  | 'shortenedNumber'
  | 'emptyCell'
  | 'currencyMissing'
  | 'sameCurrencyDiffers'
  | 'signDiffers'
  | 'noRate'
  | 'noDay'
  | 'notFourDigits';
/** Why a batch is refused whose lines can be read. */
export type BatchFaultCode =
  | 'currencyChanges'
  | 'sumsTooLarge'
  | 'noPayout'
  | 'sumsDiffer'
  | 'anotherBatch'
  | 'wasWithdrawn'
  | 'noAgreement'
  | 'severalPayees';
/** Why a file is refused whole. */
export type FileFaultCode =
  | 'otherEncoding'
  | 'notUtf8'
  | 'lineTooLong'
  | 'emptyFile'
  | 'columnsMissing'
  | 'cardNumber'
  | 'tooManyBatches'
  | 'lineTwice'
  | 'fileChanged';

/** Why a line cannot be read: no value of it stands here. Who shows it finds the words. */
export interface LineFault {
  readonly code: LineFaultCode;
  /** Undefined: the line as a whole. */
  readonly column?: Column;
  /** What it must be: a number, the form of a day. */
  readonly value?: string;
}

/** Why a file, a batch or a line is refused. */
export interface FileFault {
  readonly code: LineFaultCode | BatchFaultCode | FileFaultCode;
  /** From 1, the header. */
  readonly line?: number;
  readonly column?: Column;
  /** What the code is about: columns that are missing, an encoding, a number. */
  readonly value?: string;
}

/** What the lines of a batch come to, before anything is stored. */
export interface BatchSums {
  readonly name: string;
  /** The merchant number that its first Payout names; empty where it has none. Name and number together name a batch of an acquirer. */
  readonly merchantId: string;
  /** The merchant number of its lines, where others have a batch of that name too; undefined: all lines of the name are its own. */
  readonly only: string | undefined;
  readonly currency: Currency;
  /** Merchant numbers of its payouts. */
  readonly paid: ReadonlySet<string>;
  readonly lines: number;
  readonly gross: number;
  readonly fee: number;
  readonly payout: number;
  /** SHA-256 of its lines. */
  readonly digest: Buffer;
  /** The first line that cannot be read, or what else is wrong with it. */
  readonly fault: FileFault | undefined;
}

/** Whom a batch is for. */
export interface BatchOwner {
  readonly payeeId: PayeeId;
  /** The agreement that its payout names. */
  readonly agreement: string;
}

/** A batch that is stored. */
export interface NewBatch extends BatchSums, BatchOwner, BatchKey {}

/** Names a batch as it is stored: the id is ours. */
export interface BatchKey {
  readonly payeeId: PayeeId;
  readonly acquirer: string;
  readonly batchId: string;
}

/** A difference of a line. */
export interface LineDifference extends BatchKey {
  readonly differenceId: string;
  readonly kind: DifferenceKind;
  readonly agreement: string;
  readonly currency: string;
  readonly theirCurrency: string | null;
  readonly day: string | null;
  readonly attemptId: string | null;
  readonly lineId: string;
  readonly ours: number | null;
  readonly theirs: number;
  readonly now: string;
}

/** What became of the batches of a file. */
export interface ImportedFile {
  /** Lines of batches that were stored by this run. */
  readonly lines: number;
  readonly batches: number;
  /** Batches that were there before. */
  readonly known: number;
  /** Whole file that was there before: nothing was read of it. */
  readonly isKnown: boolean;
  readonly matched: number;
  readonly differences: number;
  readonly disputes: number;
  readonly refused: readonly { readonly batch: string; readonly merchantId: string; readonly reason: FileFault }[];
}

/** A digest in the making. */
export interface Digest {
  update(part: string | Buffer): unknown;
  digest(): Buffer;
}

/** A settlement file, to be read from its beginning as often as it is asked for. */
export interface OpenFile {
  /** Without its folder. */
  readonly name: string;
  readonly chunks: () => AsyncIterable<Buffer>;
  /** Begins a SHA-256. */
  readonly newDigest: () => Digest;
}

/** A file to be imported. */
export interface ImportFile {
  readonly acquirer: Acquirer;
  readonly file: OpenFile;
  readonly actor: Actor;
  readonly now: Date;
  /** Whether batches that were withdrawn are taken again as they are. */
  readonly takesWithdrawn?: boolean | undefined;
  /** What a person of a payee sends is bound; undefined: a file of the operator's, for all payees. */
  readonly sent?: SentFile | undefined;
}

/** The bounds of a file that a person of a payee sends. */
export interface SentFile {
  /** Whose batches it may hold: all others are refused. */
  readonly payeeId: PayeeId;
  /** Batches that it may hold. */
  readonly mostBatches: number;
  /** SHA-256 of what the person has looked at, in hexadecimal digits; undefined where they are only looking. */
  readonly digest: string | undefined;
}

/** Why a line cannot be read, and where it stands. */
export interface UnreadLine {
  /** From 1, the header. */
  readonly line: number;
  readonly batch: string;
  readonly reason: LineFault;
}

/** What would become of a batch. */
export interface PreviewedBatch {
  readonly batch: string;
  readonly merchantId: string;
  readonly state: 'New' | 'Known' | 'Refused';
  readonly lines: number;
  /** Null where a line of it cannot be read, or has another currency: amounts say nothing then. They are in minor units. */
  readonly currency: Currency | null;
  readonly gross: number;
  readonly fee: number;
  readonly payout: number;
  /** Why it is refused. */
  readonly reason: FileFault | null;
}

/** What would become of lines that have the same outcome and currencies. */
export interface LinesOutcome {
  /** The kind of their differences; `others` are of no sale: fees, reserves. */
  readonly outcome: 'matched' | 'disputed' | 'others' | DifferenceKind;
  readonly lines: number;
  /** What the file says, in minor units. */
  readonly currency: Currency;
  readonly amount: number;
  /** What our books say; null where they say nothing. */
  readonly ourCurrency: Currency | null;
  readonly ours: number | null;
}

/** What an import would do: nothing is done. */
export interface PreviewedFile {
  readonly digest: Buffer;
  readonly lines: number;
  readonly isKnown: boolean;
  readonly batches: readonly PreviewedBatch[];
  /** Of the batches that are new. */
  readonly outcomes: readonly LinesOutcome[];
  readonly unread: readonly UnreadLine[];
  /** There are more lines that cannot be read than are told. */
  readonly hasMoreUnread: boolean;
}
