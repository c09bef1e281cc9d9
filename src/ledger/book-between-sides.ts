import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import { book } from './book.rules.ts';
import type { MovementDraft } from './ledger.types.ts';
import { insertEntries, insertMovements } from './save-batch.store.ts';

/** Whose movements they are, and when they happen. */
export interface Booking {
  readonly payeeId: PayeeId;
  readonly newId: () => string;
  /** ISO 8601 in UTC. */
  readonly now: string;
}

/**
 * Books movements between the payee's own sides, in a transaction of the caller's: no account is in them, so that there is
 * nothing to lock and no batch to wait for.
 *
 * @returns their ids, in their order
 */
export async function bookBetweenSides(
  transaction: Transaction,
  booking: Booking,
  drafts: readonly MovementDraft[],
): Promise<readonly string[]> {
  if (drafts.length === 0) return [];
  const noAccount = (): never => {
    throw new Error('no account is in a movement between sides');
  };
  const { movements, entries } = book({ ...booking, account: noAccount }, drafts);
  for (const { statement, values, expected } of [insertMovements(movements), insertEntries(entries)]) {
    const { count } = await transaction.run(statement, values);
    assert(count === expected, 'every movement is written, and every entry of it');
  }
  return movements.map(({ movementId }) => movementId);
}
