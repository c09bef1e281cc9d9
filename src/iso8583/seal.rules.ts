import { ProtocolError } from './frames.rules.ts';
import type { MessageMac } from './messages.types.ts';

/** Fields of one bitmap. */
const FIELDS = 64;

/** The message authentication code as the last field of a message, where a key is agreed. */
export interface Seal {
  /** The numbers of a message's fields with that of the code. */
  with(numbers: readonly number[]): readonly number[];
  /** The numbers of a message's fields without that of the code, which must be there. */
  without(numbers: readonly number[]): readonly number[];
  /** Room for the code. */
  readonly room: readonly Buffer[];
  /** Writes the code over the end of the bytes: that of what stands between there and `from`. */
  close(bytes: Buffer, from: number): Buffer;
  /** A message without its code, which must be right. */
  open(message: Buffer): Buffer;
}

/** @param mac undefined where no key is agreed: then nothing is sealed */
export function sealOf(mac: MessageMac | undefined): Seal {
  if (mac === undefined) {
    const same = <Thing>(thing: Thing) => thing;
    return { with: same, without: same, room: [], close: same, open: same };
  }
  return {
    with: (numbers) => [...numbers, lastOf(numbers)],
    without(numbers) {
      if (numbers.at(-1) !== lastOf(numbers)) throw new ProtocolError('other MAC');
      return numbers.slice(0, -1);
    },
    room: [Buffer.alloc(mac.bytes)],
    close(bytes, from) {
      const end = bytes.length - mac.bytes;
      mac.of(bytes.subarray(from, end)).copy(bytes, end);
      return bytes;
    },
    open(message) {
      const end = message.length - mac.bytes;
      if (end < 0 || !mac.fits(message.subarray(0, end), message.subarray(end))) throw new ProtocolError('other MAC');
      return message.subarray(0, end);
    },
  };
}

/** The number of the field that has the code: the last one there can be. */
function lastOf(numbers: readonly number[]): number {
  return numbers.some((number) => number > FIELDS) ? 2 * FIELDS : FIELDS;
}
