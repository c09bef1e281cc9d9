import { uuidV4 } from '../../../src/kit/ids.ts';
import { newReference } from '../shop/accounts-shop.ts';
import type { Sample } from './routes-samples.ts';

/** Members of a purchase that card payments and payment orders both have. */
export const PURCHASE = {
  operation: 'Purchase',
  intent: 'Authorization',
  currency: 'NOK',
  amount: 100,
  vatAmount: 20,
  description: 'Coffee',
  userAgent: 'Mozilla/5.0',
  language: 'nb-NO',
  paymentToken: '',
  recurrenceToken: '',
  unscheduledToken: '',
  generatePaymentToken: false,
  generateRecurrenceToken: false,
  generateUnscheduledToken: false,
  generateTransactionOnFileToken: false,
  urls: {
    hostUrls: ['https://shop.example'],
    completeUrl: 'https://shop.example/done',
    cancelUrl: 'https://shop.example/cancelled',
    paymentUrl: 'https://shop.example/pay',
    callbackUrl: 'https://shop.example/callback',
    logoUrl: 'https://shop.example/logo.png',
    termsOfServiceUrl: 'https://shop.example/terms',
  },
  metadata: { table: 4, note: 'window', gift: false, weight: 0.75 },
};

/** Which cards may pay. */
export const CARDS = {
  rejectCreditCards: false,
  rejectDebitCards: false,
  rejectConsumerCards: false,
  rejectCorporateCards: false,
  no3DSecure: false,
  noCvc: false,
  orderedBy: '',
  rejectCvcMismatch: false,
  rejectAddressMismatch: false,
};

/** Who is paid, by a reference that is new each time. */
export function payeeInfo(payeeId: string) {
  return {
    payeeId,
    payeeReference: newReference(),
    payeeName: 'The kiosk',
    productCategory: 'Coffee',
    orderReference: 'order-1',
    subsite: 'north',
  };
}

/** Makes something new each time, for the payee of the run: known once something was made for it. */
export function makesNew(body: (payeeId: string) => Readonly<Record<string, unknown>>): Sample {
  let ownPayeeId: string = uuidV4();
  return {
    params: () => ({}),
    make: async (_kontor, payeeId) => {
      ownPayeeId = payeeId;
    },
    isMissedWhenUnknown: false,
    isAboutNothing: true,
    get body() {
      return body(ownPayeeId);
    },
  };
}

/** A body whose payee reference is new each time that it is asked for. */
export function fresh(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    get transaction() {
      return { ...members, payeeReference: newReference() };
    },
  };
}

/** Gives out these ids, and then new ones. */
export function idsStartingWith(...first: readonly string[]): () => string {
  const waiting = [...first];
  return () => waiting.shift() ?? uuidV4();
}
