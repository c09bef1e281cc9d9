import { withoutQuery } from '../../kit/addresses/address.ts';
import { inputError, type Refusal } from '../../kit/errors.ts';
import type { SignatureFault } from '../../kit/refused-caller.ts';
import { parseMediaType } from '../body/media-type.ts';
import { EdgeRefusal } from '../document/problem.ts';
import { type Admission, callerOf } from '../edge/admission.ts';
import type { EdgeOptions, EdgeState } from '../edge/edge.types.ts';
import { requestIds } from '../edge/request-ids.ts';
import { pathOfTarget } from '../edge/target.ts';
import { remembering } from '../pages/memo.ts';
import { type SignedRequest, signatureChecker, type Verdict } from './hmac-check.ts';
import { diagnose } from './hmac-diagnosis.ts';
import { readLoosely } from './hmac-loose.ts';

/**
 * The steps that a signed request passes. A wrong signature is 401, and so comes before everything that is decided about
 * a known caller: how often they ask, what they may, whose object it is. The digest needs the body, so all of these wait
 * for it; a request without the header is refused before its body is read.
 */
export interface SignatureStep {
  /** Refuses a request without an `Hmac` header, and prepares for the reading of its body. */
  requireHeader(edge: EdgeState): void | Promise<void>;
  /** Finds out who signed, once the body was read; refuses by throwing. */
  verify(edge: EdgeState): void | Promise<void>;
  /** Refuses a request that was signed well and whose nonce turned out to be known: like every wrong signature. */
  refuseUsedNonce(edge: EdgeState): Promise<never>;
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
  const explain = async ({ request }: EdgeState, signed: SignedRequest, { fault, secret }: Refused) => {
    const { host, date } = request.headers;
    const around = { baseUrl: options.baseUrl(), host, date, prefixes: options.cardPrefixes() };
    // A malformed header was refused before its key was looked for.
    const { user: keyId } = readLoosely(signed.hmac);
    const known = secret ?? (await options.signatures.findSecret({ payeeId: signed.payeeId, keyId }));
    return { diagnosis: diagnose(signed, { fault, secret: known }, around) };
  };
  const refuse = async (edge: EdgeState, refused: Refused): Promise<never> => {
    options.log.info({ ...requestIds(edge), fault: refused.fault }, 'signature refused');
    const members = options.signatures.explain ? await explain(edge, signedRequest(edge), refused) : {};
    const proof = { kind: 'signature', caller: callerOf(edge), fault: refused.fault } as const;
    return refuseCaller(edge, wrongSignature(members), proof);
  };
  const judge = (edge: EdgeState, verdict: Verdict): void | Promise<void> => {
    if (verdict.fault !== undefined) return refuse(edge, verdict);
    edge.signature = verdict.signature;
  };
  return {
    requireHeader(edge) {
      takeAnyBody(edge);
      if (edge.request.headers['hmac'] !== undefined) return undefined;
      return refuse(edge, { fault: 'missing' });
    },
    refuseUsedNonce(edge) {
      return refuse(edge, { fault: 'used-nonce' });
    },
    verify(edge) {
      const verdict = check(signedRequest(edge));
      return verdict instanceof Promise ? verdict.then((known) => judge(edge, known)) : judge(edge, verdict);
    },
  };
}

type Refused = Extract<Verdict, { fault: SignatureFault }>;

const ENCODED_SEPARATOR = /%(2f|5c)/i;

/**
 * Refuses an encoded slash or backslash in a signed path: decoded, which a client may sign as well, it would be the path
 * of another route. This is a fault of framing, found before the caller is known.
 */
export function refuseEncodedSeparator({ request }: EdgeState): void {
  if (ENCODED_SEPARATOR.test(withoutQuery(request.url)))
    throw inputError('path', 'must not have %2F or %5C: a signature would fit two paths');
}

/**
 * Lets a body be read whatever its Content-Type says. Fastify would refuse a malformed one, or for some methods a missing
 * one, before the signature was checked; as bytes of no kind it is refused in its turn.
 */
function takeAnyBody({ request }: EdgeState): void {
  const { headers } = request.raw;
  const type = headers['content-type'];
  if (type === undefined || !isMediaType(type)) headers['content-type'] = 'application/octet-stream';
}

const isMediaType = remembering((text) => parseMediaType(text) !== undefined);

const NO_BODY = Buffer.alloc(0);

function signedRequest(edge: EdgeState): SignedRequest {
  const { request } = edge;
  const { hmac = '', 'transmission-time': transmissionTime } = request.headers;
  return {
    payeeId: callerOf(edge).payeeId,
    method: request.method,
    url: pathOfTarget(request.originalUrl),
    hmac: String(hmac),
    transmissionTime: transmissionTime === undefined ? undefined : String(transmissionTime),
    body: (request.body as Buffer | undefined) ?? NO_BODY,
  };
}

/** One answer whatever is wrong: a caller does not learn whether the key, the digest or the time was. */
function wrongSignature(members: Readonly<Record<string, unknown>>): Refusal {
  return new EdgeRefusal('unauthorized', 'The request needs a valid signature in its Hmac header.', {
    headers: { 'www-authenticate': 'HmacSHA512 realm="kontor"' },
    members,
  });
}
