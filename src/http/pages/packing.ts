import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { remembering } from './memo.ts';

/** Bytes from which on an answer is packed: one that fits a packet gets there no sooner. */
export const LEAST_PACKED_BYTES = 1024;
/** Bytes from which on what is packed once is packed less well: the reference's script would take seconds. */
const LARGE_ANSWER_BYTES = 1024 * 1024;
/** Answers that are kept packed: every file and page that is the same for all, twice over. */
const KEPT_PACKED_ANSWERS = 256;

/** The forms in which a body is sent; `identity` is as it is. */
export type Coding = 'br' | 'gzip' | 'identity';

const packers = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/**
 * The form to send a body in, of those that the caller takes (RFC 9110, section 12.5.3). Where they take both alike it is
 * Brotli, which is smaller. A coding that is not understood is passed over, and so is a malformed weight.
 */
export const chooseCoding = remembering((acceptEncoding: string): Coding => {
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(readWeight));
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;
  if (weightOf('br') === 0 && weightOf('gzip') === 0) return 'identity';
  return weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
});

function readWeight(element: string): [string, number] {
  const [name = '', weight] = element.split(';');
  const [key, value = ''] = (weight ?? 'q=1').split('=');
  const quality = key?.trim() === 'q' ? Number(value.trim()) : Number.NaN;
  return [name.trim(), quality >= 0 && quality <= 1 ? quality : 0];
}

/** Packs what one request is answered with: quickly, because its reader waits for the first byte. */
export async function packNow(body: Buffer, coding: Coding): Promise<{ body: Buffer; coding: Coding }> {
  if (coding === 'identity' || body.length < LEAST_PACKED_BYTES) return { body, coding: 'identity' };
  return { body: await pack(body, coding, QUICK), coding };
}

/** An answer that is the same for all, in each form that was asked for. */
interface Kept {
  /** Tells this content from every other (RFC 9110, section 8.8.3), without its quotes. */
  readonly tag: string;
  readonly forms: Map<Coding, Promise<Buffer>>;
}

const kept = new Map<string | Buffer, Kept>();

/** Packs an answer that is the same for all: well, and once. */
export async function packOnce(
  content: string | Buffer,
  wanted: Coding,
): Promise<{ body: Buffer; coding: Coding; tag: string }> {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content);
  const coding = bytes.length < LEAST_PACKED_BYTES ? 'identity' : wanted;
  const { tag, forms } = keptOf(content, bytes);
  let form = forms.get(coding);
  if (form === undefined) {
    form = coding === 'identity' ? Promise.resolve(bytes) : pack(bytes, coding, qualityFor(bytes));
    forms.set(coding, form);
  }
  return { body: await form, coding, tag: coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"` };
}

function keptOf(content: string | Buffer, bytes: Buffer): Kept {
  let known = kept.get(content);
  if (known === undefined) {
    // The service has a few dozen of these: files, and pages that change with its address alone.
    if (kept.size >= KEPT_PACKED_ANSWERS) kept.clear();
    known = { tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22), forms: new Map() };
    kept.set(content, known);
  }
  return known;
}

/** Levels of both packers. */
interface Quality {
  readonly br: number;
  readonly gzip: number;
}

const QUICK: Quality = { br: 4, gzip: 4 };
const GOOD: Quality = { br: 10, gzip: 9 };

/** To pack megabytes as well as can be takes seconds. */
function qualityFor(bytes: Buffer): Quality {
  return bytes.length > LARGE_ANSWER_BYTES ? { br: 5, gzip: 6 } : GOOD;
}

function pack(body: Buffer, coding: 'br' | 'gzip', quality: Quality): Promise<Buffer> {
  if (coding === 'gzip') return packers.gzip(body, { level: quality.gzip });
  return packers.br(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality.br,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
