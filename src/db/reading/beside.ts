/** So many do not wait for others to come. */
const MANY = 32;
/** Nor does what has waited for so many milliseconds, about as long as a group of many takes: a slow one holds up none behind it. */
const LONG_MS = 8;

/**
 * Tells when a group may begin beside one that is under way. A group costs much, however little it holds: so it does for many
 * that wait, or as many as one may hold, or for what has waited for long.
 *
 * @param most how many a group may hold
 * @param lookAgain is called when one that was told to wait has waited for long
 * @returns to be asked with how many wait, and how many milliseconds the oldest of them has waited, which not each answer needs
 */
export function besideAnother(
  most: number,
  lookAgain: () => void,
): (length: number, oldestMs: () => number) => boolean {
  const many = Math.min(MANY, most);
  let looksAgain = false;
  return (length, oldestMs) => {
    if (length === 0) return false;
    if (length >= many) return true;
    if (looksAgain) return false;
    const leftMs = LONG_MS - oldestMs();
    if (leftMs <= 0) return true;
    looksAgain = true;
    setTimeout(() => {
      looksAgain = false;
      lookAgain();
    }, leftMs);
    return false;
  };
}
