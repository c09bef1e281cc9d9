import type { PayeeId } from '../../kit/ids.ts';
import { instantOf } from '../../kit/instants.ts';
import type { SignatureFault } from '../../kit/refused-caller.ts';
import { equalDigests, randomSecret, Secret } from '../../kit/secret.ts';
import type { Signature } from '../route.types.ts';
import { type HmacHeader, parseHmacHeader, type SignedParts, signatureDigest, signedPaths } from './hmac.ts';
import { isTimely, parseTransmissionTime } from './transmission-time.ts';

/** What signatures are checked with. */
export interface SignatureContext {
  /** The secret of a payee's key that is valid now: at once where it is known. */
  readonly findSecret: (key: SigningKey) => Secret | undefined | Promise<Secret | undefined>;
  /** Our clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** For tests that count; else HMAC-SHA-512. */
  readonly digestOf?: DigestOf;
}

/** Computes the digest of a request under a secret. */
type DigestOf = (secret: Secret, parts: SignedParts) => Buffer;

function digestUnder(secret: Secret, parts: SignedParts): Buffer {
  return signatureDigest(secret.reveal(), parts);
}

/** Names a key. It is looked for within the payee of the access token, so a foreign key is an unknown one. */
export interface SigningKey {
  readonly payeeId: PayeeId;
  readonly keyId: string;
}

/** A request whose signature is in question. */
export interface SignedRequest {
  readonly payeeId: PayeeId;
  readonly method: string;
  /** The request target: path and query. */
  readonly url: string;
  /** The texts of the headers `Hmac` and `Transmission-Time`. */
  readonly hmac: string;
  readonly transmissionTime: string | undefined;
  readonly body: Buffer;
}

/** A signature that is right, or what is wrong with it and the secret that it should have been made with. */
export type Verdict =
  | { readonly signature: Signature; readonly fault?: undefined }
  | { readonly fault: SignatureFault; readonly secret?: Secret | undefined };

/** Judges a signature: at once where the key is known. */
export type CheckSignature = (request: SignedRequest) => Verdict | Promise<Verdict>;

/**
 * Makes the check of signatures. The same digests are computed and compared for a key that does not exist, under a
 * random secret, so that the time of the answer does not tell which keys exist.
 */
export function signatureChecker({ findSecret, now, digestOf = digestUnder }: SignatureContext): CheckSignature {
  const nobodys = new Secret(randomSecret());
  const judge = (request: SignedRequest, header: HmacHeader, secret: Secret | undefined): Verdict => {
    const fits = fitsRequest(digestOf, secret ?? nobodys, { request, header });
    const receivedAt = now();
    const sentAt = sendingTime(request, receivedAt);
    if (secret === undefined) return { fault: 'unknown-key' };
    if (!fits) return { fault: 'wrong-digest', secret };
    if (sentAt === undefined || !isTimely(sentAt, receivedAt)) return { fault: 'wrong-time', secret };
    const { user, nonce } = header;
    return { signature: { user, nonce, transmittedAt: instantOf(sentAt) } };
  };
  return (request) => {
    const header = parseHmacHeader(request.hmac);
    if (header === undefined) return { fault: 'malformed' };
    const found = findSecret({ payeeId: request.payeeId, keyId: header.user });
    if (found instanceof Promise) return found.then((secret) => judge(request, header, secret));
    return judge(request, header, found);
  };
}

/** Whether the digest is the request's in one form of its path. All forms are tried, also after one that fits. */
function fitsRequest(
  digestOf: DigestOf,
  secret: Secret,
  { request, header }: { request: SignedRequest; header: HmacHeader },
): boolean {
  const { method, transmissionTime = '', body } = request;
  const { user, nonce, digest } = header;
  let fits = false;
  for (const path of signedPaths(request.url)) {
    const expected = digestOf(secret, { method, path, user, nonce, transmissionTime, body });
    if (equalDigests(digest, expected)) fits = true;
  }
  return fits;
}

/** The instant of `Transmission-Time`, or of receipt where it is absent or empty, which is signed alike. */
function sendingTime({ transmissionTime }: SignedRequest, receivedAt: number): number | undefined {
  return transmissionTime ? parseTransmissionTime(transmissionTime) : receivedAt;
}
