import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { Issuers } from '../../issuers/issuers.types.ts';
import { HELD_CARD_DAYS, HELD_CARDS_LOOKED_AFTER, SEALED_CARDS_SWEPT } from '../../kit/cards/card-payment-limits.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { RowOfWork } from '../../kit/work/background.ts';
import { destroyUnusedCards } from '../../tokens/delete-token.ts';
import { endHolds } from '../../vault/hold-card.ts';
import type { InstrumentId } from '../../vault/vault.types.ts';
import { selectHeld } from '../payments.store.ts';
import { type DueHold, selectDueHolds } from './held-cards.store.ts';
import {
  endTry,
  forgetSealed,
  putOffSealed,
  type SealedCard,
  selectLongSealed,
  selectSealedSince,
  selectTried,
} from './sealed-cards.store.ts';

/** Seconds after which a card that a payment has sealed is looked after: any request has ended by then. */
const SEALED_CARD_SECONDS = 600;

/** Some cards that payments of one payee have sealed so long ago that the process that did it has ended. */
export async function findLongSealed(
  read: Read,
  afterSeconds = SEALED_CARD_SECONDS,
): Promise<readonly (SealedCard & RowOfWork)[]> {
  const cards = await selectLongSealed(read, { seconds: afterSeconds, limit: SEALED_CARDS_SWEPT });
  return cards.map((card) => ({ ...card, rowId: card.instrumentId }));
}

/**
 * Looks after cards that payments of one payee have sealed long ago, and destroys those that neither a token nor a
 * payment needs: the process that sealed them has died before it could.
 *
 * @param afterSeconds how long ago; longer than any request takes
 */
export async function sweepCards(
  transaction: Transaction,
  sealed: readonly SealedCard[],
  afterSeconds = SEALED_CARD_SECONDS,
): Promise<void> {
  const [oldest] = sealed;
  if (oldest === undefined) return;
  const read: Read = (statement, values) => transaction.run(statement, values);
  const { payeeId } = oldest;
  const instrumentIds = sealed.map(({ instrumentId }) => instrumentId);
  await destroyUnusedCards(transaction, payeeId, {
    candidates: instrumentIds,
    findHeld: async (locked) => [
      ...(await selectHeld(read, payeeId, locked)),
      ...(await selectSealedSince(read, payeeId, { instrumentIds: locked, seconds: afterSeconds })),
    ],
  });
  const held = await selectHeld(read, payeeId, instrumentIds);
  await putOffSealed(transaction, payeeId, held);
  const others = instrumentIds.filter((instrumentId) => !held.includes(instrumentId));
  await forgetSealed(transaction, payeeId, { instrumentIds: others, seconds: afterSeconds });
}

/** What a request leaves behind. */
export interface LeftCards {
  readonly candidates: readonly InstrumentId[];
  /** The one of them with which the request has begun a try; it ends with this. */
  readonly tried: InstrumentId | undefined;
}

/** Destroys cards that were sealed for a payment, where no token, no other payment and no other request needs them. */
export async function releaseCards(
  transaction: Transaction,
  payeeId: PayeeId,
  { candidates, tried }: LeftCards,
): Promise<void> {
  const read: Read = (statement, values) => transaction.run(statement, values);
  await destroyUnusedCards(transaction, payeeId, {
    candidates,
    findHeld: async (locked) => {
      // Behind the lock on the card, as in `beginTry`, or the two could wait for each other.
      if (tried !== undefined) await endTry(transaction, { payeeId, instrumentId: tried });
      return [
        ...(await selectHeld(read, payeeId, locked)),
        ...(await selectTried(read, payeeId, { instrumentIds: locked, seconds: SEALED_CARD_SECONDS })),
      ];
    },
  });
}

/** Some held cards of one payee that it is time to look after. */
export async function findDueHolds(
  read: Read,
  { all }: Pick<Issuers, 'all'>,
): Promise<readonly (DueHold & RowOfWork)[]> {
  const issuerIds = all.filter(({ needCard }) => needCard.length > 0).map(({ issuerId }) => issuerId);
  const which = { limit: HELD_CARDS_LOOKED_AFTER, mostDays: HELD_CARD_DAYS, issuerIds };
  return (await selectDueHolds(read, which)).map((hold) => ({ ...hold, rowId: hold.attemptId }));
}

/** Lets go of held cards of one payee whose payments are over, and destroys those that nothing else needs. */
export async function releaseHeldCards(transaction: Transaction, holds: readonly DueHold[]): Promise<void> {
  const [first] = holds;
  if (first === undefined) return;
  const { payeeId } = first;
  await endHolds(transaction, payeeId, holds);
  const over = holds.filter(({ isNeeded }) => !isNeeded).map(({ instrumentId }) => instrumentId);
  await releaseCards(transaction, payeeId, { candidates: [...new Set(over)], tried: undefined });
}
