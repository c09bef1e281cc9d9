import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Product } from '../gift-cards.types.ts';
import { selectProducts } from './products.store.ts';

/** A payee's products, the newest first, retired ones among them. */
export async function listProducts(transaction: Transaction, payeeId: PayeeId): Promise<readonly Product[]> {
  return (await selectProducts(transaction, payeeId)).rows;
}
