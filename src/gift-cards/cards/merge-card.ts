import { cardOfId } from './get-card.ts';
import type { AskStep, CardShown, LifeContext } from './life.types.ts';
import { takeStep } from './take-step.ts';

/** A merge, as it is asked for. */
export interface AskMerge extends AskStep {
  /** Id of the card that takes the money. */
  readonly into: string;
}

/** Moves all that is on a card to another one of the payee's, and ends the first. Throws as `takeStep`. */
export function mergeCard(context: LifeContext, ask: AskMerge): Promise<CardShown> {
  return takeStep(context, ask, async () => {
    // A command for an account that does not exist would wait for it in vain.
    const { accountId } = await cardOfId(context, ask.payeeId, ask.into);
    return { step: 'Merge', into: accountId };
  });
}
