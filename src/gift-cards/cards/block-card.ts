import type { AskStep, CardShown, LifeContext } from './life.types.ts';
import { takeStep } from './take-step.ts';

/** Keeps a card from being spent and loaded until somebody unblocks it. Throws as `takeStep`. */
export function blockCard(context: LifeContext, ask: AskStep): Promise<CardShown> {
  return takeStep(context, ask, () => ({ step: 'Block' }));
}
