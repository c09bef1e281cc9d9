import { newReference } from './accounts-shop.ts';
import { cardSeller, type NewCard } from './gift-cards-seller.ts';
import type { Sample } from './routes-samples.ts';

/** The card that the samples put money on, for the payee of the run: known once it was made. */
let card: NewCard = { accountKey: '9578100000000000', cvc: '123', expiryDate: '12/39' };

const newCard: Sample = {
  params: () => ({}),
  make: async () => undefined,
  isMissedWhenUnknown: false,
  isAboutNothing: true,
  body: { amount: 500, email: 'anna@example.com', msisdn: '+4712345678', productId: '1000' },
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

/** Samples of gift cards. */
export const GIFT_CARD_SAMPLES: Readonly<Record<string, Sample>> = {
  getNewGiftCard: newCard,
  preDeposit: deposit,
};
