import type { Read, Transaction } from '../db/transaction.types.ts';
import { SEALED_CARD_SECONDS, SEALED_CARDS_SWEPT } from '../kit/limits.ts';
import { destroyUnusedCards } from '../tokens/destroy-unused-cards.ts';
import { selectHeld } from './payments.store.ts';
import { forgetSealed, putOffSealed, selectLongSealed, selectSealedSince } from './sealed-cards.store.ts';

/**
 * Looks after some cards that payments of one payee have sealed long ago, and destroys those that neither a token nor a
 * payment needs: whoever sealed them has died before it could.
 *
 * @param afterSeconds how long ago; longer than any request takes
 * @returns how many were looked at
 */
export async function sweepCards(transaction: Transaction, afterSeconds = SEALED_CARD_SECONDS): Promise<number> {
  const read: Read = (statement, values) => transaction.run(statement, values);
  const sealed = await selectLongSealed(read, { seconds: afterSeconds, limit: SEALED_CARDS_SWEPT });
  const [oldest] = sealed;
  if (oldest === undefined) return 0;
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
  return sealed.length;
}
