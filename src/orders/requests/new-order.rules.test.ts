import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { OrderItem } from '../orders.types.ts';
import { madeIn, readNewOrder } from './new-order.rules.ts';
import type { ReadOrder, SentNewOrder } from './new-order.types.ts';

const PAYEE = '0192f000-0000-7000-8000-000000000001' as PayeeId;

const ITEM: OrderItem = {
  reference: 'P1',
  name: 'Product 1',
  type: 'PRODUCT',
  class: 'Group1',
  quantity: 2,
  quantityUnit: 'pcs',
  unitPrice: 5000,
  vatPercent: 2500,
  amount: 10_000,
  vatAmount: 2000,
};

const GOOD: SentNewOrder = {
  operation: 'Purchase',
  currency: 'NOK',
  amount: 10_000,
  vatAmount: 2000,
  urls: { completeUrl: 'https://shop.example/ok' },
  payeeInfo: { payeeReference: 'ref-1' },
};

function read(sent: object, isSandbox = true): ReadOrder {
  const asker = { payeeId: PAYEE, payeeName: 'Kiosk', userAgent: undefined, isSandbox };
  return readNewOrder({ ...GOOD, ...sent }, asker);
}

/** What is wrong with an order, by the problem's name; `notfound` as such; undefined where nothing is. */
function faultOf(sent: object): string | undefined {
  try {
    read(sent);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.problems[0]?.name ?? error.code;
  }
}

describe('an order that makes no sense', () => {
  test.each<[string, object, string | undefined]>([
    ['nothing but what it must have', {}, undefined],
    ['no urls', { urls: {} }, 'paymentorder.urls.completeUrl'],
    ['no urls at a Verify', { operation: 'Verify', urls: {} }, 'paymentorder.urls.completeUrl'],
    ['no urls at a Recur', { operation: 'Recur', urls: {}, recurrenceToken: 'a' }, undefined],
    ['a Recur without its token', { operation: 'Recur' }, 'paymentorder.recurrenceToken'],
    ['an UnscheduledPurchase without one', { operation: 'UnscheduledPurchase' }, 'paymentorder.unscheduledToken'],
    ['one by its older name', { operation: 'UnscheduledPurchase', paymentToken: 'a' }, undefined],
    ['no reference', { payeeInfo: {} }, 'paymentorder.payeeInfo.payeeReference'],
    ['another payee', { payeeInfo: { payeeId: PAYEE.replace('1', '2') } }, 'notfound'],
    ['no currency', { currency: undefined }, 'paymentorder.currency'],
    ['a currency that there is not', { currency: 'ZZZ' }, 'paymentorder.currency'],
    ['no amount', { amount: undefined }, 'paymentorder.amount'],
    ['nothing to pay', { amount: 0, vatAmount: 0 }, 'paymentorder.amount'],
    ['VAT above the amount', { vatAmount: 10_001 }, 'paymentorder.vatAmount'],
    ['a Verify of nothing', { operation: 'Verify', amount: undefined, currency: undefined }, undefined],
    ['an instrument of elsewhere', { instrument: 'Invoice' }, 'paymentorder.instrument'],
    ['one of ours in other letters', { instrument: 'creditcard' }, undefined],
    ['a Verify of a gift card', { operation: 'Verify', instrument: 'GiftCard' }, 'paymentorder.instrument'],
    ['a menu of others alone', { restrictedToInstruments: ['Swish'] }, 'paymentorder.restrictedToInstruments'],
    ['a menu with one of ours', { restrictedToInstruments: ['Swish', 'giftcard'] }, undefined],
    [
      'a box for the consent beside stored cards',
      { enablePaymentDetailsConsentCheckbox: true },
      'paymentorder.enablePaymentDetailsConsentCheckbox',
    ],
    [
      'the box without them',
      { enablePaymentDetailsConsentCheckbox: true, disableStoredPaymentDetails: true },
      undefined,
    ],
    ['an address that is none', { urls: { completeUrl: 'ok' } }, 'paymentorder.urls.completeUrl'],
    ['lines that sum', { orderItems: [ITEM] }, undefined],
    ['a line that is one off', { orderItems: [{ ...ITEM, amount: 9999 }] }, undefined],
    ['a line that is two off', { orderItems: [{ ...ITEM, amount: 9998 }] }, 'paymentorder.orderItems'],
    ['VAT that is two off', { orderItems: [{ ...ITEM, vatAmount: 2002 }] }, 'paymentorder.orderItems'],
    [
      'a discount',
      {
        orderItems: [
          { ...ITEM, amount: 11_000 },
          { ...ITEM, type: 'DISCOUNT', amount: -1000, vatAmount: 0 },
        ],
      },
      undefined,
    ],
    [
      'a line for means of payment of elsewhere, which counts for nothing',
      { orderItems: [ITEM, { ...ITEM, restrictedToInstruments: ['Invoice-X'] }] },
      undefined,
    ],
    [
      'a line for cards alone',
      { orderItems: [{ ...ITEM, restrictedToInstruments: ['CreditCard'] }] },
      'paymentorder.orderItems[0].restrictedToInstruments',
    ],
    ['nothing of something', { orderItems: [{ ...ITEM, quantity: 0 }] }, 'paymentorder.orderItems[0].quantity'],
    ['a ten-thousandth', { orderItems: [{ ...ITEM, quantity: 0.0001 }] }, undefined],
    ['less of it', { orderItems: [{ ...ITEM, quantity: 1.00001 }] }, 'paymentorder.orderItems[0].quantity'],
    ['lines at a Verify, which pays nothing', { operation: 'Verify', orderItems: [ITEM] }, undefined],
  ])('%s', (_, sent, fault) => {
    expect(faultOf(sent)).toBe(fault);
  });

  test('is refused for plain http in production', () => {
    expect(() => read({ urls: { completeUrl: 'http://shop.example/ok' } }, false)).toThrow(Refusal);
  });
});

describe('an order as it is understood', () => {
  test.each<[string, object, object]>([
    ['what is not said', {}, { intent: 'Authorization', instrument: null, orderItems: [], payer: undefined }],
    ['a Verify', { operation: 'Verify', intent: 'AutoCapture' }, { intent: null, amount: 0, vatAmount: 0 }],
    ['a Verify without a currency', { operation: 'Verify', currency: undefined }, { currency: 'NOK' }],
    ['no menu', { disablePaymentMenu: true }, { instrument: 'CreditCard' }],
    ['no menu but gift cards', { disablePaymentMenu: true, instrument: 'GIFTCARD' }, { instrument: 'GiftCard' }],
  ])('%s', (_, sent, understood) => {
    expect(read(sent)).toMatchObject(understood);
  });

  test.each<[string, object, object]>([
    ['no description: the payee by its name', {}, { description: 'Kiosk' }],
    ['or as the payer knows it', { payeeInfo: { payeeReference: 'a', payeeName: 'Shop' } }, { description: 'Shop' }],
    ['a description', { description: ' A book ' }, { description: 'A book' }],
    ['a token', { paymentToken: 'ABC' }, { token: 'abc' }],
    ['flags of cards', { items: [{ creditCard: { noCvc: true } }] }, { cards: { noCvc: true } }],
    [
      'the menu in the order of the request, each once',
      { restrictedToInstruments: ['giftcard', 'Swish', 'CreditCard', 'GiftCard'] },
      { restrictedToInstruments: ['GiftCard', 'CreditCard'] },
    ],
    ['gift cards that are bought', { riskIndicator: { giftCardPurchase: true } }, { buysGiftCards: true }],
    ['tokens to be made', { generatePaymentToken: true, generateRecurrenceToken: false }, { generate: ['Payment'] }],
    ['who pays', { payer: { payerReference: 'anna' } }, { payerReference: 'anna' }],
  ])('%s', (_, sent, terms) => {
    expect(read(sent).terms).toMatchObject(terms);
  });

  test('drops what is wrong of a payer, and keeps the rest', () => {
    const { payer } = read({
      payer: {
        payerReference: 'anna',
        firstName: 'Anna',
        email: 'no address',
        msisdn: '+47 456 12 345',
        billingAddress: { msisdn: '12', countryCode: 'no', city: 'Oslo', zipCode: '0'.repeat(17) },
        shippingAddress: { email: 'none' },
      },
    });
    expect(payer).toEqual({
      firstName: 'Anna',
      msisdn: '+4745612345',
      billingAddress: { countryCode: 'NO', city: 'Oslo' },
    });
  });
});

describe('the view that an order is made in', () => {
  test.each([
    [undefined, undefined, '2.0'],
    [undefined, 'Checkout3', '3.0'],
    [undefined, 'Other', '2.0'],
    ['3.1', undefined, '3.1'],
    ['2.0', 'Checkout3', '2.0'],
  ] as const)('version %s, product %s: %s', (asked, productName, view) => {
    expect(madeIn(asked, productName === undefined ? {} : { productName })).toBe(view);
  });
});
