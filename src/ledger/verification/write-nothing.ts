import type { Transaction } from '../../db/transaction.types.ts';
import { insertNoMovement } from './verification.store.ts';

/** Writes to the books as a payment does, and changes nothing: it fails where a payment would, for want of a right or a primary. */
export async function writeNothing(transaction: Transaction): Promise<void> {
  await insertNoMovement(transaction);
}
