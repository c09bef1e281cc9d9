import type { FrameHeader } from './dialects/dialect.types.ts';
import type { FrameHabit, FrameSplitter } from './messages.types.ts';

/** Bytes of one message: twice the longest that the fields of a dialect add up to in practice. */
export const FRAME_BYTES = 4096;

/** Pieces of a frame from which on its host counts as writing it so: a network makes two or three of it. */
const MANY_PIECES = 8;

/** What is wrong with bytes that should be a message. */
export type ProtocolFault =
  | 'frame too long'
  | 'another prefix'
  | 'no type'
  | 'field not known'
  | 'not digits'
  | 'bytes missing'
  | 'bytes left over'
  | 'other MAC';

/** Bytes that are no message of the dialect. Its text has no byte of them. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly fault: ProtocolFault;
  /** The field's number. */
  readonly field: number | undefined;

  constructor(fault: ProtocolFault, field?: number) {
    super(field === undefined ? fault : `${fault}, field ${field}`);
    this.fault = fault;
    this.field = field;
  }
}

/** A message that the dialect has no room for: it is not sent. Its text names the field or tag, and has no value. */
export class EncodeError extends Error {
  override readonly name = 'EncodeError';
  /** As in `fields.stan`, where the dialect describes it. */
  readonly place: string;
  readonly complaint: string;

  constructor(place: string, complaint: string) {
    super(`${place} ${complaint}`);
    this.place = place;
    this.complaint = complaint;
  }
}

/**
 * Splits a stream into frames: in any pieces, several in one piece. A length of 0 keeps the line open and is left out. Each
 * byte is copied once, and no more than one frame is kept.
 *
 * @throws ProtocolError for a length that no message has; what came before it has been given away
 */
export function frameSplitter(
  { lengthBytes, countsItself, lengthForm = 'binary' }: FrameHeader,
  note: (habit: FrameHabit) => void = () => undefined,
): FrameSplitter {
  const header = Buffer.alloc(lengthBytes);
  let headerBytes = 0;
  let frame: Buffer | undefined;
  let frameBytes = 0;
  let pieces = 0;
  return (bytes, take) => {
    let at = 0;
    while (at < bytes.length) {
      if (frame === undefined) {
        header[headerBytes++] = bytes[at++] ?? 0;
        if (headerBytes < lengthBytes) continue;
        headerBytes = 0;
        frame = roomFor(lengthIn(header, lengthForm) - (countsItself ? lengthBytes : 0));
        frameBytes = 0;
        pieces = 0;
        if (frame === undefined) note('EmptyFrame');
        continue;
      }
      const piece = bytes.subarray(at, at + frame.length - frameBytes);
      frame.set(piece, frameBytes);
      frameBytes += piece.length;
      at += piece.length;
      pieces++;
      if (frameBytes < frame.length) continue;
      const whole = frame;
      frame = undefined;
      if (pieces >= MANY_PIECES) note('InPieces');
      take(whole);
    }
  };
}

function lengthIn(header: Buffer, lengthForm: FrameHeader['lengthForm']): number {
  if (lengthForm === 'binary') return header.readUIntBE(0, header.length);
  const digits = header.toString('latin1');
  if (/[^0-9]/.test(digits)) throw new ProtocolError('not digits');
  return Number(digits);
}

/** Room for a frame of this length; undefined for the one that only keeps the line open. */
function roomFor(length: number): Buffer | undefined {
  // A header that counts itself and says 0 has nothing behind it either.
  if (length === 0) return undefined;
  if (length < 0 || length > FRAME_BYTES) throw new ProtocolError('frame too long');
  return Buffer.alloc(length);
}

/** Puts the header before a message. */
export function framed({ lengthBytes, countsItself, prefix, lengthForm }: FrameHeader, message: Buffer): Buffer {
  const length = prefix.length / 2 + message.length + (countsItself ? lengthBytes : 0);
  const header = Buffer.alloc(lengthBytes);
  if (lengthForm === 'digits') header.write(String(length).padStart(lengthBytes, '0'), 'latin1');
  else header.writeUIntBE(length, 0, lengthBytes);
  return Buffer.concat([header, Buffer.from(prefix, 'hex'), message]);
}
