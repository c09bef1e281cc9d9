import type { TestService } from '../service.ts';

/** Orders for the portal to show, by their ids. */
export interface SeededOrders {
  /** Paid with two gift cards and a card, and captured in part. */
  readonly split: string;
  /** Not paid; a gift card is entered. */
  readonly open: string;
}

const ITEM = {
  reference: 'P1',
  name: 'Coffee maker',
  type: 'PRODUCT',
  class: 'kitchen',
  quantity: 2,
  quantityUnit: 'pcs',
  unitPrice: 20_000,
  vatPercent: 2_500,
  amount: 40_000,
  vatAmount: 8_000,
};
const FREIGHT = {
  ...ITEM,
  reference: 'F1',
  name: 'Freight',
  type: 'SHIPPING_FEE',
  class: 'freight',
  quantity: 1,
  unitPrice: 10_000,
  amount: 10_000,
  vatAmount: 2_000,
};

/**
 * Makes orders by the API, and writes down how one was paid with 120.00 and 30.00 of gift cards and 350.00 of a card, and that
 * 200.00 was captured: rows alone, so that pages can be looked at without a payer. `addTries`: a card payment that its try
 * is made after.
 */
export async function seedOrders(kontor: TestService, after: string): Promise<SeededOrders> {
  const [split, open] = [await createOrder(kontor, 'portal-order-1'), await createOrder(kontor, 'portal-order-2')];
  await kontor.database.asAdmin(`
    set session_replication_role = replica;
    create temporary table o as select *, gen_random_uuid() as tx, gen_random_uuid() as cap from payment_order
      where order_id = '${split}';
    insert into card_transaction select (jsonb_populate_record(t, jsonb_build_object('payment_id', o.card_payment_id,
      'transaction_id', o.tx, 'number', o.number + 1, 'amount', 35000, 'attempt_id', gen_random_uuid()))).*
      from card_transaction t, o where t.payment_id = '${after}' and t.type = 'Authorization' and t.state = 'Completed' limit 1;
    update card_payment c set amount = 35000, captured = 5000, paid_by = o.tx, version = c.version + 1 from o
      where c.payment_id = o.card_payment_id;
    create temporary table g as select n, gen_random_uuid() as leg_id, gen_random_uuid() as payment_id,
      gen_random_uuid() as account_id, case n when 1 then 12000 else 3000 end as amount from generate_series(1, 2) n;
    insert into payment (payee_id, payment_id, order_id, account_id, operation, state, amount, currency, captured,
      cancelled, reversed, payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
      select o.payee_id, g.payment_id, o.order_id, g.account_id, 'Authorize', 'OK', g.amount, o.currency, g.amount, 0, 0,
        o.number::text, 'leg-' || g.n, '{}', o.created_at, o.created_at, 1 from o, g;
    insert into order_leg (payee_id, leg_id, order_id, position, kind, state, account_id, payment_id, instrument_type,
      name, amount, added_at, updated_at)
      select o.payee_id, g.leg_id, o.order_id, g.n, 'Account', 'Authorized', g.account_id, g.payment_id, 'giftcard',
        '925500******' || 1233 + g.n, g.amount, o.created_at, o.created_at from o, g
      union all select o.payee_id, o.cap, o.order_id, 3, 'Card', 'Authorized', null::uuid, o.card_payment_id, 'creditcard',
        '476173******0416', 35000, o.created_at, o.created_at from o;
    insert into order_transaction (payee_id, transaction_id, order_id, number, type, state, amount, vat_amount,
      payee_reference, initiated_by, created_at, updated_at)
      select payee_id, tx, order_id, number + 1, 'Authorization', 'Completed', 50000, 10000, 'portal-order-1', 'Payer',
        created_at, created_at from o
      union all select payee_id, cap, order_id, number + 2, 'Capture', 'Completed', 20000, 4000, 'sent-1', 'Payee',
        created_at, created_at from o;
    insert into order_part (payee_id, transaction_id, leg_id, amount, own_id)
      select l.payee_id, o.tx, l.leg_id, l.amount, l.payment_id from order_leg l, o where l.order_id = o.order_id
      union all select l.payee_id, o.cap, l.leg_id, case l.position when 3 then 5000 else l.amount end, l.leg_id
      from order_leg l, o where l.order_id = o.order_id;
    insert into order_history (payee_id, order_id, position, name, initiated_by, instrument, amount, created_at, number)
      select payee_id, order_id, 11, 'PaymentGiftCardAdded', 'Payer', 'GiftCard', 12000::bigint, created_at, null::bigint from o
      union all select payee_id, order_id, 12, 'PaymentPaid', 'Payer', 'CreditCard', 50000, created_at, number + 1 from o
      union all select payee_id, order_id, 13, 'PaymentPartiallyCaptured', 'Payee', null, 20000, created_at, number + 2 from o;
    update payment_order p set status = 'Paid', paid_by = o.tx, captured = 20000, history_count = 13,
      authorized_until = p.created_at + interval '7 days' from o where p.order_id = o.order_id;
    insert into order_leg (payee_id, leg_id, order_id, position, kind, state, account_id, instrument_type, name, added_at,
      updated_at)
      select payee_id, gen_random_uuid(), order_id, 1, 'Account', 'Added', gen_random_uuid(), 'giftcard',
        '925500******1234', created_at, created_at from payment_order where order_id = '${open}';
    drop table o, g;
    set session_replication_role = default`);
  return { split, open };
}

async function createOrder(kontor: TestService, payeeReference: string): Promise<string> {
  const { body } = await kontor.send('POST', '/psp/paymentorders', {
    body: {
      paymentorder: {
        operation: 'Purchase',
        intent: 'Authorization',
        currency: 'SEK',
        amount: 50_000,
        vatAmount: 10_000,
        description: 'Coffee maker',
        productName: 'Checkout3',
        orderItems: [ITEM, FREIGHT],
        urls: { completeUrl: 'https://shop.example/ok' },
        payeeInfo: { payeeId: kontor.payeeId, payeeReference, orderReference: `shop-${payeeReference}` },
      },
    },
  });
  return String((body.paymentOrder ?? body.paymentorder).id)
    .split('/')
    .at(-1) as string;
}
