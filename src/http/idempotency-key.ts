import type { CardPrefixes } from '../kit/cards/card-number.ts';
import { containsCardNumber } from '../kit/cards/find-card-numbers.ts';
import { inputError } from '../kit/errors.ts';
import { IDEMPOTENCY_KEY_CHARACTERS } from '../kit/limits.ts';

const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * Checks the form of an `Idempotency-Key`: 1 to 64 visible ASCII characters, of any meaning. It is
 * stored as it is, so a card number is none.
 *
 * @throws Refusal `inputerror`
 */
export function parseIdempotencyKey(header: string | undefined, prefixes: CardPrefixes = []): string | undefined {
  if (header === undefined) return undefined;
  if (header.length > IDEMPOTENCY_KEY_CHARACTERS || !VISIBLE.test(header)) {
    throw inputError('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters`);
  }
  if (containsCardNumber(header, prefixes)) throw inputError('Idempotency-Key', 'must not hold a card number');
  return header;
}
