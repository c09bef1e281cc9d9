import { compactUuid, expandUuid, type PayeeId } from '../../kit/ids.ts';
import { base62, sha256 } from '../../kit/secret.ts';

type Mode = 'sandbox' | 'production';

/** What the form of an access token tells before anything is looked up. */
export interface AccessTokenForm {
  readonly payeeId: PayeeId;
  /** SHA-256 of the whole token: what is stored of it. */
  readonly hash: Buffer;
}

const LENGTH = 'kt_test_'.length + 32 + 1 + 43 + 1 + 6;
const FORM = /^(kt_(?:test|live)_)([0-9a-f]{32})_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/;

/**
 * Puts an access token together: `kt_test_<payee>_<secret>_<checksum>`, or `kt_live_…` in production. The fixed prefix
 * and the checksum let a scanner recognise a leaked token, and let us refuse a mistyped one without a look-up.
 *
 * @param secret 43 characters, 256 random bits
 */
export function composeAccessToken(mode: Mode, payeeId: PayeeId, secret: string): string {
  const body = `${prefixOf(mode)}${compactUuid(payeeId)}_${secret}`;
  return `${body}_${checksum(body)}`;
}

/**
 * The payee and the digest of an access token, or undefined where the text is no access token of this mode: the sandbox
 * does not know a live token, and production no test token.
 */
export function readAccessToken(mode: Mode, text: string): AccessTokenForm | undefined {
  if (text.length !== LENGTH) return undefined;
  const [, prefix, compactPayee = ''] = FORM.exec(text) ?? [];
  if (prefix !== prefixOf(mode)) return undefined;
  if (!text.endsWith(checksum(text.slice(0, -7)))) return undefined;
  const payeeId = expandUuid(compactPayee);
  return payeeId === undefined ? undefined : { payeeId: payeeId as PayeeId, hash: sha256(text) };
}

function prefixOf(mode: Mode): string {
  return mode === 'production' ? 'kt_live_' : 'kt_test_';
}

/** 32 bits of a digest as 6 characters. It finds typing errors and no more: the secret is what cannot be guessed. */
function checksum(body: string): string {
  return base62(sha256(body).subarray(0, 4), 6);
}
