import { Refusal } from '../kit/errors.ts';

/**
 * The number that a command asked for.
 *
 * @throws Refusal `unavailable` where the payee's numbers are used up: nothing can be done about that from outside
 */
export function requireNumber(number: number | undefined): number {
  if (number === undefined) throw new Refusal('unavailable', 'The numbers of payments are used up for this payee.');
  return number;
}
