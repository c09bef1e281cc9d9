import type { AskStep, CardShown, LifeWorld } from './life.types.ts';
import { takeStep } from './take-step.ts';

/** Ends a block: somebody's, or the one of a day after wrong codes, which are forgiven. Throws as `takeStep`. */
export function unblockCard(world: LifeWorld, ask: AskStep): Promise<CardShown> {
  return takeStep(world, ask, () => ({ step: 'Unblock' }));
}
