import type { Product } from '../../gift-cards/gift-cards.types.ts';

/** A gift-card product of any payee, as operators see it. */
export interface ListedProduct extends Omit<Product, 'retiredAt'> {
  readonly payeeName: string;
  readonly state: 'OnSale' | 'Retired';
  /** No new cards since then; null where it is on sale. */
  readonly retiredAt: string | null;
}

/** Which products are wanted: from one on, in the order of payees and of their products' ids. */
export interface ProductList {
  /** Null: of all payees. */
  readonly payeeId: string | null;
  readonly state: ListedProduct['state'] | null;
  /** The last one of the page before. */
  readonly after: { readonly payeeId: string; readonly productId: string };
  readonly limit: number;
}
