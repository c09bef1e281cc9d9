import type { AskStep, CardShown, LifeWorld } from './life.types.ts';
import { takeStep } from './take-step.ts';

/** Keeps a card from being spent and loaded until somebody unblocks it. Throws as `takeStep`. */
export function blockCard(world: LifeWorld, ask: AskStep): Promise<CardShown> {
  return takeStep(world, ask, () => ({ step: 'Block' }));
}
