import type { Secret } from '../kit/secret.ts';
import type { FieldName, TagName } from './dialects/dialect.types.ts';

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
}

/** Takes bytes as they arrive, and gives the frame of each message to `take`, without what stands before it. */
export type FrameSplitter = (bytes: Uint8Array, take: (frame: Buffer) => void) => void;

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
  /** A splitter for one connection. After a `ProtocolError` it is of no more use. */
  readonly splitter: () => FrameSplitter;
}
