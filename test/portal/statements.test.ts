import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIND_PAYMENTS, readPayments, updatePayments } from '../../src/accounts/payments.store.ts';
import type { Statement } from '../../src/db/transaction.types.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import * as calls from '../../src/portal/calls/calls.store.ts';
import * as giftCards from '../../src/portal/gift-cards/gift-cards.store.ts';
import * as statistics from '../../src/portal/home/statistics.store.ts';
import { WEBHOOK_RATES } from '../../src/portal/home/webhook-rates.store.ts';
import { UNACKNOWLEDGED } from '../../src/portal/installation/acquirers.store.ts';
import { ISSUER_BACKLOGS, ISSUER_TALLIES, PRODUCTS } from '../../src/portal/installation/installation.store.ts';
import * as accounts from '../../src/portal/ledger/accounts.store.ts';
import * as movements from '../../src/portal/ledger/movements.store.ts';
import * as orders from '../../src/portal/orders/orders.store.ts';
import { PAYERS } from '../../src/portal/payments/payers.store.ts';
import * as payments from '../../src/portal/payments/payments.store.ts';
import * as story from '../../src/portal/payments/story.store.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { explain, usesOnlyIndexes } from '../support/database/explain.ts';
import { addPayee } from '../support/database/ledger.ts';
import { addPortalOrders, addPortalPayments } from '../support/shop/portal-rows.ts';

const { ACCOUNT_TABLE, CARD_TABLE, countStatement, pageStatement, stopStatement } = payments;

/** Each statement of the lists with the index that it walks, and what it reads beside it. */
const LISTS: readonly (readonly [index: string, statement: Statement])[] = [
  ['payment_pkey', pageStatement(ACCOUNT_TABLE, 'looked')],
  ['payment_pkey', stopStatement(ACCOUNT_TABLE, 'looked')],
  ['payment_by_state', pageStatement(ACCOUNT_TABLE, 'groups')],
  ['payment_by_state', countStatement(ACCOUNT_TABLE, 'groups')],
  ['payment_to_capture', pageStatement(ACCOUNT_TABLE, 'ending')],
  ['payment_to_capture', stopStatement(ACCOUNT_TABLE, 'ending')],
  ['payment_by_order', payments.NAMED_ACCOUNT_PAYMENTS],
  ['reference_pkey', payments.NAMED_ACCOUNT_PAYMENTS],
  ['card_payment_pkey', pageStatement(CARD_TABLE, 'order')],
  ['card_payment_pkey', pageStatement(CARD_TABLE, 'looked')],
  ['card_payment_by_state', pageStatement(CARD_TABLE, 'groups')],
  ['card_payment_by_state', countStatement(CARD_TABLE, 'groups')],
  ['card_payment_declined', stopStatement(CARD_TABLE, 'declined')],
  ['card_payment_declined', pageStatement(CARD_TABLE, 'declined')],
  ['card_payment_declined', pageStatement(CARD_TABLE, 'tried')],
  ['card_payment_reversed', stopStatement(CARD_TABLE, 'reversed')],
  ['card_payment_reversed', pageStatement(CARD_TABLE, 'reversed')],
  ['card_payment_to_capture', pageStatement(CARD_TABLE, 'ending')],
  ['card_payment_to_capture', stopStatement(CARD_TABLE, 'ending')],
  ['card_payment_by_number', payments.NAMED_CARD_PAYMENTS],
  ['card_payment_by_order', payments.NAMED_CARD_PAYMENTS],
  ['payment_order_pkey', orders.orderPage('order')],
  ['payment_order_pkey', orders.orderPage('looked')],
  ['payment_order_pkey', orders.orderStop('looked')],
  ['payment_order_declined', orders.orderStop('tried')],
  ['payment_order_declined', orders.orderPage('tried')],
  ['payment_order_by_status', orders.orderPage('status')],
  ['payment_order_to_capture', orders.orderPage('ending')],
  ['payment_order_to_capture', orders.orderStop('ending')],
  ['payment_order_by_number', orders.NAMED_ORDERS],
  ['order_transaction_by_number', orders.NAMED_ORDERS],
  ['payment_order_by_reference', orders.NAMED_ORDERS],
  ['order_leg_by_last_four', orders.NAMED_ORDERS],
  ['reference_pkey', orders.NAMED_ORDERS],
  ['payment_order_pkey', orders.ONE_ORDER],
  ['order_leg_by_order', orders.ORDER_LEGS],
  ['order_transaction_by_order', orders.ORDER_TRANSACTIONS],
  ['order_history_pkey', orders.ORDER_HISTORY],
  ['movement_pkey', movements.MOVEMENTS],
  ['movement_pkey', movements.MOVEMENTS_SIEVED],
  ['movement_by_payment', movements.PAYMENT_MOVEMENTS],
  ['account_pkey', accounts.ACCOUNTS],
  ['account_pkey', accounts.ACCOUNTS_OF_KIND],
  ['account_entry_has_one_number', accounts.ENTRIES],
  ['account_entry_has_one_number', accounts.SEQUENCE_AT],
  ['gift_card_pkey', giftCards.GIFT_CARDS],
  ['gift_card_pkey', giftCards.GIFT_CARDS_SEARCHED],
  ['payer_by_beginning', PAYERS],
  ['audit_by_object', story.OBJECT_ACTS],
  ['event_has_its_place', story.RESOURCE_DELIVERIES],
  ['api_call_pkey', calls.CALLS],
  ['api_call_by_session', calls.CALLS_OF_SESSION],
  ['api_call_by_resource', calls.CALLS_OF_RESOURCE],
  ['delivery_pkey', WEBHOOK_RATES],
  ['gift_card_product_pkey', PRODUCTS],
  ['issuer_attempt_pkey', ISSUER_TALLIES],
  ['issuer_attempt_by_(due|time)', ISSUER_BACKLOGS],
  ['issuer_attempt_by_(due|time)', UNACKNOWLEDGED],
  ['acquirer_exchange_pkey', UNACKNOWLEDGED],
  ['movement_pkey', movements.MONEY_TALLIES],
  ['payment_pkey', statistics.ACCOUNT_COUNTS],
  ['card_payment_pkey', statistics.CARD_COUNTS],
  ['payment_order_pkey', statistics.ORDER_COUNTS],
  ['payment_by_state', statistics.ACCOUNT_DECLINES],
  ['card_payment_declined', statistics.CARD_DECLINES],
  ['payment_order_declined', statistics.ORDER_DECLINES],
  ['payment_pkey', statistics.MOVED_CURRENCIES],
  ['card_payment_pkey', statistics.MOVED_CURRENCIES],
];

let database: TestDatabase;
let payeeId: PayeeId;
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
});
afterAll(() => database.drop());

/** Rows of the other tables that lists walk. */
async function fill(): Promise<void> {
  await addPortalPayments(database, { payeeId, payments: 5_000 });
  await addPortalOrders(database, { payeeId, orders: 5_000 });
  await database.asAdmin(`
    set session_replication_role = replica;
    insert into movement (payee_id, movement_id, kind, currency, payment_id, happened_at)
    select payee_id, payment_id, 'Purchase', 'NOK', payment_id, created_at from payment;
    insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
    select payee_id, movement_id, 1, 'Available', 'NOK', 1, payee_id, row_number() over (order by movement_id), 1
    from movement;
    insert into entry (payee_id, movement_id, line, side, currency, amount)
    select payee_id, movement_id, 2, 'Clearing', 'NOK', -1 from movement;
    insert into api_call (payee_id, call_id, happened_at, session_id, method, route, status, duration_ms, credential,
      resource_id, address, headers, request_body, answer_body)
    select payee_id, payment_id, created_at, payment_id, 'GET', '/ping', 200, 1, 'access-token:1', payment_id, '/ping',
      '{}', 'null', 'null'
    from payment;
    analyze`);
}

describe.each([
  ['empty tables', () => Promise.resolve(), false],
  ['full ones', fill, true],
  // The visibility map is set now, so the planner may read an index alone.
  ['vacuumed ones', () => database.asAdmin('vacuum analyze'), true],
])('on %s', (_, prepare, isFull) => {
  beforeAll(prepare, 60_000);

  test.each(LISTS.map(([index, statement]) => [statement.name, index, statement] as const))(
    '%s walks %s',
    async (_name, index, statement) => {
      const plan = await explain(database, statement);
      expect(usesOnlyIndexes(plan), plan).toBe(true);
      // Where there is no row, all indexes that begin with the payee are as good.
      if (isFull) expect(plan).toMatch(new RegExp(`(using|on) ${index}\\b`));
    },
  );

  test.each([FIND_PAYMENTS, readPayments([]).statement, updatePayments([]).statement])(
    'the lists take no index from those who name a payment: $name',
    async (statement) => {
      const plan = await explain(database, statement);
      expect(plan).toContain('payment_pkey');
      expect(plan).not.toMatch(/payment_by_state|payment_by_order/);
    },
  );
});
