import { type SignatureContext, type SignedRequest, signatureChecker } from './hmac-check.ts';
import { type Diagnosis, diagnose } from './hmac-diagnosis.ts';
import type { Surroundings } from './hmac-faults.ts';
import { readLoosely } from './hmac-loose.ts';
import { parseTransmissionTime } from './transmission-time.ts';

/** Whether a signature is right, and what is likely wrong with it. */
export interface Examination extends Diagnosis {
  readonly isRight: boolean;
}

/**
 * Looks at a request that somebody has written down, to say whether it is signed well. It is looked at as of the time that
 * it says itself, for it may be from yesterday; and nothing comes of it, so its nonce is not asked after.
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
