import { equalDigests, hmacSha1, keyedDigest, type Secret } from '../../kit/secret.ts';

/** Seconds that a code is shown, and its digits: what every app expects (RFC 6238, section 5.2). */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Steps that a phone's clock may be wrong by, either way. */
const DRIFT_STEPS = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a step (RFC 4226, section 5.3), the whole half minutes since 1970. */
export function codeOfStep(seed: Secret<Buffer>, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = hmacSha1(seed.reveal(), counter);
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * The step that a code belongs to; undefined where it is wrong, or of a step that was used before: a code works once
 * (RFC 6238, section 5.2).
 */
export function stepOfCode(
  seed: Secret<Buffer>,
  code: string,
  { nowSeconds, lastStep }: { readonly nowSeconds: number; readonly lastStep: number },
): number | undefined {
  const now = Math.floor(nowSeconds / STEP_SECONDS);
  const steps = Array.from({ length: 2 * DRIFT_STEPS + 1 }, (_, index) => now - DRIFT_STEPS + index);
  // Each is compared, so that the time of the answer does not tell which one was near.
  const fitting = steps.filter((step) => equalDigests(Buffer.from(codeOfStep(seed, step)), Buffer.from(code)));
  return fitting.find((step) => step > lastStep);
}

/** Whether a text has the form of such a code; else it may be a recovery code. */
export function isShownCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/** What is stored of a recovery code: it can be computed only by opening the seed. Case and dashes do not matter. */
export function digestOfRecoveryCode(seed: Secret<Buffer>, code: string): Buffer {
  return keyedDigest(seed.reveal(), `recovery-code ${code.toUpperCase().replace(/[\s-]/g, '')}`);
}

/** A recovery code as it is shown: ten characters of Base32 from 50 random bits, in two groups. */
export function recoveryCodeOf(random: Secret<Buffer>): string {
  const text = base32(random.reveal()).slice(0, 10);
  return `${text.slice(0, 5)}-${text.slice(5)}`.toLowerCase();
}

/** Bytes in Base32 without padding (RFC 4648, section 6), as apps take seeds. */
export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2))).join('');
}

/** The address that an app reads from a QR code: `otpauth://totp/Kontor:anna@example.com?secret=…&issuer=Kontor`. */
export function setUpAddress(seed: Secret<Buffer>, email: string): string {
  return `otpauth://totp/Kontor:${encodeURIComponent(email)}?secret=${base32(seed.reveal())}&issuer=Kontor`;
}
