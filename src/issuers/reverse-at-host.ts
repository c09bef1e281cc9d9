import { assert } from '../kit/assert.ts';
import { ISSUER_ANSWER_MS } from '../kit/limits.ts';
import type { Asker, DueAttempt } from './issuers.types.ts';

/** Tells the issuer to take an attempt back. Resolves once it has confirmed. */
export async function reverseAtHost({ issuers, withDeadline }: Asker, attempt: DueAttempt): Promise<void> {
  const { host } = issuers.named(attempt.issuerId);
  assert(host !== undefined, 'an attempt was made at an external issuer');
  await withDeadline(ISSUER_ANSWER_MS, (signal) => host.reverse(attempt, signal));
}
