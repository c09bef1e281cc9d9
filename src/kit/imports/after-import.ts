import { Trouble } from '../work/trouble.ts';
import type { ImportFiles, ImportSummary } from './import.types.ts';

/** What is to be done about the lines of a file that were refused. */
export function describeRefused(path: string): string {
  return `${path}.rejected has the number and the reason of each refused line. Correct these lines in ${path} and run the same command again: what is imported is not imported twice.`;
}

/** What is to be done with the file itself: it has card numbers in the clear (PCI DSS 4.0.1, 3.5.1). */
export function describeLeft({ isExposed }: Pick<ImportFiles, 'isExposed'>, path: string): string {
  const exposure = isExposed ? ' Others than its owner can read it.' : '';
  return `${path} holds card numbers in the clear.${exposure} Destroy it once you need it no more: shred -u ${path}`;
}

/** @throws Trouble where lines were refused, so that the command ends with status 1 */
export function refuseRefused({ lines, rejected }: ImportSummary, path: string): void {
  if (rejected === 0) return;
  throw new Trouble(`${rejected} of ${lines} lines were refused. ${describeRefused(path)}`);
}
