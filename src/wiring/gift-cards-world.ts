import type { AccountsWorld } from '../accounts/opening/accounts.types.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/open-database.ts';
import type { LifeWorld } from '../gift-cards/cards/life.types.ts';
import { FIND_LIMITS } from '../gift-cards/gift-cards.store.ts';
import type { GiftCardsWorld, ProductKey, ProductOnSale } from '../gift-cards/gift-cards.types.ts';
import { FIND_PRODUCTS } from '../gift-cards/products/products.store.ts';

/** What the sale of gift cards is made of. */
export interface GiftCardsParts {
  readonly accounts: AccountsWorld;
  readonly cardLife: Pick<LifeWorld, 'randomDigits' | 'findSealedCard' | 'renewKeys'>;
  readonly database: Pick<Database, 'find'>;
  readonly config: Pick<Config, 'mode'>;
  /** Takes the first digits of numbers that free text is scanned for from now on. */
  readonly notePrefix: (prefix: string) => void;
  readonly cardPrefixes: GiftCardsWorld['cardPrefixes'];
}

/** Puts the sale of gift cards on this process. */
export function giftCardsWorld({
  accounts,
  cardLife,
  database,
  config,
  notePrefix,
  cardPrefixes,
}: GiftCardsParts): GiftCardsWorld {
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
