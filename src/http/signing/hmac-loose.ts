import { LEAST_NONCE_CHARACTERS, NONCE_CHARACTERS } from '../../kit/limits.ts';
import { withoutEnding } from '../../kit/work/without-ending.ts';
import type { Cause } from './hmac-causes.ts';

/** What an `Hmac` header seems to say, however it is written. */
export interface LooseHeader {
  readonly user: string;
  readonly nonce: string;
  /** The digest and what made it, where its length tells. */
  readonly digest: { readonly bytes: Buffer; readonly algorithm: string } | undefined;
  /** What is wrong with its form. */
  readonly causes: readonly Cause[];
}

const ALGORITHMS = new Map([
  [64, 'sha512'],
  [48, 'sha384'],
  [32, 'sha256'],
  [20, 'sha1'],
]);

const NONCE = new RegExp(`^[!-~]{${LEAST_NONCE_CHARACTERS},${NONCE_CHARACTERS}}$`);

/** Reads an `Hmac` header as far as it goes, to say what is wrong with it. No caller is let in by what this finds. */
export function readLoosely(text: string): LooseHeader {
  const [, scheme = '', blanks = '', rest = ''] = /^(?:(\S*)(\s+))?(.*)$/s.exec(text.trim()) ?? [];
  const [, user = '', nonce = '', digestText = ''] = /^([^:]*):(.*):([^:]*)$/s.exec(rest) ?? [];
  const { digest, causes } = readDigest(digestText);
  const isSplit = /:.*:/s.test(rest);
  const form: Cause[] = scheme === 'HmacSHA512' && blanks === ' ' ? [] : ['other-scheme'];
  if (!isSplit) form.push('other-fields');
  else if (!NONCE.test(nonce)) form.push('other-nonce');
  return { user, nonce, digest, causes: isSplit ? [...form, ...causes] : form };
}

function readDigest(text: string): Pick<LooseHeader, 'digest' | 'causes'> {
  const { bytes, causes } = decodeDigest(text);
  const algorithm = ALGORITHMS.get(bytes.length);
  if (algorithm === undefined) return { digest: undefined, causes: ['no-digest'] };
  const isOther = algorithm !== 'sha512';
  return { digest: { bytes, algorithm }, causes: isOther ? [...causes, 'other-algorithm'] : causes };
}

function decodeDigest(text: string): { bytes: Buffer; causes: readonly Cause[] } {
  const isHex = /^[0-9a-f]*$/i.test(text) && ALGORITHMS.has(text.length / 2);
  if (isHex) return { bytes: Buffer.from(text, 'hex'), causes: ['digest-in-hex'] };
  const bytes = Buffer.from(text, 'base64');
  const inner = bytes.toString('latin1');
  if (/^[0-9a-f]+$/i.test(inner) && ALGORITHMS.has(inner.length / 2)) {
    return { bytes: Buffer.from(inner, 'hex'), causes: ['digest-encoded-twice'] };
  }
  const padded = bytes.toString('base64');
  if (padded === text) return { bytes, causes: [] };
  if (withoutEnding(padded, '=') === text) return { bytes, causes: ['digest-without-padding'] };
  if (bytes.toString('base64url') === withoutEnding(text, '=')) return { bytes, causes: ['digest-in-base64url'] };
  return { bytes: Buffer.alloc(0), causes: [] };
}
