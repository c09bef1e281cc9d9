import type { AccountsContext } from '../accounts/accounts.types.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/open-database.ts';
import type { LifeContext } from '../gift-cards/cards/life.types.ts';
import { FIND_LIMITS } from '../gift-cards/gift-cards.store.ts';
import type { GiftCardsContext, ProductKey, ProductOnSale } from '../gift-cards/gift-cards.types.ts';
import { FIND_PRODUCTS } from '../gift-cards/products/products.store.ts';

/** What the sale of gift cards is made of. */
export interface GiftCardsParts {
  readonly accounts: AccountsContext;
  readonly cardLife: Pick<LifeContext, 'randomDigits' | 'findSealedCard' | 'renewKeys'>;
  readonly database: Pick<Database, 'find'>;
  readonly config: Pick<Config, 'mode'>;
  /** Takes the first digits of numbers that free text is scanned for from now on. */
  readonly notePrefix: (prefix: string) => void;
  readonly cardPrefixes: GiftCardsContext['cardPrefixes'];
}

/** Puts the sale of gift cards on this process. */
export function giftCardsContext({
  accounts,
  cardLife,
  database,
  config,
  notePrefix,
  cardPrefixes,
}: GiftCardsParts): GiftCardsContext {
  const { randomDigits, findSealedCard, renewKeys } = cardLife;
  const find = database.find<ProductKey, ProductOnSale>(FIND_PRODUCTS);
  return {
    ...accounts,
    randomDigits,
    findSealedCard,
    renewKeys,
    onlyTestNumbers: config.mode === 'sandbox',
    cardPrefixes,
    // Whoever sells a card here may write its number into a text in the next moment.
    findProductOnSale: async (key) => {
      const product = await find(key);
      if (product !== undefined) notePrefix(product.numberPrefix);
      return product;
    },
    findLimits: database.find(FIND_LIMITS),
  };
}
