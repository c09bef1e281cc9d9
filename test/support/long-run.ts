/** Whether this is `npm run test:faults`, which has all cases of what `npm test` shows by some. */
export const IS_LONG_RUN = process.env['TEST_RUN'] === 'long';

/** Of cases that one piece of code decides: in a long run all, else every third one. */
export function someOf<Case>(cases: readonly Case[]): readonly Case[] {
  return IS_LONG_RUN ? cases : cases.filter((_, index) => index % 3 === 0);
}
