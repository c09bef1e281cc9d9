import { createHash, createHmac } from 'node:crypto';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { containsCardNumber, maskCardNumbersIn } from '../../kit/cards/find-card-numbers.ts';
import type { SignatureFault } from '../../kit/refused-caller.ts';
import { equalDigests, type Secret } from '../../kit/secret.ts';
import { linesBeforeBody, signedPaths } from './hmac.ts';
import { CAUSES, type Cause } from './hmac-causes.ts';
import { type SignatureContext, type SignedRequest, signatureChecker } from './hmac-check.ts';
import { type Attempt, FAULTS, type Fault, type Surroundings } from './hmac-faults.ts';
import { type LooseHeader, readLoosely } from './hmac-loose.ts';
import { parseTransmissionTime } from './transmission-time.ts';

/** Bytes of a body up to which a wrong signature is compared with pairs of mistakes: a thousand digests of it. Sandbox only. */
export const DIAGNOSIS_BODY_BYTES = 4 * 1024;

/**
 * Bytes that one diagnosis digests at most: some 10 ms. What a digest costs beside its bytes counts like so many more. A diagnosis
 * that has spent them has found no usual mistake.
 */
export const DIAGNOSIS_BYTES = 4 * 1024 * 1024;
const DIGEST_BYTES = 2 * 1024;

/** Why a signature is likely wrong, for the integrator: in the sandbox alone. */
interface Diagnosis {
  /** The text that we signed; the body is shown by its length and SHA-256, card numbers and secrets are masked. */
  readonly signedText: string;
  /** The first line of it that was likely signed otherwise, from 1; null where the text is not to blame. */
  readonly line: number | null;
  /** Names of the likely causes. They are explained in `docs/signing.md`. */
  readonly causes: readonly string[];
  /** The same in words. */
  readonly explanation: string;
}

/** What was found to be wrong, and the secret that should have been used, where the key is known. */
export interface Found {
  readonly fault: SignatureFault;
  readonly secret?: Secret | undefined;
}

/**
 * Finds out what is likely wrong with a signature: it tries the usual mistakes, alone and in pairs, and names those whose
 * digest is the one that was sent.
 */
export function diagnose(
  request: SignedRequest,
  found: Found,
  around: Omit<Surroundings, 'url'> & { readonly prefixes: CardPrefixes },
): Diagnosis {
  const header = readLoosely(request.hmac);
  const causes = findCauses(request, found, { header, around: { ...around, url: request.url } });
  const lines = causes.flatMap((cause) => CAUSES[cause][0] ?? []);
  return {
    signedText: signedText(request, header, { isBodyKnown: found.fault !== 'missing', prefixes: around.prefixes }),
    line: lines.length === 0 ? null : Math.min(...lines),
    causes,
    explanation: causes.map((cause) => CAUSES[cause][1]).join(' '),
  };
}

/** What is read of the request beside what is signed. */
interface Reading {
  readonly header: LooseHeader;
  readonly around: Surroundings;
}

function findCauses(request: SignedRequest, { fault, secret }: Found, reading: Reading): readonly Cause[] {
  if (fault === 'missing') return ['no-header'];
  if (fault === 'used-nonce') return ['used-nonce'];
  if (fault === 'wrong-time') return [wrongTime(request)];
  const { causes, digest, user } = reading.header;
  if (secret === undefined) return user === '' ? causes : [...causes, 'unknown-user'];
  // Without a digest there is nothing to compare with.
  if (digest === undefined) return causes;
  return [...causes, ...(findFaults(request, secret, reading) ?? [noUsualMistake(request)])];
}

/** The mistakes that lead to the digest that was sent: none where its text is right, undefined where none are known. */
function findFaults(request: SignedRequest, secret: Secret, reading: Reading): readonly Cause[] | undefined {
  const { digest, user, nonce } = reading.header;
  const { method, transmissionTime = '', body } = request;
  let left = DIAGNOSIS_BYTES;
  const fits = (attempt: Attempt): boolean => {
    left -= attempt.body.length + attempt.path.length + DIGEST_BYTES;
    return left >= 0 && digest !== undefined && equalDigests(digest.bytes, digestOf(attempt, digest.algorithm));
  };
  const attempts = signedPaths(request.url).map(
    (path): Attempt => ({
      ...{ method, path, user, nonce, transmissionTime, body },
      ...{ lineEnd: '\n', lastLineEnd: '\n', hasTimeLine: true, key: secret.reveal() },
    }),
  );
  if (attempts.some(fits)) return [];
  const spoilt = (attempt: Attempt, fault: Fault) =>
    left < 0 ? [] : fault.spoil(attempt, reading.around).map((change): Attempt => ({ ...attempt, ...change }));
  const single = FAULTS.find((fault) => attempts.some((attempt) => spoilt(attempt, fault).some(fits)));
  if (single !== undefined) return [single.code];
  if (body.length > DIAGNOSIS_BODY_BYTES) return undefined;
  const pair = PAIRS.find(([first, second]) =>
    attempts.some((attempt) => spoilt(attempt, first).some((half) => spoilt(half, second).some(fits))),
  );
  return pair?.map(({ code }) => code);
}

const PAIRS = FAULTS.flatMap((first, index) =>
  FAULTS.slice(index + 1)
    .filter((second) => second.part !== first.part)
    .map((second) => [first, second] as const),
);

function digestOf(attempt: Attempt, algorithm: string): Buffer {
  const { method, path, user, nonce, transmissionTime, hasTimeLine, lineEnd, lastLineEnd, key, body } = attempt;
  const lines = [method, path, user, nonce, ...(hasTimeLine ? [transmissionTime] : []), ''];
  return createHmac(algorithm, key).update(lines.join(lineEnd)).update(body).update(lastLineEnd).digest();
}

function signedText(
  { method, url, transmissionTime = '', body }: SignedRequest,
  { user, nonce }: LooseHeader,
  { isBodyKnown, prefixes }: { isBodyKnown: boolean; prefixes: CardPrefixes },
): string {
  const path = shownPath(url, prefixes);
  const parts = { method, path, user: user || '<user>', nonce: nonce || '<nonce>', transmissionTime, body };
  // Line by line: digits at the end of one line and at the start of the next are no number.
  const lines = linesBeforeBody(parts)
    .split('\n')
    .map((line) => maskCardNumbersIn(line.replace(OUR_SECRETS, '[redacted]'), prefixes));
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${lines.join('\n')}${isBodyKnown ? `<body: ${body.length} bytes, SHA-256 ${sha256}>` : '<body>'}\n`;
}

/** The path as it is signed; decoded where its spelling would hide a card number from the mask. */
function shownPath(url: string, prefixes: CardPrefixes): string {
  const [wire = ''] = signedPaths(url);
  const decoded = wire.replace(/%([0-7][0-9a-f])/gi, (_code, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return containsCardNumber(decoded, prefixes) ? decoded : wire;
}

/** Access tokens, client secrets and HMAC secrets, should one stand where a user or a nonce belongs. */
const OUR_SECRETS = /\b(?:kt_(?:test|live)|ks|hs)_\w+/g;

function wrongTime({ transmissionTime = '' }: SignedRequest): Cause {
  return parseTransmissionTime(transmissionTime) === undefined ? 'no-timestamp' : 'wrong-clock';
}

/** The secret or, where there is one, the body: neither can be guessed further. */
function noUsualMistake({ body }: SignedRequest): Cause {
  return body.length === 0 ? 'wrong-secret' : 'wrong-secret-or-body';
}

/** Whether a signature is right, and what is likely wrong with it. */
interface Examination extends Diagnosis {
  readonly isRight: boolean;
}

/**
 * Looks at a request that a user has written down, to say whether it is signed well. It is looked at as of the time
 * that it says itself, for it may be from yesterday; and nothing comes of it, so its nonce is not asked after.
 */
export async function examineSignature(
  { findSecret, now }: Pick<SignatureContext, 'findSecret' | 'now'>,
  request: SignedRequest,
  around: Omit<Surroundings, 'url' | 'host' | 'date'> & Pick<Parameters<typeof diagnose>[2], 'prefixes'>,
): Promise<Examination> {
  const sentAt = parseTransmissionTime(request.transmissionTime ?? '');
  const verdict = await signatureChecker({ findSecret, now: () => sentAt ?? now() })(request);
  const secret = await findSecret({ payeeId: request.payeeId, keyId: readLoosely(request.hmac).user });
  const found = { fault: verdict.fault ?? ('wrong-digest' as const), secret };
  const diagnosis = diagnose(request, found, { ...around, host: undefined, date: undefined });
  return { ...diagnosis, isRight: verdict.fault === undefined };
}
