/** A member's name, or an item's position. */
export type JsonStep = string | number;

// Letters, and at most two digits at the end: no schema of ours has other names, and no card number fits in.
const SHOWN_NAME = /^[A-Za-z_]{1,40}[0-9]{0,2}$/;

/**
 * The place of a value as a problem names it: `payment.prices[0].amount`, or `body` for the whole.
 *
 * The caller chose these names, and a problem never repeats what a caller sent. So the path ends before the first name
 * that does not look like a name: the nearest member around the place is named instead.
 */
export function jsonPath(steps: readonly JsonStep[]): string {
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`;
    else if (SHOWN_NAME.test(step)) path += path === '' ? step : `.${step}`;
    else break;
  }
  return path || 'body';
}
