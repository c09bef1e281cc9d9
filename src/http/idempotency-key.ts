import { inputError } from '../kit/errors.ts';
import { IDEMPOTENCY_KEY_CHARACTERS } from '../kit/limits.ts';

const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * Checks the form of an `Idempotency-Key` (contract, section 4): 1 to 64 visible ASCII characters, of any meaning.
 *
 * @throws Refusal `inputerror`
 */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header.length <= IDEMPOTENCY_KEY_CHARACTERS && VISIBLE.test(header)) return header;
  throw inputError('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters`);
}
