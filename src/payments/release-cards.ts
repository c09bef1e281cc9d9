import type { Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import { destroyUnusedCards } from '../tokens/destroy-unused-cards.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import { selectHeld } from './payments.store.ts';

/** Destroys cards that were sealed for a payment, where no token and no other payment needs them. */
export async function releaseCards(
  transaction: Transaction,
  payeeId: PayeeId,
  candidates: readonly InstrumentId[],
): Promise<void> {
  await destroyUnusedCards(transaction, payeeId, {
    candidates,
    findHeld: (locked) => selectHeld(transaction.run.bind(transaction), payeeId, locked),
  });
}
