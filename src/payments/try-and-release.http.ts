import { Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Changed, PaymentRoutesOptions } from './payments.types.ts';
import { releaseCards } from './release-cards.ts';
import { type TryCard, tryCard } from './try-card.ts';

/** Refusals that say for certain that a try has had no effect, and will have none. */
const WITHOUT_EFFECT = ['forbidden', 'referencereused'];

/** Tries a card (see `tryCard`), and destroys what was sealed for it and is needed no more. */
export async function tryAndRelease(options: PaymentRoutesOptions, request: TryCard): Promise<Changed> {
  const { payeeId, card } = request;
  try {
    const changed = await tryCard(options.world, request);
    await release(options, payeeId, changed.leftOver);
    return changed;
  } catch (error) {
    const { instrumentId } = card.summary;
    if (instrumentId !== undefined && error instanceof Refusal && WITHOUT_EFFECT.includes(error.code)) {
      await release(options, payeeId, [instrumentId]);
    }
    throw error;
  }
}

/** Destroys sealed cards that no token and no payment needs. */
export async function release(
  { transact }: PaymentRoutesOptions,
  payeeId: PayeeId,
  leftOver: Changed['leftOver'],
): Promise<void> {
  if (leftOver.length > 0) await transact((transaction) => releaseCards(transaction, payeeId, leftOver));
}
