import { createHash } from 'node:crypto';
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { OpenFile } from './files.types.ts';

/** Bytes that are read in one turn of the event loop: some hundred lines, a few milliseconds. */
const PORTION_BYTES = 16 * 1024;

/** A file that a person has sent. All others get their turn between two portions of it. */
export function sentFile(name: string, bytes: Buffer): OpenFile {
  async function* portions(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += PORTION_BYTES) {
      yield bytes.subarray(at, at + PORTION_BYTES);
      await othersFirst();
    }
  }
  return { name, chunks: portions, newDigest: () => createHash('sha256') };
}
