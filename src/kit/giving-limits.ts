import { inputError } from './errors.ts';
import { LARGEST_AMOUNT_MINOR } from './money.ts';

/** How much a person gives away by pages of the portal: whole units of a currency, crowns or euros. Null: no limit. */
export interface GivingLimits {
  /** Above it a page asks for the password again. */
  readonly confirmAbove: number | null;
  /** Above it another person must agree. Not below the other one. */
  readonly secondPersonAbove: number | null;
}

/** The same as people write them: whole numbers, or `none`. */
export interface WrittenLimits {
  readonly confirmAbove: string;
  readonly secondPersonAbove: string;
}

/** How people write that there is no limit. */
export const NO_LIMIT = 'none';

/**
 * Limits as people write them.
 *
 * @throws Refusal `inputerror` for what is no whole number, or a second limit below the first one
 */
export function readLimits({ confirmAbove, secondPersonAbove }: WrittenLimits): GivingLimits {
  const [first, second] = [
    readLimit('confirm-above', confirmAbove),
    readLimit('second-person-above', secondPersonAbove),
  ];
  if (second !== null && (first === null || second < first)) {
    throw inputError('second-person-above', 'must not be below the limit for the password');
  }
  return { confirmAbove: first, secondPersonAbove: second };
}

function readLimit(name: string, text: string): number | null {
  if (text === NO_LIMIT) return null;
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= LARGEST_AMOUNT_MINOR) return value;
  throw inputError(name, 'must be a whole number of crowns, euros or the like, or none');
}
