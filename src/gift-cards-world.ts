import type { AccountsWorld } from './accounts/accounts.types.ts';
import type { Database } from './db/open-database.ts';
import { FIND_LIMITS } from './gift-cards/gift-cards.store.ts';
import type { GiftCardsWorld } from './gift-cards/gift-cards.types.ts';
import type { LifeWorld } from './gift-cards/life.types.ts';
import { FIND_PRODUCTS } from './gift-cards/products.store.ts';

/** What the sale of gift cards is made of. */
export interface GiftCardsParts {
  readonly accounts: AccountsWorld;
  readonly cardLife: Pick<LifeWorld, 'randomDigits' | 'findSealedCard' | 'renewKeys'>;
  readonly database: Pick<Database, 'find'>;
}

/** Puts the sale of gift cards on this process. */
export function giftCardsWorld({ accounts, cardLife, database }: GiftCardsParts): GiftCardsWorld {
  const { randomDigits, findSealedCard, renewKeys } = cardLife;
  return {
    ...accounts,
    randomDigits,
    findSealedCard,
    renewKeys,
    findProductOnSale: database.find(FIND_PRODUCTS),
    findLimits: database.find(FIND_LIMITS),
  };
}
