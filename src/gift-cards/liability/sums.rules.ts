import type { Closing, ClosingStep } from './sums.types.ts';

/** What is to be done next for the sums of a payee. Each step is done by one transaction; any may be the last one of a process. */
export function nextStep(closing: Closing): ClosingStep {
  const { hasMoved, closedTo, closingTo, isMarked, isSettled, latest } = closing;
  if (closingTo === null) return 'forget';
  if (hasMoved) return 'move';
  if (closedTo === closingTo) return closingTo < latest ? 'advance' : 'rest';
  if (!isMarked) return 'mark';
  if (!isSettled) return 'rest';
  return closedTo === null ? 'fill' : 'close';
}
