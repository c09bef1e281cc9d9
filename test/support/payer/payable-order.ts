import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import { type PayeeId, uuidV4, uuidV7 } from '../../../src/kit/ids.ts';
import type { AmountMinor, Currency } from '../../../src/kit/money.ts';
import { createOrder } from '../../../src/orders/create-order.flow.ts';
import type { OrderItem, OrderTerms, OrderView, PaymentOrder } from '../../../src/orders/orders.types.ts';
import { pageLink } from '../../../src/payments/page/page-link.ts';
import type { TestService } from '../service.ts';
import type { IssuedCard } from '../shop/gift-cards-seller.ts';
import type { ShopSite } from '../shop/shop-site.ts';

/** An order for payers to pay in a browser. */
export interface PayableOrder {
  readonly view: OrderView;
  readonly order: PaymentOrder;
  /** The page by itself. */
  readonly page: string;
  /** The view script. */
  readonly script: string;
}

/** What a test says of an order: the rest is as in most of them. */
export type OrderMembers = Partial<
  Pick<PaymentOrder, 'amount' | 'intent' | 'operation' | 'instrument' | 'madeIn' | 'orderItems'>
> & {
  readonly terms?: Partial<OrderTerms>;
};

/** Makes an order of 500 kroner in the name of the demo payee. */
export async function payableOrder(
  kontor: TestService,
  site: Pick<ShopSite, 'origin'>,
  { terms, ...members }: OrderMembers = {},
): Promise<PayableOrder> {
  const { payeeId, baseUrl, service } = kontor;
  const view = await createOrder(service.slices.orders.flows, {
    payeeId: payeeId as PayeeId,
    actor: COMMAND_LINE,
    initiatedBy: 'Payee',
    idempotencyKey: undefined,
    operation: 'Purchase',
    intent: members.operation === 'Verify' ? null : 'Authorization',
    currency: 'NOK' as Currency,
    amount: 50_000 as AmountMinor,
    vatAmount: 0 as AmountMinor,
    madeIn: '3.1',
    instrument: null,
    orderItems: [item('Ullgenser', 2, 20_000), item('Frakt', 1, 10_000)],
    ...members,
    terms: {
      description: 'Ordre 1042',
      language: 'nb-NO',
      generate: [],
      urls: {
        hostUrls: [site.origin],
        completeUrl: `${site.origin}/done`,
        cancelUrl: `${site.origin}/cancelled`,
        termsOfServiceUrl: `${site.origin}/terms`,
      },
      payeeInfo: { payeeReference: uuidV4().slice(0, 18), payeeName: 'Bøker & brev' },
      metadata: {},
      cards: {},
      ...terms,
    } as OrderTerms,
  });
  const link = pageLink(service.keyRing, { payeeId: payeeId as PayeeId, paymentId: view.order.cardPaymentId });
  return { view, order: view.order, page: `${baseUrl}${link}`, script: `${baseUrl}${link}/view.js` };
}

function item(name: string, quantity: number, unitPrice: number): OrderItem {
  const amount = quantity * unitPrice;
  const shared = { type: 'PRODUCT', class: 'Goods', quantityUnit: 'stk', vatPercent: 0, vatAmount: 0 } as const;
  return { ...shared, reference: name, name, quantity, unitPrice, amount };
}

/** Puts gift cards on an order as a payer's entries do, past the page. */
export async function addPast(
  kontor: TestService,
  { order }: PayableOrder,
  cards: readonly IssuedCard[],
  more: { readonly state?: string; readonly amount?: number } = {},
): Promise<void> {
  const { state = 'Added', amount = 0 } = more;
  for (const [index, { paymentAccountId, accountKey }] of cards.entries()) {
    await kontor.database.asAdmin(
      `insert into order_leg (payee_id, leg_id, order_id, position, kind, state, account_id, payment_id, instrument_type,
         name, amount, cvc_sequence, added_at, updated_at)
       values ('${order.payeeId}', '${uuidV7(Date.now())}', '${order.orderId}', ${index + 1}, 'Account', '${state}',
         '${paymentAccountId}', ${state === 'Added' ? 'null' : `'${uuidV7(Date.now())}'`}, 'giftcard',
         '${accountKey.slice(0, 6)}******${accountKey.slice(-4)}', ${amount}, (select cvc_sequence from account where account_id = '${paymentAccountId}'), kontor_now(), kontor_now())`,
    );
  }
}
