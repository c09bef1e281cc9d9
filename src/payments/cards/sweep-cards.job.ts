import type { Read, Transact } from '../../db/transaction.types.ts';
import { HELD_CARDS_INTERVAL_MS, SEALED_CARDS_INTERVAL_MS } from '../../kit/cards/card-payment-limits.ts';
import type { Background, WorkOn } from '../../kit/work/background.ts';
import type { CardPaymentsContext } from '../payments-context.types.ts';
import { findDueHolds, findLongSealed, releaseHeldCards, sweepCards } from './release-cards.ts';

/** What the job needs. */
export interface SweepingContext {
  readonly read: Read;
  readonly transact: Transact;
  readonly background: Background;
  readonly workOn: WorkOn;
}

/**
 * Starts destroying cards that were sealed for payments and are not needed any more, once a minute, as long as it
 * takes.
 *
 * @returns stops it, and waits for the round under way
 */
export function startSweepingCards(
  { read, transact, background, workOn }: SweepingContext,
  intervalMs = SEALED_CARDS_INTERVAL_MS,
): () => Promise<void> {
  return background.repeat('sweep-sealed-cards', intervalMs, async (isStopped) => {
    for (let found = await findLongSealed(read); found.length > 0 && !isStopped(); found = await findLongSealed(read)) {
      await workOn('sweep-sealed-cards', found, (cards) => transact((transaction) => sweepCards(transaction, cards)));
    }
  });
}

/**
 * Starts letting go of cards that are held for acquirers which want them again, once nothing can follow their payments:
 * once a minute, as long as it takes.
 *
 * @returns stops it, and waits for the round under way
 */
export function startReleasingHeldCards(
  { read, transact, background, workOn, issuers }: SweepingContext & Pick<CardPaymentsContext, 'issuers'>,
  intervalMs = HELD_CARDS_INTERVAL_MS,
): () => Promise<void> {
  const find = () => findDueHolds(read, issuers);
  return background.repeat('release-held-cards', intervalMs, async (isStopped) => {
    for (let found = await find(); found.length > 0 && !isStopped(); found = await find()) {
      await workOn('release-held-cards', found, (holds) =>
        transact((transaction) => releaseHeldCards(transaction, holds)),
      );
    }
  });
}
