import { LEAST_NONCE_CHARACTERS, NONCE_CHARACTERS } from '../../kit/limits.ts';
import { withoutEnding } from '../../kit/work/without-ending.ts';

/** One thing that is likely wrong with a signature. */
export interface Cause {
  readonly code: string;
  /** The line of the signed text that is wrong first, from 1; null where the text is not to blame. */
  readonly line: number | null;
  /** What was done, and what to do instead. Never a value. */
  readonly words: string;
}

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

/** Reads an `Hmac` header as far as it goes, to say what is wrong with it. Nobody is let in by what this finds. */
export function readLoosely(text: string): LooseHeader {
  const [, scheme = '', blanks = '', rest = ''] = /^(?:(\S*)(\s+))?(.*)$/s.exec(text.trim()) ?? [];
  const [, user = '', nonce = '', digestText = ''] = /^([^:]*):(.*):([^:]*)$/s.exec(rest) ?? [];
  const { digest, causes } = readDigest(digestText);
  const isSplit = /:.*:/s.test(rest);
  return {
    user,
    nonce,
    digest,
    causes: [
      ...(scheme === 'HmacSHA512' && blanks === ' ' ? [] : [OTHER_SCHEME]),
      ...(isSplit ? [] : [OTHER_FIELDS]),
      ...(isSplit && !NONCE.test(nonce) ? [OTHER_NONCE] : []),
      ...(isSplit ? causes : []),
    ],
  };
}

function readDigest(text: string): Pick<LooseHeader, 'digest' | 'causes'> {
  const { bytes, causes } = decodeDigest(text);
  const algorithm = ALGORITHMS.get(bytes.length);
  if (algorithm === undefined) return { digest: undefined, causes: [NO_DIGEST] };
  const isOther = algorithm !== 'sha512';
  return { digest: { bytes, algorithm }, causes: isOther ? [...causes, OTHER_ALGORITHM] : causes };
}

function decodeDigest(text: string): { bytes: Buffer; causes: readonly Cause[] } {
  const isHex = /^[0-9a-f]*$/i.test(text) && ALGORITHMS.has(text.length / 2);
  if (isHex) return { bytes: Buffer.from(text, 'hex'), causes: [IN_HEX] };
  const bytes = Buffer.from(text, 'base64');
  const inner = bytes.toString('latin1');
  if (/^[0-9a-f]+$/i.test(inner) && ALGORITHMS.has(inner.length / 2)) {
    return { bytes: Buffer.from(inner, 'hex'), causes: [HEX_IN_BASE64] };
  }
  const padded = bytes.toString('base64');
  if (padded === text) return { bytes, causes: [] };
  if (withoutEnding(padded, '=') === text) return { bytes, causes: [WITHOUT_PADDING] };
  if (bytes.toString('base64url') === withoutEnding(text, '=')) return { bytes, causes: [IN_BASE64URL] };
  return { bytes: Buffer.alloc(0), causes: [] };
}

const OTHER_SCHEME: Cause = {
  code: 'other-scheme',
  line: null,
  words: 'The header begins with HmacSHA512, in this spelling, and one blank.',
};
const OTHER_FIELDS: Cause = {
  code: 'other-fields',
  line: null,
  words: 'After the blank come three fields with colons between them: user, nonce and digest.',
};
const OTHER_NONCE: Cause = {
  code: 'other-nonce',
  line: 4,
  words: `The nonce has ${LEAST_NONCE_CHARACTERS} to ${NONCE_CHARACTERS} visible characters of ASCII.`,
};
const OTHER_ALGORITHM: Cause = {
  code: 'other-algorithm',
  line: null,
  words: 'The digest has the length of another algorithm. It is HMAC-SHA-512: 64 bytes.',
};
const IN_HEX: Cause = {
  code: 'digest-in-hex',
  line: null,
  words: 'The digest is written in hexadecimal. It is written in Base64.',
};
const HEX_IN_BASE64: Cause = {
  code: 'digest-encoded-twice',
  line: null,
  words: 'The digest is written in hexadecimal and that in Base64. Its 64 bytes are written in Base64.',
};
const IN_BASE64URL: Cause = {
  code: 'digest-in-base64url',
  line: null,
  words: 'The digest is written in Base64 for addresses. It is written in standard Base64, with + and /.',
};
const WITHOUT_PADDING: Cause = {
  code: 'digest-without-padding',
  line: null,
  words: 'The digest lacks the == at its end. It has 88 characters.',
};
const NO_DIGEST: Cause = {
  code: 'no-digest',
  line: null,
  words: 'The third field is no digest: 64 bytes in standard Base64 are 88 characters that end with ==.',
};

/** What can be wrong with the form of a header. */
export const FORM_CAUSES: readonly Cause[] = [
  OTHER_SCHEME,
  OTHER_FIELDS,
  OTHER_NONCE,
  OTHER_ALGORITHM,
  IN_HEX,
  HEX_IN_BASE64,
  IN_BASE64URL,
  WITHOUT_PADDING,
  NO_DIGEST,
];
