import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { lockCardFiles } from '../gift-cards.store.ts';

/**
 * Waits until no other transaction commits cards of the payee that it has put into a file. From here to its end the
 * caller's is the only one, so that what is in a file, and exists, comes before all that does not.
 */
export async function claimCardFiles(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await lockCardFiles(transaction, payeeId);
}
