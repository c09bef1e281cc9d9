import { flag, oneOf } from '../command.ts';
import { Trouble } from '../work/trouble.ts';
import type { ImportFiles, ImportFormat, ImportSummary } from './import.types.ts';

/** The option that says how the lines of a file are written. */
export const IMPORT_FORMAT = oneOf<ImportFormat>(
  '<format>',
  'how they are written (default: by the name of the file)',
  ['ndjson', 'csv'],
);
/** The option for a run that goes on with what was accepted. */
export const ALLOW_REFUSED = flag('end with status 0 though lines were refused');

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
