import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import { type PayeeId, uuidV4 } from '../../../src/kit/ids.ts';
import { amountMinor, parseCurrency } from '../../../src/kit/money.ts';
import { followUpOrder } from '../../../src/orders/changes/follow-up-order.flow.ts';
import { createOrder } from '../../../src/orders/create-order.flow.ts';
import { pageLink } from '../../../src/payments/page/page-link.ts';
import { pageAt } from '../payer/pay-page.ts';
import type { TestService } from '../service.ts';
import { newReference } from '../shop/accounts-shop.ts';
import { orderShop } from '../shop/order-shop.ts';
import type { Sample } from './routes-samples.ts';
import { CARDS, fresh, idsStartingWith, makesNew, PURCHASE, payeeInfo } from './routes-samples-purchase.ts';

/** How far an order goes before it is asked about. */
type Stage = 'Fresh' | 'Paid' | 'Captured' | 'Cancelled' | 'Reversed';

/** What stands under the name of a test: the same ids before and after it is made. */
interface Named {
  readonly orderId: string;
  readonly transactionId: string;
  readonly cardPaymentId: string;
}

const named = new Map<string, Named>();
/** The last part of the addresses of pages, by name: known once the order was made. */
const sessions = new Map<string, string>();

function idsOf(name: string): Named {
  const known = named.get(name) ?? { orderId: uuidV4(), transactionId: uuidV4(), cardPaymentId: uuidV4() };
  named.set(name, known);
  return known;
}

const FOLLOW_UPS = { Captured: ['Capture'], Cancelled: ['Cancellation'], Reversed: ['Capture', 'Reversal'] } as const;

async function make(kontor: TestService, payeeId: PayeeId, name: string, stage: Stage): Promise<void> {
  const { cardPayments, slices } = kontor.service;
  const orders = slices.orders.flows;
  const { orderId, cardPaymentId } = idsOf(name);
  const asked = { payeeId, actor: COMMAND_LINE, initiatedBy: 'Payee', idempotencyKey: undefined } as const;
  const currency = parseCurrency('NOK');
  if (currency === undefined) throw new Error('there is a Norwegian crown');
  const withIds = (...ids: string[]) => ({ ...orders, context: { ...orders.context, newId: idsStartingWith(...ids) } });
  // The second id is the command's.
  await createOrder(withIds(orderId, uuidV4(), cardPaymentId), {
    ...asked,
    operation: 'Purchase',
    intent: 'Authorization',
    currency,
    amount: amountMinor(1000),
    vatAmount: amountMinor(200),
    madeIn: '3.1',
    instrument: null,
    orderItems: [],
    terms: {
      description: 'Coffee',
      language: 'en-US',
      generate: [],
      urls: { completeUrl: 'https://shop.example/done' },
      payeeInfo: { payeeReference: newReference() },
      metadata: {},
      cards: {},
    },
  });
  const link = pageLink(cardPayments.keyRing, { payeeId, paymentId: cardPaymentId as never });
  sessions.set(name, link.slice(link.lastIndexOf('/') + 1));
  if (stage === 'Fresh') return;
  await pageAt(kontor, `${kontor.baseUrl}${link}`).pay();
  const types = stage === 'Paid' ? [] : FOLLOW_UPS[stage];
  for (const [index, type] of types.entries()) {
    const isLast = index === types.length - 1;
    const { transaction: made } = await followUpOrder(orders, {
      ...asked,
      orderId,
      type,
      amount: type === 'Cancellation' ? undefined : 100,
      vatAmount: undefined,
      description: undefined,
      payeeReference: undefined,
      receiptReference: undefined,
      orderItems: undefined,
      legs: undefined,
    });
    // Its id is known once it was made.
    if (isLast && made !== undefined) named.set(name, { ...idsOf(name), transactionId: made.transactionId });
  }
}

const at = (stage: Stage, ...params: (keyof Named)[]): Omit<Sample, 'body'> => ({
  params: (name) => Object.fromEntries(params.map((param) => [param, idsOf(name)[param]])),
  make: (kontor, payeeId, name) => make(kontor, payeeId, name, stage),
  isMissedWhenUnknown: true,
  // The same request again has no effect of its own, so it may be sent more than once.
  headers: (name) => ({ 'idempotency-key': name }),
});
const order = (stage: Stage) => at(stage, 'orderId');
const transaction = (stage: Stage) => at(stage, 'orderId', 'transactionId');

/** A line with every member that there is. */
const ITEM = {
  reference: 'P1',
  name: 'Product 1',
  type: 'PRODUCT',
  class: 'Group_1',
  itemUrl: 'https://shop.example/1',
  imageUrl: 'https://shop.example/1.jpg',
  description: 'More about it',
  discountDescription: 'Volume',
  quantity: 2,
  quantityUnit: 'pcs',
  unitPrice: 50,
  discountPrice: 0,
  vatPercent: 2500,
  amount: 100,
  vatAmount: 20,
  restrictedToInstruments: ['Invoice'],
};
const PERSON = { email: 'olivia@example.com', msisdn: '+4745612345' };
const ADDRESS = {
  ...PERSON,
  firstName: 'Olivia',
  lastName: 'Nyhuus',
  addressee: 'Olivia Nyhuus',
  coAddress: 'Per Nyhuus',
  streetAddress: 'Saltnestoppen 43',
  zipCode: '1642',
  city: 'Saltnes',
  countryCode: 'NO',
};

const PART = { amount: 10, vatAmount: 2, description: 'Part', receiptReference: 'receipt-1', orderItems: [ITEM] };
/** With a part that it names itself: no leg of an order that is there. */
const PART_BY_LEGS = { ...PART, legs: [{ id: uuidV4(), amount: 10 }] };

const create = makesNew((payeeId) => ({
  paymentorder: {
    ...PURCHASE,
    productName: 'Checkout3',
    instrument: 'CreditCard',
    disablePaymentMenu: true,
    restrictedToInstruments: ['CreditCard', 'Swish'],
    expandFirstInstrument: true,
    disableStoredPaymentDetails: true,
    enablePaymentDetailsConsentCheckbox: false,
    orderItems: [ITEM],
    payeeInfo: { ...payeeInfo(payeeId), siteId: 'site-1' },
    payer: {
      payerReference: 'anna',
      firstName: 'Olivia',
      lastName: 'Nyhuus',
      ...PERSON,
      shippingAddress: ADDRESS,
      billingAddress: ADDRESS,
      accountInfo: { accountAgeIndicator: '04' },
      digitalProducts: false,
    },
    riskIndicator: {
      giftCardPurchase: false,
      deliveryEmailAddress: 'olivia@example.com',
      deliveryTimeFrameIndicator: '01',
      preOrderDate: '20301224',
      preOrderPurchaseIndicator: '01',
      shipIndicator: '01',
      reOrderPurchaseIndicator: '01',
    },
    items: [{ creditCard: CARDS }],
  },
}));

/** The payments of gift cards by name, and their latest transactions: known once they were made. */
const legs = new Map<string, { readonly paymentId: string; readonly transactionId: string }>();

async function makeLeg(kontor: TestService, payeeId: PayeeId, name: string, stage: Stage): Promise<void> {
  const shop = orderShop({ ...kontor, payeeId });
  const { orderId } = (await shop.create(1000)).order;
  const { number } = await shop.giftCard(1000);
  await shop.add(orderId, number);
  await shop.pay(orderId);
  for (const type of stage === 'Paid' || stage === 'Fresh' ? [] : FOLLOW_UPS[stage]) {
    await shop.followUp(orderId, { type, ...(type !== 'Cancellation' && { amount: 100 }) });
  }
  const view = await shop.view(orderId);
  const paymentId = view.legs[0]?.paymentId;
  const transactionId = view.transactions.at(-1)?.parts[0]?.ownId;
  if (!paymentId || !transactionId) throw new Error('a gift card has paid the order');
  legs.set(name, { paymentId, transactionId });
}

const leg = (stage: Stage, ...params: ('paymentId' | 'transactionId')[]): Omit<Sample, 'body'> => ({
  params: (name) => Object.fromEntries(params.map((param) => [param, legs.get(name)?.[param] ?? uuidV4()])),
  make: (kontor, payeeId, name) => makeLeg(kontor, payeeId, name, stage),
  isMissedWhenUnknown: true,
});
const LEG_PARTS = {
  '': 'Paid',
  Prices: 'Paid',
  Urls: 'Paid',
  PayeeInfo: 'Paid',
  Metadata: 'Paid',
  Transactions: 'Paid',
  Authorizations: 'Paid',
  Captures: 'Captured',
  Cancellations: 'Cancelled',
  Reversals: 'Reversed',
  Paid: 'Paid',
} as const;
const LEG_ITEMS = {
  Transaction: 'Paid',
  Authorization: 'Paid',
  Capture: 'Captured',
  Cancellation: 'Cancelled',
  Reversal: 'Reversed',
} as const;

const PARTS = [
  'OrderItems',
  'Urls',
  'PayeeInfo',
  'Payer',
  'History',
  'Failed',
  'Aborted',
  'Paid',
  'Cancelled',
  'Reversed',
  'FinancialTransactions',
  'FailedAttempts',
  'PostPurchaseFailedAttempts',
  'PostPurchaseFailedAttemptsByOtherName',
  'Metadata',
  'Payments',
  'CurrentPayment',
];

/** Samples of payment orders. */
export const ORDER_SAMPLES: Readonly<Record<string, Sample>> = {
  createPaymentOrder: create,
  getPaymentOrder: order('Fresh'),
  changePaymentOrder: {
    ...order('Fresh'),
    body: {
      paymentorder: {
        operation: 'UpdateOrder',
        amount: 100,
        vatAmount: 20,
        description: 'Tea',
        orderItems: [ITEM],
        payeeInfo: { orderReference: 'order-2' },
        abortReason: 'SoldOut',
        instrument: 'CreditCard',
      },
    },
  },
  ...Object.fromEntries(PARTS.map((name) => [`getPaymentOrder${name}`, order('Fresh')])),
  getFinancialTransaction: transaction('Captured'),
  getFinancialTransactionOrderItems: transaction('Captured'),
  capturePaymentOrder: { ...order('Paid'), body: fresh(PART), fullBody: fresh(PART_BY_LEGS) },
  cancelPaymentOrder: { ...order('Paid'), body: fresh({ description: 'Out of stock' }) },
  reversePaymentOrder: { ...order('Captured'), body: fresh(PART), fullBody: fresh(PART_BY_LEGS) },
  getPaymentOrderCapture: transaction('Captured'),
  getPaymentOrderCancellation: transaction('Cancelled'),
  getPaymentOrderReversal: transaction('Reversed'),
  ...Object.fromEntries(
    Object.entries(LEG_PARTS).map(([name, stage]) => [`getGiftCardPayment${name}`, leg(stage, 'paymentId')]),
  ),
  ...Object.fromEntries(
    Object.entries(LEG_ITEMS).map(([name, stage]) => [
      `getGiftCardPayment${name}`,
      leg(stage, 'paymentId', 'transactionId'),
    ]),
  ),
  getPaymentSession: { ...order('Fresh'), params: (name) => ({ session: sessions.get(name) ?? 'none' }) },
};
