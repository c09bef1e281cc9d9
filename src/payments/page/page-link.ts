import type { KeyRing } from '../../keys/keys.types.ts';
import { parsePayeeId } from '../../kit/ids.ts';
import { equalDigests, Secret } from '../../kit/secret.ts';
import type { PaymentId } from '../../ledger/ledger.types.ts';
import type { CardPaymentKey } from '../payments.types.ts';

/** Bytes of a payment's id, and of the digest that only we can make of it. */
const ID_BYTES = 16;
const DIGEST_BYTES = 32;

/**
 * The path of the page of a payment: its payee, its id and a keyed digest of both. It is the same each time, so nothing is
 * stored; a link cannot be made up for a payment.
 */
export function pageLink(keyRing: KeyRing, key: CardPaymentKey): string {
  const id = Buffer.from(key.paymentId.replaceAll('-', ''), 'hex');
  return `/pay/${key.payeeId}/${Buffer.concat([id, digestOf(keyRing, key)]).toString('base64url')}`;
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
  return equalDigests(bytes.subarray(ID_BYTES), digestOf(keyRing, key)) ? key : undefined;
}

/** Under the key whose digests outlive rotations: a link lives as long as its payment. */
function digestOf(keyRing: KeyRing, { payeeId, paymentId }: CardPaymentKey): Buffer {
  return keyRing.digest(keyRing.current('identity'), payeeId, new Secret(`page ${paymentId}`));
}

function uuidOf(bytes: Buffer): PaymentId {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  ) as PaymentId;
}
