/** The middle one of some numbers, or the mean of the two in the middle. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/** What this part of some numbers does not exceed: 0.99 is the 99th percentile. */
export function percentile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part) - 1];
}

/**
 * Prints a measured value beside its goal.
 *
 * @param {string} what with its unit
 * @param {number} value
 * @param {{atLeast?: number, below?: number}} goal
 */
export function printGoal(what, value, { atLeast, below }) {
  const met = atLeast === undefined ? value < below : value >= atLeast;
  const goal = atLeast === undefined ? `below ${below}` : `at least ${atLeast}`;
  console.log(`${met ? 'ok    ' : 'missed'}  ${what.padEnd(58)} ${rounded(value).padStart(9)}  (goal: ${goal})`);
}

/** Prints a value that has no goal. */
export function printValue(what, value) {
  console.log(`        ${what.padEnd(58)} ${rounded(value).padStart(9)}`);
}

/** Three digits say all that a measurement knows. */
function rounded(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
