import { Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Changed, PaymentRoutesOptions } from './payments.types.ts';
import { type LeftCards, releaseCards } from './release-cards.ts';
import { type TryCard, tryCard } from './try-card.ts';

/** Refusals that say for certain that a try has had no effect, and will have none. */
const WITHOUT_EFFECT = ['forbidden', 'referencereused'];

/** Tries a card (see `tryCard`), and destroys what was sealed for it and is needed no more. */
export async function tryAndRelease(options: PaymentRoutesOptions, request: TryCard): Promise<Changed> {
  const { payeeId } = request;
  const { instrumentId: tried } = request.card.summary;
  try {
    const changed = await tryCard(options.world, request);
    await release(options, payeeId, { candidates: changed.leftOver, tried });
    return changed;
  } catch (error) {
    if (tried !== undefined && error instanceof Refusal && WITHOUT_EFFECT.includes(error.code)) {
      await release(options, payeeId, { candidates: [tried], tried });
    }
    throw error;
  }
}

/** Destroys sealed cards that nothing needs any more. */
export async function release({ transact }: PaymentRoutesOptions, payeeId: PayeeId, left: LeftCards): Promise<void> {
  if (left.candidates.length > 0) await transact((transaction) => releaseCards(transaction, payeeId, left));
}
