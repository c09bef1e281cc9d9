import { expect } from 'vitest';
import type { Answer, TestService } from '../service.ts';
import type { IssuedCard } from '../shop/gift-cards-seller.ts';
import { hrefOf, type Members, type OrdersShop, ordersShop } from '../shop/orders-shop.ts';
import { type OrderPayer, orderPayer } from './order-payer.ts';

/** An order whose payer has its page open. */
export interface Walk {
  readonly made: Answer;
  readonly id: string;
  readonly payer: OrderPayer;
}

/** What tests of orders over HTTP do and look at, again and again: all in 3.1. */
export interface OrderWalks {
  readonly shop: OrdersShop;
  walk(members?: Members): Promise<Walk>;
  /** An order as it is now, with these parts. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  orderOf(id: string, expand?: string): Promise<any>;
  /** What happened to an order: names and by whom. */
  historyOf(id: string): Promise<string[]>;
  /** Sends a change of an unpaid order. */
  change(id: string, operation: string, members?: Members): Promise<Answer>;
  /** Sends a capture, cancellation or reversal. */
  follow(id: string, what: 'captures' | 'cancellations' | 'reversals', transaction?: Members): Promise<Answer>;
  availableOn(card: Pick<IssuedCard, 'paymentAccountId'>): Promise<number>;
}

/** Walks the orders of the demo payee. */
export function orderWalks(kontor: Pick<TestService, 'send' | 'baseUrl' | 'database'>): OrderWalks {
  const shop = ordersShop(kontor);
  const version = '3.1';
  const orderOf: OrderWalks['orderOf'] = async (id, expand) =>
    (await shop.get(id, { version, ...(expand !== undefined && { expand }) })).body.paymentOrder;
  return {
    shop,
    orderOf,
    async walk(members = {}) {
      const made = await shop.create(members, { version });
      expect(made.status, made.text).toBe(200);
      const payer = orderPayer(kontor, hrefOf(made, 'redirect-checkout'));
      await payer.open();
      return { made, id: made.body.paymentOrder.id, payer };
    },
    async historyOf(id) {
      const { historyList } = (await orderOf(id, 'history')).history;
      return historyList.map(({ name, initiatedBy }: Record<string, string>) => `${name} ${initiatedBy}`);
    },
    change: (id, operation, members = {}) =>
      shop.send('PATCH', id, { paymentorder: { operation, ...members } }, { version }),
    follow: (id, what, transaction = {}) => {
      const own = { description: 'A step', payeeReference: shop.reference() };
      return shop.send('POST', `${id}/${what}`, { transaction: { ...own, ...transaction } }, { version });
    },
    async availableOn({ paymentAccountId }) {
      const [row] = await kontor.database.asAdmin(
        `select available::integer from account where account_id = '${paymentAccountId}'`,
      );
      return Number(row?.['available']);
    },
  };
}
