import { describe, expect, test } from 'vitest';
import { callbackOf } from './callback.rules.ts';
import type { OrderLeg, PaymentOrder, SplitTransaction } from './orders.types.ts';

const CARD = { legId: 'leg-card', kind: 'Card', paymentId: 'card-payment' } as unknown as OrderLeg;
const GIFT = { legId: 'leg-gift', kind: 'Account', paymentId: 'account-payment' } as unknown as OrderLeg;

const order = (madeIn: PaymentOrder['madeIn'], more: Partial<PaymentOrder> = {}): PaymentOrder =>
  ({
    orderId: 'o',
    number: 7,
    operation: 'Purchase',
    madeIn,
    cardPaymentId: 'card-payment',
    terms: { urls: { callbackUrl: 'https://shop.example/cb' }, payeeInfo: { orderReference: '1042' } },
    ...more,
  }) as unknown as PaymentOrder;

const transaction = (type: SplitTransaction['type'], ...legs: readonly OrderLeg[]): SplitTransaction =>
  ({
    transactionId: 't',
    number: 8,
    type,
    parts: legs.map(({ legId }) => ({ legId, amount: 1, released: 0, ownId: `own-${legId}` })),
  }) as unknown as SplitTransaction;

describe('the form of a callback', () => {
  test('of 3.1 is the order and the number of the transaction', () => {
    expect(callbackOf(order('3.1'), transaction('Capture', GIFT, CARD), [GIFT, CARD])?.body).toEqual({
      orderReference: '1042',
      paymentOrder: { id: '/psp/paymentorders/o', instrument: 'CreditCard', number: 8 },
    });
  });

  test.each(['2.0', '3.0'] as const)('of %s is of the card, where it has a part', (madeIn) => {
    expect(callbackOf(order(madeIn), transaction('Sale', GIFT, CARD), [GIFT, CARD])?.body).toEqual({
      paymentOrder: { id: '/psp/paymentorders/o', instrument: 'CreditCard' },
      payment: { id: '/psp/creditcard/payments/card-payment', number: 7 },
      transaction: { id: '/psp/creditcard/payments/card-payment/authorizations/own-leg-card', number: 8 },
    });
  });

  test('of 2.0 is of the first gift card, where the card has no part in it', () => {
    expect(callbackOf(order('2.0'), transaction('Capture', GIFT), [GIFT, CARD])?.body).toMatchObject({
      paymentOrder: { instrument: 'CreditCard' },
      payment: { id: '/psp/giftcard/payments/account-payment' },
      transaction: { id: '/psp/giftcard/payments/account-payment/captures/own-leg-gift' },
    });
    expect(callbackOf(order('2.0'), transaction('Capture', GIFT), [GIFT])?.body).toMatchObject({
      paymentOrder: { instrument: 'GiftCard' },
    });
  });
});

describe('nothing is told', () => {
  test.each<[string, PaymentOrder, SplitTransaction | undefined]>([
    ['of an order without an address', order('3.1', { terms: { urls: {} } as never }), transaction('Capture', CARD)],
    ['of what has no transaction', order('3.1'), undefined],
    ['of the try of a Recur', order('3.1', { operation: 'Recur' }), transaction('Authorization', CARD)],
  ])('%s', (_, told, of) => {
    expect(callbackOf(told, of, [CARD])).toBeUndefined();
  });

  test('but of the capture of a Recur', () => {
    const told = callbackOf(order('3.1', { operation: 'Recur' }), transaction('Capture', CARD), [CARD]);
    expect(told).toBeDefined();
  });
});
