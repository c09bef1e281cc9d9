import type { ProductId } from '../../../src/gift-cards/gift-cards.types.ts';
import { createProduct } from '../../../src/gift-cards/products/products.ts';
import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import { newReference } from '../shop/accounts-shop.ts';
import { productTerms } from '../shop/gift-cards.ts';
import { cardSeller, type NewCard } from '../shop/gift-cards-seller.ts';
import type { Sample } from './routes-samples.ts';

/** The card that the samples put money on, for the payee of the run: known once it was made. */
let card: NewCard = { accountKey: '9578100000000000', cvc: '123', expiryDate: '12/39' };

const newCard: Sample = {
  params: () => ({}),
  make: async () => undefined,
  isMissedWhenUnknown: false,
  isAboutNothing: true,
  body: {
    amount: 500,
    email: 'anna@example.com',
    msisdn: '+4712345678',
    orderRef: 'sale-1',
    payerReference: 'olivia',
    productId: '1000',
  },
};

const deposit: Sample = {
  params: () => ({}),
  make: async (kontor) => {
    card = await cardSeller(kontor).issue(0);
  },
  isMissedWhenUnknown: false,
  get body() {
    const { accountKey, cvc, expiryDate } = card;
    return {
      amount: 10,
      currency: 'NOK',
      description: 'A present',
      orderRef: 'order-1',
      transactionRef: newReference(),
      SimpleAccountIdentifier: { accountKey, cvc, expiryDate },
    };
  },
};

let products = 0;

const newProduct: Sample = {
  params: () => ({}),
  make: async () => undefined,
  isMissedWhenUnknown: false,
  isAboutNothing: true,
  get body() {
    return {
      productId: `sample-${++products}`,
      name: 'Tea',
      currency: 'NOK',
      numberPrefix: '95783',
      numberLength: 16,
      validityMonths: 12,
      smallestAmount: 1,
      largestAmount: 100,
      largestBalance: 100,
      allowedProductIds: ['tea'],
      cvcRequired: false,
      mergeKeepsLimits: false,
      isDefault: false,
    };
  },
};

/** A product to be retired. */
const product: Sample = {
  params: (name) => ({ productId: name }),
  make: (kontor, payeeId, name) =>
    kontor.service.database.transact((transaction) =>
      createProduct(transaction, kontor.service.giftCards, {
        terms: productTerms(payeeId, { productId: name as ProductId, isDefault: false }),
        actor: COMMAND_LINE,
      }),
    ),
  isMissedWhenUnknown: true,
};

const listing: Sample = { params: () => ({}), make: async () => undefined, isMissedWhenUnknown: false };

/** Samples of gift cards. */
export const GIFT_CARD_SAMPLES: Readonly<Record<string, Sample>> = {
  getNewGiftCard: newCard,
  preDeposit: deposit,
  listGiftCardProducts: listing,
  createGiftCardProduct: newProduct,
  retireGiftCardProduct: product,
};
