import { setLimit } from '../../accounts/turnover/set-limit.ts';
import type { ValueLimit } from '../../accounts/turnover/turnover.types.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { inputError, notFound, Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { addOwnCardRanges } from '../../vault/add-own-card-ranges.ts';
import { findPrefixesLike } from '../../vault/find-card-ranges.ts';
import { isFreePrefix } from '../card-number.rules.ts';
import type { Product, ProductId, ProductTerms } from '../gift-cards.types.ts';
import type { GiftCardsContext } from '../gift-cards-context.types.ts';
import { hasTerms, refuseWrongTerms } from './products.rules.ts';
import {
  insertProduct,
  lockProducts,
  saveMergeKeepsLimits,
  saveRetirement,
  selectPrefixes,
  selectProducts,
  takeDefaultAway,
} from './products.store.ts';

/**
 * Creates a product. A payee's first one on sale is its default; a later one where that is asked for. The same terms
 * under the same id again are no second product. In the sandbox its cards are test cards.
 *
 * @throws Refusal `inputerror` for terms that break their rules, or a prefix that cards of another issuer have
 * @throws Refusal `referencereused` where the id has other terms
 */
export async function createProduct(
  transaction: Transaction,
  { config, issuers, cardPrefixes }: GiftCardsContext,
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
  if (config.mode === 'sandbox') await addOwnCardRanges(transaction, [numberPrefix]);
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

/** The first digits of gift cards, retired products' too: with them free text is scanned for card numbers. */
export async function loadGiftCardPrefixes(transaction: Transaction): Promise<CardPrefixes> {
  const { rows } = await selectPrefixes(transaction);
  return rows.map(({ prefix }) => prefix);
}

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

/** What may be changed of a product that is there. */
export interface ChangeProduct {
  readonly payeeId: PayeeId;
  readonly productId: string;
  readonly actor: Actor;
  /** Those that are set; with the amount null they are taken away. */
  readonly limits: readonly (Omit<ValueLimit, 'amount'> & { readonly amount: number | null })[];
  readonly mergeKeepsLimits: boolean | undefined;
}

/**
 * Changes settings of a product. They hold for all of its cards from the next payment on; what was loaded and spent before a limit
 * was set is not counted.
 *
 * @throws Refusal `notfound`, and `inputerror` for a limit that is no amount
 */
export async function changeProduct(
  transaction: Transaction,
  { newId }: { readonly newId: () => string },
  { payeeId, productId, actor, limits, mergeKeepsLimits }: ChangeProduct,
): Promise<Product> {
  await lockProducts(transaction, payeeId);
  const product = (await selectProducts(transaction, payeeId)).rows.find((one) => one.productId === productId);
  if (product === undefined) throw notFound();
  const key = { payeeId, productId: productId as ProductId };
  for (const limit of limits) await setLimit(transaction, { ...key, ...limit, limitId: newId() });
  if (mergeKeepsLimits !== undefined) {
    const saved = await saveMergeKeepsLimits(transaction, { ...key, mergeKeepsLimits });
    assert(saved === 1, 'a product that is there is changed');
  }
  const changed = [
    ...limits.map(({ flow, scope, period, amount }) => `${flow} ${scope} ${period} ${amount ?? 'none'}`),
    ...(mergeKeepsLimits === undefined ? [] : [`mergeKeepsLimits ${mergeKeepsLimits}`]),
  ];
  await writeAudit(
    transaction,
    changed.map((limit) => ({
      payeeId,
      actor,
      action: 'change-gift-card-product' as const,
      objectId: productId,
      details: { limit },
    })),
  );
  return oneOf((await selectProducts(transaction, payeeId)).rows, productId);
}
