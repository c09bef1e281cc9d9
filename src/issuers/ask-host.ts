import { assert } from '../kit/assert.ts';
import { ISSUER_ANSWER_MS } from '../kit/limits.ts';
import type { Asker, IssuerAnswer, IssuerQuestion } from './issuers.types.ts';

/** Puts a question to its external issuer, once, outside of any transaction. */
export async function askHost(
  { issuers, withDeadline }: Asker,
  issuerId: string,
  question: IssuerQuestion,
): Promise<IssuerAnswer | { readonly outcome: 'NoAnswer' }> {
  const { host } = issuers.named(issuerId);
  assert(host !== undefined, 'an external issuer has a host');
  // Whatever goes wrong, the issuer may have said yes before: not to know is the only honest outcome.
  return withDeadline(ISSUER_ANSWER_MS, (signal) => host.ask(question, signal)).catch(() => ({
    outcome: 'NoAnswer' as const,
  }));
}
