import type { AskStep, CardShown, LifeContext } from './life.types.ts';
import { takeStep } from './take-step.ts';

/** Ends a block: somebody's, or the one of a day after wrong codes, which are forgiven. Throws as `takeStep`. */
export function unblockCard(context: LifeContext, ask: AskStep): Promise<CardShown> {
  return takeStep(context, ask, () => ({ step: 'Unblock' }));
}
