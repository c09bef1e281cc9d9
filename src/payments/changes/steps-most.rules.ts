import { forbidden } from '../../kit/errors.ts';
import type { FollowUpType } from '../payments.types.ts';

/**
 * Captures of one payment or order, and as many reversals: each reads those before it. A delivery in so many parcels, or a monthly rate for as many
 * years as there are, has fewer.
 */
export const STEPS_MOST = 500;

/**
 * Refuses one more step of a type where there are very many, but for one that takes all that is left: money is never stuck.
 *
 * @param there how many there are of that type
 * @throws Refusal `forbidden`, named `Capture`, `Cancellation` or `Reversal`
 */
export function refuseTooManySteps(type: FollowUpType, there: number, takesAll: () => boolean): void {
  if (there < STEPS_MOST || takesAll()) return;
  throw forbidden(type, `There are ${STEPS_MOST} already, which is the most: take all that is left with one more.`);
}
