import type { Operation } from '../api/public-api.ts';

/** Where the public API lists gift-card products. */
export const PRODUCTS = '/api/payments/gift-card/products';

/** A gift-card product as the public API tells it. */
export interface Product {
  readonly productId: string;
  readonly name: string;
  readonly currency: string;
  readonly numberPrefix: string;
  readonly numberLength: number;
  readonly validityMonths: number;
  readonly smallestAmount: number;
  readonly largestAmount: number;
  readonly largestBalance: number;
  readonly allowedProductIds: readonly string[];
  readonly cvcRequired: boolean;
  readonly isDefault: boolean;
  readonly state: 'OnSale' | 'Retired';
  readonly created: string;
  readonly retired?: string;
  readonly operations: readonly Operation[];
}
export interface ProductList {
  readonly products: readonly Product[];
  readonly operations: readonly Operation[];
}

/** A card when it is new: the only time that its number and code are told. */
export interface IssuedCard {
  readonly accountId: string;
  readonly accountKey: string;
  readonly cvc: string;
  readonly expiryDate: string;
}
