import type { Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import { destroyInstruments } from '../vault/destroy-instruments.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import { findUnused } from './tokens.store.ts';

/**
 * Destroys cards that were sealed for a while and that no token uses.
 *
 * @param which the cards, and who knows which of them are needed for something else
 */
export async function destroyUnusedCards(
  transaction: Transaction,
  payeeId: PayeeId,
  which: {
    readonly candidates: readonly InstrumentId[];
    readonly findHeld: (locked: readonly InstrumentId[]) => Promise<readonly InstrumentId[]>;
  },
): Promise<void> {
  await destroyInstruments(transaction, payeeId, {
    candidates: which.candidates,
    findUnused: async (locked) => {
      const held = await which.findHeld(locked);
      return (await findUnused(transaction, payeeId, locked)).filter((instrumentId) => !held.includes(instrumentId));
    },
  });
}
