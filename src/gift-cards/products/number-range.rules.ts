import { randomDigitsOf } from '../card-number.rules.ts';
import type { Product } from '../gift-cards.types.ts';

/** Of so many numbers one may be a card's: who guesses finds more where they are denser, and there is no code to stop them by. */
const LEAST_ONE_IN = 1000;

/** The numbers that a product's cards are drawn from. */
export interface NumberRange {
  /** Those that no card has. */
  readonly left: number;
  /** One of so many is a card's; infinite where none is. */
  readonly oneIn: number;
  readonly isNearlyUsed: boolean;
}

/** What is left of the numbers with a product's prefix and length; other products of the payee may draw from the same. */
export function rangeOf(
  product: Pick<Product, 'numberPrefix' | 'numberLength'>,
  {
    products,
    used,
  }: {
    readonly products: readonly Pick<Product, 'productId' | 'numberPrefix' | 'numberLength'>[];
    readonly used: readonly { readonly productId: string; readonly cards: number }[];
  },
): NumberRange {
  const shared = new Set<string>(
    products
      .filter(
        ({ numberPrefix, numberLength }) =>
          numberPrefix === product.numberPrefix && numberLength === product.numberLength,
      )
      .map(({ productId }) => productId),
  );
  const cards = used.reduce((sum, one) => sum + (shared.has(one.productId) ? one.cards : 0), 0);
  const all = 10 ** randomDigitsOf(product);
  const oneIn = cards === 0 ? Number.POSITIVE_INFINITY : Math.floor(all / cards);
  return { left: all - cards, oneIn, isNearlyUsed: oneIn <= LEAST_ONE_IN };
}
