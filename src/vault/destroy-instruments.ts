import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import { deleteInstruments, lockInstruments, selectFingerprints } from './instruments.store.ts';
import type { InstrumentId } from './vault.types.ts';

/**
 * Destroys those of the candidates that nothing refers to any more: ciphertext, data key and fingerprint go with the
 * row (crypto-shredding). The candidates are locked before `findUnused` looks, so nothing comes to refer to one after
 * it has looked; it has to ask the database in a statement of its own. A card that a payment holds stays until that lets go of it.
 *
 * @param which the candidates, and who knows which of them are unused
 * @returns how many were destroyed
 */
export async function destroyInstruments(
  transaction: Transaction,
  payeeId: PayeeId,
  which: {
    readonly candidates: readonly InstrumentId[];
    readonly findUnused: (locked: readonly InstrumentId[]) => Promise<readonly InstrumentId[]>;
  },
): Promise<number> {
  if (which.candidates.length === 0) return 0;
  const found = await selectFingerprints(transaction, payeeId, which.candidates);
  // In the order in which `storeInstruments` locks, or the two could wait for each other.
  const sorted = [...found].sort((a, b) => Buffer.compare(a.fingerprint, b.fingerprint));
  const locked = await lockInstruments(
    transaction,
    payeeId,
    sorted.map(({ instrumentId }) => instrumentId),
  );
  const unused = await which.findUnused(locked);
  assert(
    unused.every((instrumentId) => locked.includes(instrumentId)),
    'only a locked instrument is destroyed',
  );
  const deleted = await deleteInstruments(transaction, payeeId, unused);
  assert(deleted <= unused.length, 'nothing else is destroyed');
  return deleted;
}
