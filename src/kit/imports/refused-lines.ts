import { Trouble } from '../work/trouble.ts';
import type { ImportSummary } from './import.types.ts';

/** What is to be done about the lines of a file that were refused. */
export function describeRefused(path: string): string {
  return `${path}.rejected has the number and the reason of each refused line. Correct these lines in ${path} and run the same command again: what is imported is not imported twice.`;
}

/** @throws Trouble where lines were refused, so that the command ends with status 1 */
export function refuseRefused({ lines, rejected }: ImportSummary, path: string): void {
  if (rejected === 0) return;
  throw new Trouble(`${rejected} of ${lines} lines were refused. ${describeRefused(path)}`);
}
