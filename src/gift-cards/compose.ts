import type { AccountsContext } from '../accounts/accounts.types.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import { eventsAreNumbered } from '../journal/journal-invariants.ts';
import { loadWriteKeys } from '../keys/ring/load-write-keys.ts';
import { assert } from '../kit/assert.ts';
import { takePaymentNumbers } from '../ledger/accounts/open-accounts.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { CardsService } from './bulk/bulk.types.ts';
import { selectDayEnds } from './bulk/import.store.ts';
import type { CardImportService } from './bulk/import.types.ts';
import { FIND_CARDS, FIND_SEALED_CARDS, selectSwept } from './cards/life.store.ts';
import { sweepAct } from './cards/many/sweep-act.flow.ts';
import { FIND_LIMITS } from './gift-cards.store.ts';
import type { ProductKey, ProductOnSale } from './gift-cards.types.ts';
import type { GiftCardsContext, GiftCardsService, LifeService } from './gift-cards-context.types.ts';
import { INVARIANTS } from './invariants.store.ts';
import { GIFT_CARD_KEY_USES } from './key-uses.ts';
import { SUMS_ARE_KEPT } from './liability/kept-invariant.store.ts';
import type { LiabilityService } from './liability/liability.types.ts';
import { FIND_ANY_PRODUCTS, FIND_PRODUCTS } from './products/products.store.ts';

/** Composes gift cards: products, their sale, and their life. */
export function composeGiftCards(accounts: AccountsContext) {
  const context = contextOf(accounts);
  const { transact, report, background } = context.database;
  return {
    context,
    keyUses: GIFT_CARD_KEY_USES,
    invariants: giftCardInvariants(),
    /** What of gift cards may need a second person. */
    acts: [sweepAct(context)],
    commands: {
      giftCards: (): GiftCardsService => ({ transact: background.transact, context, whichPayee }),
      cardLife: ({ checkWords }: Pick<LifeService, 'checkWords'>): LifeService => ({ context, whichPayee, checkWords }),
      cards: (): CardsService => bulkService(context),
      cardImport: ({ reader }: Pick<CardImportService, 'reader'>): CardImportService => ({
        ...bulkService(context),
        reader,
      }),
      liability: (): LiabilityService => ({ report, whichPayee }),
    },
  };

  /** For cards by the thousand: many rows by their keys, so not on the connections where the planner is free. */
  function bulkService(maker: GiftCardsContext): CardsService {
    return {
      transact,
      takeNumbers: (payeeId, count) => transact((transaction) => takePaymentNumbers(transaction, payeeId, count)),
      maker,
      findProduct: maker.findProductOnSale,
      whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
    };
  }
}

function contextOf(accounts: AccountsContext): GiftCardsContext {
  const { database, keyRing, notePrefix } = accounts;
  const findOnSale = database.find<ProductKey, ProductOnSale>(FIND_PRODUCTS);
  return {
    ...accounts,
    findCard: database.find(FIND_CARDS),
    findSealedCard: database.find(FIND_SEALED_CARDS),
    findProduct: database.find(FIND_ANY_PRODUCTS),
    // A shop that sells a card here may write its number into a text in the next moment.
    findProductOnSale: async (key) => {
      const product = await findOnSale(key);
      if (product !== undefined) notePrefix(product.numberPrefix);
      return product;
    },
    findLimits: database.find(FIND_LIMITS),
    sweptOf: (card) => selectSwept(database.read, card),
    endOfDay: async (payeeId, day) => {
      const endsAt = (await selectDayEnds({ run: database.read }, payeeId, [day])).get(day);
      assert(endsAt !== undefined, 'every day ends');
      return endsAt;
    },
    renewKeys: async () => {
      await database.transact((transaction) => loadWriteKeys(transaction, keyRing));
    },
  };
}

/** What `kontor ledger verify` checks of gift cards, beside what holds of every account. */
function giftCardInvariants(): readonly Invariant[] {
  return [...INVARIANTS, SUMS_ARE_KEPT, eventsAreNumbered({ table: 'gift_card', id: 'account_id', kind: 'gift-card' })];
}
