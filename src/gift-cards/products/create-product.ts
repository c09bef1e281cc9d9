import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { inputError, Refusal } from '../../kit/errors.ts';
import { addOwnCardRanges } from '../../vault/add-own-card-ranges.ts';
import { findPrefixesLike } from '../../vault/find-prefixes-like.ts';
import { isFreePrefix } from '../card-number.rules.ts';
import type { Product, ProductsContext, ProductTerms } from '../gift-cards.types.ts';
import { hasTerms, refuseWrongTerms } from './products.rules.ts';
import { insertProduct, lockProducts, selectProducts, takeDefaultAway } from './products.store.ts';

/**
 * Creates a product. A payee's first one on sale is its default; a later one where that is asked for. The same terms
 * under the same id again are no second product. In the sandbox its cards are test cards.
 *
 * @throws Refusal `inputerror` for terms that break their rules, or a prefix that somebody else's cards have
 * @throws Refusal `referencereused` where the id has other terms
 */
export async function createProduct(
  transaction: Transaction,
  { issuers, onlyTestNumbers, cardPrefixes }: ProductsContext,
  { terms, actor }: { readonly terms: ProductTerms; readonly actor: Actor },
): Promise<Product> {
  refuseWrongTerms(terms, cardPrefixes());
  const { payeeId, productId, numberPrefix } = terms;
  await lockProducts(transaction, payeeId);
  const products = (await selectProducts(transaction, payeeId)).rows;
  const known = products.find((product) => product.productId === productId);
  if (known !== undefined) return theSame(known, terms);
  const others = [...issuers.externalPrefixes, ...(await findPrefixesLike(transaction, numberPrefix))];
  if (!isFreePrefix(numberPrefix, others)) {
    throw inputError('numberPrefix', 'must not be the beginning of a known card scheme’s or another issuer’s numbers');
  }
  const isDefault = terms.isDefault || !products.some((product) => product.isDefault);
  if (isDefault) await takeDefaultAway(transaction, payeeId);
  const added = await insertProduct(transaction, { ...terms, isDefault });
  assert(added === 1, 'a new product is one row');
  if (onlyTestNumbers) await addOwnCardRanges(transaction, [numberPrefix]);
  await writeAudit(transaction, [{ payeeId, actor, action: 'create-gift-card-product', objectId: productId }]);
  return oneOf((await selectProducts(transaction, payeeId)).rows, productId);
}

function theSame(known: Product, terms: ProductTerms): Product {
  if (hasTerms(known, terms)) return known;
  throw new Refusal('referencereused', 'There is another product under this id.', {
    problems: [{ name: 'productId', description: 'must be new, or come with the terms that it had' }],
  });
}

function oneOf(products: readonly Product[], productId: string): Product {
  const product = products.find((one) => one.productId === productId);
  assert(product !== undefined, 'a product is there once it was added');
  return product;
}
