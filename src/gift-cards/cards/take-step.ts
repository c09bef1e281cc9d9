import { Refusal } from '../../kit/errors.ts';
import { STEP_TRIES } from '../../kit/limits.ts';
import { cardOfId, getCard } from './get-card.ts';
import type { Asked, AskStep, CardShown, CardView, LifeContext } from './life.types.ts';
import { CHANGE_CARD } from './life-kinds.ts';

/**
 * Carries out a step in a card's life, and answers the card as it is then. What the step needs beside the card is
 * prepared from the card as it was found; where that is out of date when the step's turn comes, it is prepared anew.
 *
 * @throws Refusal `notfound`, `forbidden`, `referencereused`, and as `Submit`
 */
export async function takeStep(
  context: LifeContext,
  ask: AskStep,
  prepare: (card: CardView) => Asked | Promise<Asked>,
): Promise<CardShown> {
  const { payeeId, actor, transactionRef, reason = null } = ask;
  for (let tries = 0; tries < STEP_TRIES; tries++) {
    const card = await cardOfId(context, payeeId, ask.paymentAccountId);
    const asked = await prepare(card);
    const { accountId } = card;
    const command = { payeeId, commandId: context.newId(), actor, accountId, transactionRef, reason, asked };
    const { kind } = await context.submit(CHANGE_CARD, command);
    if (kind !== 'Changed') return getCard(context, payeeId, { paymentAccountId: accountId, actor });
    await context.renewKeys();
  }
  throw new Refusal('unavailable', 'The card is being changed by others all the time.', { retryAfterSeconds: 1 });
}
