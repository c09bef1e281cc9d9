import { randomUUID } from 'node:crypto';
import type { TestService } from '../service.ts';
import { accountsShop, newReference, type OpenedAccount } from './accounts-shop.ts';
import { cardPaymentsShop, MASTERCARD, VISA } from './card-payments-shop.ts';
import { cardSeller } from './gift-cards-seller.ts';
import { type SeededOrders, seedOrders } from './portal-orders-seed.ts';
import { addUnacknowledged } from './portal-rows.ts';

/** What a payee has after some days of business, for the portal to show. */
export interface Business {
  /** A card payment that is authorized, and nothing more. */
  readonly authorized: string;
  /** A purchase from an account, by its id. */
  readonly bought: string;
  readonly payerReference: string;
  /** A gift card's id. */
  readonly giftCardId: string;
  readonly account: OpenedAccount;
  /** A closed day with a difference, and what was asked back of it. */
  readonly settlementId: string;
  readonly disputeId: string;
  readonly webhookId: string;
  readonly payeeId: string;
  /** What the gift card is of. */
  readonly productId: string;
  readonly orders: SeededOrders;
}

/** Declined by the sandbox's acquirer. */
const DECLINED_MINOR = 900_351;
const MERCHANT = { merchantName: 'Kiosk', terminalId: '7' };

/** Makes payments of both families in every state, tokens, gift cards and a webhook: all by the API. */
export async function openForBusiness(kontor: TestService): Promise<Business> {
  const shop = cardPaymentsShop(kontor);
  const authorized = await shop.purchase(125_050, { payerReference: 'anna-andersson', generatePaymentToken: true });
  await shop.authorize(authorized, { cardNumber: MASTERCARD });
  for (const amount of [4_900, 129_900, 1_500]) {
    const id = await shop.purchase(amount);
    await shop.authorize(id, { cardNumber: VISA });
    await shop.follow(id, 'captures', { amount, vatAmount: 0, description: 'Sent', payeeReference: newReference() });
  }
  await shop.authorize(await shop.purchase(DECLINED_MINOR));
  await shop.abort(await shop.purchase(700));
  const { account, bought } = await spendFromAnAccount(kontor);
  const giftCard = await cardSeller(kontor).issue(50_000);
  const payerReference = await storeTokens(kontor);
  const webhook = await kontor.send('POST', '/webhooks', {
    body: { url: 'http://127.0.0.1:9/kontor', description: 'No program listens there', eventTypes: ['payment.*'] },
  });
  const products = await kontor.send('GET', '/api/payments/gift-card/products');
  const settled = await addSettlement(kontor);
  await addOpenExchanges(kontor);
  return {
    ...settled,
    orders: await seedOrders(kontor, authorized.split('/').at(-1) ?? ''),
    authorized: authorized.split('/').at(-1) ?? '',
    bought,
    payerReference,
    giftCardId: giftCard.paymentAccountId,
    account,
    webhookId: webhook.body.webhook.webhookId,
    payeeId: kontor.payeeId,
    productId: products.body.products[0].productId,
  };
}

async function spendFromAnAccount(kontor: TestService) {
  const shop = accountsShop(kontor);
  const account = await shop.open(1_000_000);
  const pay = (verb: 'authorize' | 'purchase', amount: number) =>
    shop.pay(verb, account, {
      amount,
      merchant: MERCHANT,
      paymentOrderRef: newReference(),
      paymentTransactionRef: newReference(),
    });
  await pay('authorize', 20_000);
  const { body } = await pay('purchase', 12_500);
  return { account, bought: String(body.paymentId) };
}

/** Of a payer whose name is written as an attack: pages must show it as it is. */
async function storeTokens(kontor: TestService): Promise<string> {
  const payerReference = 'berit-berg';
  await kontor.importLines([
    { payerReference, tokenType: 'Payment', instrument: 'CreditCard', pan: VISA, expiryDate: '09/2031' },
    { payerReference, tokenType: 'Recurrence', instrument: 'CreditCard', pan: VISA, expiryDate: '09/2031' },
    {
      payerReference,
      tokenType: 'Unscheduled',
      instrument: 'Invoice-PayLater',
      email: 'berit@example.com',
      instrumentDisplayName: '<img src=x onerror=alert(1)>',
      token: randomUUID(),
    },
  ]);
  return payerReference;
}

/** A take-back that is told again, one that the acquirer does not acknowledge, and a cancellation. */
async function addOpenExchanges({ database, payeeId }: TestService): Promise<void> {
  const open = [
    { state: 'REVERSING', tries: 2, minutesAgo: 1 },
    { state: 'REVERSING', tries: 17, minutesAgo: 3_000 },
    { state: 'FORWARDING', tries: 4, minutesAgo: 2 },
  ] as const;
  for (const [index, one] of open.entries()) {
    await addUnacknowledged(database, { payeeId, attemptId: `bbbbbbbb-bbbb-7bbb-8bbb-00000000010${index}`, ...one });
  }
}

/** A closed day with a payout and a difference, and a dispute of one of its payments. */
async function addSettlement({ database, payeeId }: TestService) {
  const [settlementId, disputeId, attemptId, paymentId] = ['1', '2', '3', '4'].map(
    (last) => `aaaaaaaa-aaaa-7aaa-8aaa-00000000000${last}`,
  );
  const totals = {
    salesNumber: 3,
    salesAmount: 135_700,
    saleReversalsNumber: 1,
    saleReversalsAmount: 4_900,
    refundsNumber: 1,
    refundsAmount: 1_500,
    refundReversalsNumber: 0,
    refundReversalsAmount: 0,
  };
  await database.asAdmin(`
    insert into settlement_day (payee_id, settlement_id, acquirer, agreement, merchant_id, currency, day, state, sales_number,
      sales_amount, sale_reversals_number, sale_reversals_amount, refunds_number, refunds_amount, refund_reversals_number,
      refund_reversals_amount, net, acquirer_totals, closed_at, updated_at, event_sequence)
    values ('${payeeId}', '${settlementId}', 'north', 'demo-sek', '000012345678901', 'SEK', '2026-03-09', 'Different', 3,
      135700, 1, 4900, 1, 1500, 0, 0, 129300, '${JSON.stringify({ ...totals, salesAmount: 135_701 })}',
      '2026-03-09T22:15:00Z', '2026-03-09T22:15:00Z', 2);
    insert into settlement_batch (payee_id, acquirer, batch_id, name, merchant_id, currency, digest, lines, gross, fee, net, imported_at)
    values ('${payeeId}', 'north', 'demo-sek-260309', 'demo-sek-260309', '000012345678901', 'SEK', sha256('1'), 2, 129900, -1299, 128601, kontor_now());
    insert into settlement_line (payee_id, acquirer, batch_id, line_id, type, merchant_id, value_date, currency, gross, fee,
      net, attempt_id)
    values ('${payeeId}', 'north', 'demo-sek-260309', '1', 'Sale', '000012345678901', '2026-03-11', 'SEK', 129900, -1299,
        128601, '${attemptId}'),
      ('${payeeId}', 'north', 'demo-sek-260309', '2', 'Payout', '000012345678901', '2026-03-11', 'SEK', 0, 0, 128601, null);
    insert into settlement_batch (payee_id, acquirer, batch_id, name, merchant_id, currency, digest, lines, gross, fee, net, imported_at)
    values ('${payeeId}', 'north', 'demo-sek-fees', 'demo-sek-fees', '000012345678901', 'SEK', sha256('2'), 2, 0, -4900, -4900, kontor_now());
    insert into settlement_line (payee_id, acquirer, batch_id, line_id, type, merchant_id, value_date, currency, gross, fee, net)
    values ('${payeeId}', 'north', 'demo-sek-fees', '1', 'Fee', '000012345678901', (kontor_now() at time zone 'Europe/Oslo')::date, 'SEK', 0, -4900, -4900),
      ('${payeeId}', 'north', 'demo-sek-fees', '2', 'Payout', '000012345678901', (kontor_now() at time zone 'Europe/Oslo')::date, 'SEK', 0, 0, -4900);
    insert into settlement_item (payee_id, attempt_id, type, acquirer, agreement, merchant_id, currency, amount, day,
      payment_id, retrieval_reference, batch_id, line_id)
    values ('${payeeId}', '${attemptId}', 'Sale', 'north', 'demo-sek', '000012345678901', 'SEK', 129900, '2026-03-09',
      '${paymentId}', '606810000101', 'demo-sek-260309', '1');
    insert into settlement_difference (payee_id, difference_id, kind, state, acquirer, agreement, currency, day, ours, theirs,
      opened_at, closed_at, reason)
    values ('${payeeId}', gen_random_uuid(), 'totalsDiffer', 'Open', 'north', 'demo-sek', 'SEK', '2026-03-09', 129300, 129301,
        kontor_now(), null, null),
      ('${payeeId}', gen_random_uuid(), 'missingAtAcquirer', 'Resolved', 'north', 'demo-sek', 'SEK', '2026-03-09', 4900,
        null, kontor_now(), kontor_now(), 'paid by hand');
    insert into dispute (payee_id, dispute_id, acquirer, agreement, case_id, attempt_id, payment_id, stage, state, reason_code,
      category, amount, currency, respond_by, opened_at, updated_at, event_sequence)
    values ('${payeeId}', '${disputeId}', 'north', 'demo-sek', 'C7495780606', '${attemptId}', '${paymentId}', 'Chargeback',
      'Open', '10.4', 'Fraud', 129900, 'SEK', '2026-03-25', kontor_now(), kontor_now(), 1)`);
  return { settlementId: settlementId ?? '', disputeId: disputeId ?? '' };
}
