import { Refusal } from '../../kit/errors.ts';
import type { TransactionId } from '../../ledger/ledger.types.ts';
import type { GiftCardsContext } from '../gift-cards-context.types.ts';
import { cardOfId, getCard } from './get-card.ts';
import type { Asked, AskStep, CardShown, CardView } from './life.types.ts';
import { CHANGE_CARD } from './life-kinds.ts';

/** Times that a step in a gift card's life is prepared anew because the card or a key has changed meanwhile. */
const STEP_TRIES = 5;

/**
 * Carries out a step in a card's life, and answers the card as it is then. What the step needs beside the card is
 * prepared from the card as it was found; where that is out of date when the step's turn comes, it is prepared anew.
 *
 * @throws Refusal `notfound`, `forbidden`, `referencereused`, and as `Submit`
 */
export async function takeStep(
  context: GiftCardsContext,
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

/** Keeps a card from being spent and loaded until a request unblocks it. Throws as `takeStep`. */
export function blockCard(context: GiftCardsContext, ask: AskStep): Promise<CardShown> {
  return takeStep(context, ask, () => ({ step: 'Block' }));
}

/**
 * Ends a block: one that was asked for, or the one of a day after wrong codes, which are forgiven. Throws as
 * `takeStep`.
 */
export function unblockCard(context: GiftCardsContext, ask: AskStep): Promise<CardShown> {
  return takeStep(context, ask, () => ({ step: 'Unblock' }));
}

/** Books what is left on a card that has expired to the payee. Throws as `takeStep`. */
export function sweepCard(context: GiftCardsContext, ask: AskStep): Promise<CardShown> {
  return takeStep(context, ask, () => ({ step: 'Sweep' }));
}

/** Ends a card that has not been used, and gives its deposit back to where it came from. Throws as `takeStep`. */
export function voidCard(context: GiftCardsContext, ask: AskStep): Promise<CardShown> {
  return takeStep(context, ask, ({ firstKind, firstPaymentId }) => ({
    step: 'Void',
    depositId: firstKind === 'Deposit' ? firstPaymentId : null,
    reversalId: context.newId() as TransactionId,
  }));
}

/** An extension or restoration, as it is asked for. */
interface AskUntil extends AskStep {
  /** The card's last day, `YYYY-MM-DD`. */
  readonly until: string;
}

/** Gives a card more time, also one that has expired and was not swept yet. Throws as `takeStep`. */
export function extendCard(context: GiftCardsContext, ask: AskUntil): Promise<CardShown> {
  const { payeeId, until } = ask;
  return takeStep(context, ask, async () => ({
    step: 'Extend',
    until,
    endsAt: await context.endOfDay(payeeId, until),
  }));
}

/** Takes the sweep of a card back, and gives it time to spend what it has again. Throws as `takeStep`. */
export function restoreCard(context: GiftCardsContext, ask: AskUntil): Promise<CardShown> {
  const { payeeId, until } = ask;
  return takeStep(context, ask, async (card) => ({
    step: 'Restore',
    until,
    endsAt: await context.endOfDay(payeeId, until),
    swept: await context.sweptOf(card),
    seen: card.eventSequence,
  }));
}

/** A merge, as it is asked for. */
interface AskMerge extends AskStep {
  /** Id of the card that takes the money. */
  readonly into: string;
}

/** Moves all that is on a card to another one of the payee's, and ends the first. Throws as `takeStep`. */
export function mergeCard(context: GiftCardsContext, ask: AskMerge): Promise<CardShown> {
  return takeStep(context, ask, async () => {
    // A command for an account that does not exist would wait for it in vain.
    const { accountId } = await cardOfId(context, ask.payeeId, ask.into);
    return { step: 'Merge', into: accountId, most: ask.most };
  });
}
