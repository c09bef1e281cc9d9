import type { AskStep, CardShown, LifeContext } from './life.types.ts';
import { takeStep } from './take-step.ts';

/** Books what is left on a card that has expired to the payee. Throws as `takeStep`. */
export function sweepCard(context: LifeContext, ask: AskStep): Promise<CardShown> {
  return takeStep(context, ask, () => ({ step: 'Sweep' }));
}
