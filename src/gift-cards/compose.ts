import type { AccountsContext } from '../accounts/accounts.types.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/server/database.types.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import { eventsAreNumbered } from '../journal/journal-invariants.ts';
import { loadWriteKeys } from '../keys/ring/load-write-keys.ts';
import { assert } from '../kit/assert.ts';
import { randomDigits } from '../kit/secret.ts';
import { takePaymentNumbers } from '../ledger/accounts/open-accounts.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { CardsService } from './bulk/bulk.types.ts';
import { selectDayEnds } from './bulk/import.store.ts';
import type { CardImportService } from './bulk/import.types.ts';
import { FIND_CARDS, FIND_SEALED_CARDS, selectSwept } from './cards/life.store.ts';
import type { LifeContext, LifeService } from './cards/life.types.ts';
import type { ManyContext } from './cards/many/selection.types.ts';
import { sweepAct } from './cards/many/sweep-act.flow.ts';
import { FIND_LIMITS } from './gift-cards.store.ts';
import type { CardMaker, GiftCardsContext, GiftCardsService, ProductKey, ProductOnSale } from './gift-cards.types.ts';
import { INVARIANTS } from './invariants.store.ts';
import { GIFT_CARD_KEY_USES } from './key-uses.ts';
import { SUMS_ARE_KEPT } from './liability/kept-invariant.store.ts';
import type { LiabilityService } from './liability/liability.types.ts';
import { FIND_ANY_PRODUCTS, FIND_PRODUCTS } from './products/products.store.ts';

/** What gift cards are composed of. */
export interface GiftCardsParts {
  readonly config: Pick<Config, 'mode'>;
  readonly database: Pick<Database, 'find' | 'read' | 'transact' | 'report' | 'background' | 'reportReads'>;
  readonly accounts: AccountsContext;
  readonly cardPrefixes: GiftCardsContext['cardPrefixes'];
  /** Takes the first digits of numbers that free text is scanned for from now on. */
  readonly notePrefix: (prefix: string) => void;
}

/** Composes gift cards: products, their sale, and their life. */
export function composeGiftCards(parts: GiftCardsParts) {
  const { database } = parts;
  const { transact, read, background, report } = database;
  const { life, sale } = contextsOf(parts);
  // Pages of many cards: where the planner is free.
  const many: ManyContext = { submit: life.submit, newId: life.newId, read: background.read };
  return {
    life,
    context: sale,
    keyUses: GIFT_CARD_KEY_USES,
    invariants: giftCardInvariants(),
    /** What of gift cards may need a second person. */
    acts: [sweepAct(many)],
    many,
    database,
    commands: {
      giftCards: (): GiftCardsService => ({ transact: background.transact, context: sale, whichPayee }),
      cardLife: ({ checkWords }: Pick<LifeService, 'checkWords'>): LifeService => ({
        transact,
        read,
        life,
        whichPayee,
        checkWords,
      }),
      cards: (): CardsService => bulkService(parts, life),
      cardImport: ({ reader }: Pick<CardImportService, 'reader'>): CardImportService => ({
        ...bulkService(parts, life),
        reader,
      }),
      liability: (): LiabilityService => ({ report, whichPayee }),
    },
  };
}

function contextsOf({ config, database, accounts, cardPrefixes, notePrefix }: GiftCardsParts) {
  const { keyRing, newId, submit } = accounts;
  const life: LifeContext = {
    keyRing,
    newId,
    submit,
    randomDigits,
    findCard: database.find(FIND_CARDS),
    findSealedCard: database.find(FIND_SEALED_CARDS),
    findProduct: database.find(FIND_ANY_PRODUCTS),
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
  const findOnSale = database.find<ProductKey, ProductOnSale>(FIND_PRODUCTS);
  const { findSealedCard, renewKeys } = life;
  const sale: GiftCardsContext = {
    ...accounts,
    randomDigits,
    findSealedCard,
    renewKeys,
    onlyTestNumbers: config.mode === 'sandbox',
    cardPrefixes,
    // A shop that sells a card here may write its number into a text in the next moment.
    findProductOnSale: async (key) => {
      const product = await findOnSale(key);
      if (product !== undefined) notePrefix(product.numberPrefix);
      return product;
    },
    findLimits: database.find(FIND_LIMITS),
  };
  return { life, sale };
}

/** For cards by the thousand: many rows by their keys, so not on the connections where the planner is free. */
function bulkService({ database: { transact, find } }: GiftCardsParts, maker: CardMaker): CardsService {
  const { keyRing, newId } = maker;
  return {
    transact,
    takeNumbers: (payeeId, count) => transact((transaction) => takePaymentNumbers(transaction, payeeId, count)),
    maker: { keyRing, newId, randomDigits },
    findProduct: find(FIND_PRODUCTS),
    whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
  };
}

/** What `kontor ledger verify` checks of gift cards, beside what holds of every account. */
function giftCardInvariants(): readonly Invariant[] {
  return [...INVARIANTS, SUMS_ARE_KEPT, eventsAreNumbered({ table: 'gift_card', id: 'account_id', kind: 'gift-card' })];
}
