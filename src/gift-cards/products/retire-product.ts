import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { notFound } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Product } from '../gift-cards.types.ts';
import { lockProducts, saveRetirement, selectProducts } from './products.store.ts';

/**
 * Takes a product off sale. Its cards stay good. If it was the default, the payee has none until another one is made it.
 * Retiring twice is as once.
 *
 * @throws Refusal `notfound`
 */
export async function retireProduct(
  transaction: Transaction,
  { payeeId, productId, actor }: { readonly payeeId: PayeeId; readonly productId: string; readonly actor: Actor },
): Promise<Product> {
  await lockProducts(transaction, payeeId);
  const find = async () =>
    (await selectProducts(transaction, payeeId)).rows.find((product) => product.productId === productId);
  const product = await find();
  if (product === undefined) throw notFound();
  if (product.retiredAt !== null) return product;
  const saved = await saveRetirement(transaction, product);
  assert(saved === 1, 'a product on sale is retired once');
  await writeAudit(transaction, [{ payeeId, actor, action: 'retire-gift-card-product', objectId: productId }]);
  const retired = await find();
  assert(retired !== undefined, 'a retired product is still there');
  return retired;
}
