import type { Secret } from '../kit/secret.ts';
import type { DialectMac, FieldName, TagName } from './dialects/dialect.types.ts';

/** What a field or tag holds. Card numbers, codes and authentication values are `Secret`, both ways. */
export type Value = string | Secret;

/** A message by names. Numbers are texts of digits, as they are sent. */
export interface Message {
  /** Four digits. */
  readonly type: string;
  /** All but the private data. */
  readonly fields: Readonly<Partial<Record<Exclude<FieldName, 'privateData'>, Value>>>;
  /** The private data. */
  readonly tags: Readonly<Partial<Record<TagName, Value>>>;
  /** Of a message that was read; undefined where there is nothing to note. */
  readonly notes?: FrameNotes;
}

/** What an acquirer's answer says of the card itself, beside what it says of the payment. */
export type CardUpdate =
  /** It was replaced: it has another number, another expiry (`MM/YYYY`), or both. */
  | { readonly kind: 'Replaced'; readonly number: Secret | undefined; readonly expiryDate: string | undefined }
  | { readonly kind: 'Closed' }
  /** The code says that it was replaced, and what it was replaced by cannot be read. */
  | { readonly kind: 'Unreadable' };

/** A message on a line, as it passed. */
export interface PassedMessage {
  readonly message: Message;
  /** Whether we have sent it. */
  readonly isOurs: boolean;
  /** Whether its bytes went out a second time, with the type of a repeat. */
  readonly isRepeat?: boolean;
}

/** A message as it may be kept and shown. */
export interface TracedMessage {
  readonly type: string;
  readonly fields: readonly TracedField[];
}

/** A value with the number of its field and the dialect's name; without a name where the dialect has none. */
export type TracedField = readonly [number: number, name: string, value: string];

/** What was seen of a frame beside what it says. */
export interface FrameNotes {
  /** Numbers of the fields that were read and ignored. */
  readonly others: readonly number[];
  /** Numbers of named fields that are of another form than the dialect says: the message is without them. */
  readonly unreadable: readonly number[];
  /** What is odd in the private data. All other tags of it have been read. */
  readonly tagHabits: readonly TagHabit[];
}

/** Takes bytes as they arrive, and gives the frame of each message to `take`, without what stands before it. */
export type FrameSplitter = (bytes: Uint8Array, take: (frame: Buffer) => void) => void;

/** What a host may do and another one does not. None of it is a fault by itself. */
export const HABITS = [
  'OtherField',
  'NotEchoed',
  'Unreadable',
  'TagOrder',
  'TagLength',
  'TagTwice',
  'TagPadding',
  'BlankCode',
  'NoSchemeId',
  'TwoAnswers',
  'EmptyFrame',
  'InPieces',
] as const;

/** A habit as it was seen, with the number of the field; 0 where it is about none. */
export interface HostHabit {
  readonly habit: (typeof HABITS)[number];
  readonly field: number;
}

/**
 * How a host writes tags. `TagOrder`: not in ascending order. `TagLength`: one that the dialect names has more characters than
 * the dialect says, or a control character, and is left out. `TagTwice`: one came twice, and the first counts. `TagPadding`: blanks,
 * zeros or NULs stand behind the last one.
 */
export type TagHabit = Extract<(typeof HABITS)[number], `Tag${string}`>;

/** How a host writes frames: one of length 0, or one in more pieces than a network makes of it. */
export type FrameHabit = 'EmptyFrame' | 'InPieces';

/** The message authentication codes of a key that both sides have. */
export interface MessageMac {
  readonly bytes: number;
  of(message: Buffer): Buffer;
  fits(message: Buffer, mac: Buffer): boolean;
}

/** Makes them of a key in hexadecimal digits, of a length that `MAC_KEY_BYTES` allows. */
export type MakeMac = (how: DialectMac, key: Secret) => MessageMac;

/** A dialect at work. */
export interface Codec {
  /** The bytes of one message, with their header. */
  readonly encode: (message: Message) => Buffer;
  /**
   * A message out of a frame.
   *
   * @throws ProtocolError where it is none
   */
  readonly decode: (frame: Buffer) => Message;
  /** The same bytes as those of the first, with the type of a repeat. */
  readonly repeatOf: (bytes: Buffer) => Buffer;
  /** A splitter for one connection, which may hear how frames arrive. After a `ProtocolError` it is of no more use. */
  readonly splitter: (note?: (habit: FrameHabit) => void) => FrameSplitter;
}
