import type { AskStep, CardShown, LifeWorld } from './life.types.ts';
import { takeStep } from './take-step.ts';

/** Books what is left on a card that has expired to the payee. Throws as `takeStep`. */
export function sweepCard(world: LifeWorld, ask: AskStep): Promise<CardShown> {
  return takeStep(world, ask, () => ({ step: 'Sweep' }));
}
