import type { FastifyRequest } from 'fastify';
import type { Caller } from '../kit/caller.ts';
import { inputError, type Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { SignatureFault } from '../kit/refused-caller.ts';
import type { Admission } from './admission.ts';
import type { EdgeOptions } from './edge.types.ts';
import { type SignedRequest, signatureChecker, type Verdict } from './hmac-check.ts';
import { diagnose } from './hmac-diagnosis.ts';
import { readLoosely } from './hmac-loose.ts';
import { parseMediaType } from './media-type.ts';
import { EdgeRefusal } from './problem.ts';
import { requestIds } from './request-ids.ts';
import type { Signature } from './route.types.ts';
import { whenKnown } from './when-known.ts';

/**
 * The steps that a signed request passes. A wrong signature is 401, and so comes before everything that is decided about
 * a known caller: how often they ask, what they may, whose object it is. The digest needs the body, so all of these wait
 * for it; a request without the header is refused before its body is read.
 */
export interface SignatureStep {
  /** Refuses a request without an `Hmac` header, and prepares for the reading of its body. */
  requireHeader(request: FastifyRequest, caller: Caller): void | Promise<void>;
  /** Finds out who signed, once the body was read; refuses by throwing. */
  verify(request: FastifyRequest, caller: Caller): Signature | Promise<Signature>;
  /** Refuses a request that was signed well and whose nonce turned out to be known: like every wrong signature. */
  refuseUsedNonce(request: FastifyRequest, caller: Caller): Promise<never>;
}

/** What a route throws that keeps the nonces of its requests, for one that it knows. */
export class UsedNonce extends Error {
  override readonly name = 'UsedNonce';
}

/** Makes the steps. Every failure gives the same answer and counts as a failed credential of its address. */
export function createSignatureStep(
  options: EdgeOptions,
  { refuseCaller }: Pick<Admission, 'refuseCaller'>,
): SignatureStep {
  const check = signatureChecker(options.signatures);
  const explain = async (request: FastifyRequest, signed: SignedRequest, { fault, secret }: Refused) => {
    const { host, date } = request.headers;
    const around = { baseUrl: options.baseUrl(), host, date, prefixes: options.cardPrefixes() };
    // A malformed header was refused before anybody looked for its key.
    const { user: keyId } = readLoosely(signed.hmac);
    const known = secret ?? (await options.signatures.findSecret({ payeeId: signed.payeeId, keyId }));
    return { diagnosis: diagnose(signed, { fault, secret: known }, around) };
  };
  const refuse = async (request: FastifyRequest, caller: Caller, refused: Refused): Promise<never> => {
    const signed = signedRequest(request, caller.payeeId);
    options.log.info({ ...requestIds(request.edge), fault: refused.fault }, 'signature refused');
    const members = options.signatures.explain ? await explain(request, signed, refused) : {};
    return refuseCaller(request, wrongSignature(members), { kind: 'signature', caller, fault: refused.fault });
  };
  return {
    requireHeader(request, caller) {
      takeAnyBody(request);
      if (request.headers['hmac'] !== undefined) return undefined;
      return refuse(request, caller, { fault: 'missing' });
    },
    refuseUsedNonce(request, caller) {
      return refuse(request, caller, { fault: 'used-nonce' });
    },
    verify(request, caller) {
      return whenKnown(check(signedRequest(request, caller.payeeId)), (verdict) =>
        verdict.fault === undefined ? verdict.signature : refuse(request, caller, verdict),
      );
    },
  };
}

type Refused = Extract<Verdict, { fault: SignatureFault }>;

const ENCODED_SEPARATOR = /%(2f|5c)/i;

/**
 * Refuses an encoded slash or backslash in a signed path: decoded, which a client may sign as well, it would be the path
 * of another route. This is a fault of framing, found before anybody asks who the caller is.
 */
export function refuseEncodedSeparator({ url }: FastifyRequest): void {
  const path = url.split('?', 1)[0] ?? '';
  if (ENCODED_SEPARATOR.test(path))
    throw inputError('path', 'must not have %2F or %5C: a signature would fit two paths');
}

/**
 * Lets a body be read whatever its Content-Type says. Fastify would refuse a malformed one, or for some methods a missing
 * one, before the signature was checked; as bytes of no kind it is refused in its turn.
 */
function takeAnyBody({ raw: { headers } }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type === undefined || parseMediaType(type) === undefined) headers['content-type'] = 'application/octet-stream';
}

const NO_BODY = Buffer.alloc(0);

function signedRequest(request: FastifyRequest, payeeId: PayeeId): SignedRequest {
  const { hmac = '', 'transmission-time': transmissionTime } = request.headers;
  return {
    payeeId,
    method: request.method,
    url: request.url,
    hmac: String(hmac),
    transmissionTime: transmissionTime === undefined ? undefined : String(transmissionTime),
    body: (request.body as Buffer | undefined) ?? NO_BODY,
  };
}

/** One answer whatever is wrong: nobody learns whether the key, the digest or the time was. */
function wrongSignature(members: Readonly<Record<string, unknown>>): Refusal {
  return new EdgeRefusal('unauthorized', 'The request needs a valid signature in its Hmac header.', {
    headers: { 'www-authenticate': 'HmacSHA512 realm="kontor"' },
    members,
  });
}
