import type { Transaction } from '../../src/db/transaction.types.ts';
import type { ProductId, ProductTerms } from '../../src/gift-cards/gift-cards.types.ts';
import type { GiftCardsContext } from '../../src/gift-cards/gift-cards-context.types.ts';
import { selectProducts } from '../../src/gift-cards/products/products.store.ts';
import { createProduct } from '../../src/gift-cards/products/products.ts';
import type { Actor } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import type { AmountMinor, Currency } from '../../src/kit/money.ts';

/** The sandbox's product: a number, because some clients send their ids as numbers. */
const SANDBOX_PRODUCT: Omit<ProductTerms, 'payeeId'> = {
  productId: '1000' as ProductId,
  name: 'Sandbox gift card',
  currency: 'NOK' as Currency,
  // Beside the one of the sandbox's accounts, in ISO/IEC 7812's national range for Norway.
  numberPrefix: '95781',
  numberLength: 16,
  validityMonths: 24,
  smallestAmount: 1 as AmountMinor,
  largestAmount: 1_000_000 as AmountMinor,
  largestBalance: 2_000_000 as AmountMinor,
  allowedProductIds: [],
  cvcRequired: false,
  mergeKeepsLimits: false,
  isDefault: true,
};

/** Makes sure that the sandbox's payee sells gift cards. @returns the default product, also one that a user made */
export async function ensureSandboxProduct(
  transaction: Transaction,
  context: GiftCardsContext,
  { payeeId, actor }: { readonly payeeId: PayeeId; readonly actor: Actor },
): Promise<ProductId> {
  const { rows: products } = await selectProducts(transaction, payeeId);
  const found = products.find(({ isDefault }) => isDefault) ?? products.find(isSandboxProduct);
  if (found !== undefined) return found.productId;
  return (await createProduct(transaction, context, { terms: { ...SANDBOX_PRODUCT, payeeId }, actor })).productId;
}

/** Also a retired one: the user who retired it wanted that. */
function isSandboxProduct({ productId }: { readonly productId: ProductId }): boolean {
  return productId === SANDBOX_PRODUCT.productId;
}
