import type { KeyRing } from '../../keys/keys.types.ts';
import { parsePayeeId } from '../../kit/ids.ts';
import { equalDigests, Secret } from '../../kit/secret.ts';
import type { PaymentId } from '../../ledger/ledger.types.ts';
import type { CardPaymentKey } from '../payments.types.ts';

/** Bytes of a payment's id, and of the digest that only we can make of it. */
const ID_BYTES = 16;
const DIGEST_BYTES = 32;

/** Days for which a link opens that was made before a rotation: longer than any page can be paid. */
export const PAGE_LINK_DAYS = 90;

/**
 * The path of the page of a payment: its payee, its id and a keyed digest of both. It is the same each time until the key is
 * rotated, so nothing is stored; a link cannot be made up for a payment.
 */
export function pageLink(keyRing: KeyRing, key: CardPaymentKey): string {
  const id = Buffer.from(key.paymentId.replaceAll('-', ''), 'hex');
  const digest = keyRing.digest(keyRing.current('page-links'), key.payeeId, linkText(key));
  return `/pay/${key.payeeId}/${Buffer.concat([id, digest]).toString('base64url')}`;
}

/** The payment that a link leads to; undefined where it is no link of ours. Nothing is looked up. */
export function openPageLink(
  keyRing: KeyRing,
  named: { readonly payeeId: string; readonly secret: string },
): CardPaymentKey | undefined {
  const payeeId = parsePayeeId(named.payeeId);
  const bytes = Buffer.from(named.secret, 'base64url');
  if (payeeId === undefined || bytes.length !== ID_BYTES + DIGEST_BYTES) return undefined;
  if (bytes.toString('base64url') !== named.secret) return undefined;
  const key = { payeeId, paymentId: uuidOf(bytes.subarray(0, ID_BYTES)) };
  const digests = keyRing.digests('page-links', payeeId, linkText(key));
  return digests.some((digest) => equalDigests(bytes.subarray(ID_BYTES), digest)) ? key : undefined;
}

function linkText({ paymentId }: CardPaymentKey): Secret {
  return new Secret(`page ${paymentId}`);
}

function uuidOf(bytes: Buffer): PaymentId {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  ) as PaymentId;
}
