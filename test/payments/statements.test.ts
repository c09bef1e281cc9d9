import { afterAll, beforeAll } from 'vitest';
import { LOCKS } from '../../src/engine/locks.ts';
import { selectOverdueAuthentications } from '../../src/issuers/authentication/authentications.store.ts';
import { EXPIRED_CARD_PAYMENTS } from '../../src/kit/cards/card-payment-limits.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import type { OrderId, PaymentId } from '../../src/ledger/ledger.types.ts';
import * as guesses from '../../src/orders/guessing/guesses.store.ts';
import * as instruments from '../../src/orders/instruments/instruments.store.ts';
import * as orders from '../../src/orders/orders.store.ts';
import * as visits from '../../src/orders/page/visits.store.ts';
import { selectPayer } from '../../src/orders/payers/payers.store.ts';
import * as savedOrders from '../../src/orders/save-orders.store.ts';
import { FIND_OFFERS } from '../../src/orders/settings/order-settings.store.ts';
import * as sealed from '../../src/payments/cards/sealed-cards.store.ts';
import * as payments from '../../src/payments/payments.store.ts';
import { insertMadeTokens, touchPayers } from '../../src/tokens/stored/made-tokens.store.ts';
import * as held from '../../src/vault/held-cards.store.ts';
import type { InstrumentId } from '../../src/vault/vault.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { HELD_CARDS, statementOf, testPlans } from '../support/database/explain.ts';
import { addAccounts, addPayee } from '../support/database/ledger.ts';

const KEY = { payeeId: '' as PayeeId, paymentId: '' as PaymentId };

const ORDER = { payeeId: KEY.payeeId, orderId: '' as OrderId };

const KEYED = [
  ...LOCKS.flatMap(({ take }) => [take([], false).statement, take([], true).statement]),
  payments.loadPayments([]).statement,
  payments.insertPayments([]).statement,
  payments.updatePayments([]).statement,
  payments.insertTransactions([]).statement,
  payments.updateTransactions([]).statement,
  touchPayers([], '').statement,
  insertMadeTokens([], '').statement,
  statementOf(({ run }) => payments.selectPayment(run, KEY)),
  statementOf(({ run }) => payments.selectTransactions(run, KEY)),
  statementOf(({ run }) => payments.selectHeld(run, KEY.payeeId, [])),
  statementOf((transaction) => sealed.beginTry(transaction, { ...KEY, instrumentId: '' as InstrumentId })),
  statementOf((transaction) => sealed.endTry(transaction, { ...KEY, instrumentId: '' as InstrumentId })),
  statementOf(({ run }) => sealed.selectTried(run, KEY.payeeId, { instrumentIds: [], seconds: 1 })),
  statementOf((transaction) => held.putOffHolds(transaction, KEY.payeeId, { attemptIds: [], dueSeconds: 1 })),
  statementOf((transaction) => held.deleteHolds(transaction, KEY.payeeId, [])),
  statementOf((transaction) => held.touchHold(transaction, { ...KEY, attemptId: '' }, { dueSeconds: 1, mostDays: 1 })),
  statementOf(({ run }) => sealed.selectSealedSince(run, KEY.payeeId, { instrumentIds: [], seconds: 1 })),
  orders.loadOrders([]).statement,
  savedOrders.insertOrders([]).statement,
  savedOrders.updateOrders([]).statement,
  savedOrders.updateTerms([]).statement,
  savedOrders.insertLegs([]).statement,
  savedOrders.updateLegs([]).statement,
  savedOrders.insertOrderTransactions([]).statement,
  savedOrders.updateOrderTransactions([]).statement,
  savedOrders.insertParts([]).statement,
  savedOrders.insertHistory([]).statement,
  orders.FIND_ORDERS,
  orders.FIND_AT_PAGES,
  FIND_OFFERS,
  statementOf(({ run }) => orders.selectHistory(run, ORDER)),
  orders.FIND_SUCCESSORS,
  statementOf(({ run }) => selectPayer(run, ORDER)),
  statementOf((transaction) => visits.updateIntegration(transaction, { ...ORDER, integration: 'Redirect' })),
  statementOf((transaction) => visits.lockUnpaidOrder(transaction, ORDER)),
  statementOf((transaction) => visits.insertSelection(transaction, { ...ORDER, instrument: 'GiftCard' })),
  statementOf((transaction) => instruments.updateInstrument(transaction, { ...ORDER, instrument: 'GiftCard' })),
  statementOf((transaction) => instruments.updateExpanded(transaction, { ...ORDER, instrument: 'GiftCard' })),
  statementOf(({ run }) => guesses.selectCounters(run, [])),
  statementOf((transaction) => guesses.saveCounters(transaction, KEY.payeeId, [])),
  statementOf((transaction) => guesses.hasPaidWith(transaction, { ...ORDER, accountId: null, payerReference: '' })),
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** One row in a hundred is one that a job looks for, as where there is much history. */
async function fill(): Promise<void> {
  const payeeId = await addPayee(database);
  await addAccounts(database, 20_000, { payeeId });
  await database.asAdmin(`
    insert into card_payment (payee_id, payment_id, number, operation, intent, state, currency, amount, paid_by, terms,
      expires_at, authorized_until, created_at, updated_at, event_sequence)
    select payee_id, account_id, row_number() over (), 'Purchase', 'Authorization', 'Ready', 'SEK', paid * 10,
      case paid when 1 then account_id end, '{}', kontor_now(),
      case when paid = 1 and get_byte(number_digest, 1) < 3 then kontor_now() end, day, day, 1
    from account cross join lateral (
      select case when get_byte(number_digest, 0) < 3 then 0 else 1 end as paid, kontor_now() - interval '1 day' as day
    ) p;
    insert into row_at_work (payee_id, work, row_id, not_before, is_under_way)
    select payee_id, 'end-card-payments', payment_id, kontor_now(), true from card_payment;
    insert into card_transaction (payee_id, transaction_id, payment_id, number, type, state, amount, vat_amount,
      card_digest, instrument_id, created_at, updated_at)
    select payee_id, account_id, account_id, row_number() over (), 'Authorization',
      case when get_byte(number_digest, 0) < 3 then 'AwaitingActivity' else 'Completed' end, 10, 0, number_digest,
      case when get_byte(number_digest, 0) < 3 then account_id end, kontor_now(), kontor_now()
    from account;
    ${HELD_CARDS}
    insert into sealed_card (payee_id, instrument_id, sealed_at)
    select payee_id, account_id,
      kontor_now() - case when get_byte(number_digest, 0) < 3 then 1 else 0 end * interval '1 day'
    from account;
    insert into authentication (payee_id, three_ds_server_trans_id, payment_id, transaction_id, scheme, version, state,
      challenge_wanted, created_at, expires_at)
    select payee_id, account_id, account_id, account_id, 'Visa', '2.2.0', 'Created', false, kontor_now(),
      case when get_byte(number_digest, 0) < 3 then kontor_now() end
    from account;
    insert into payment_order (payee_id, order_id, number, operation, intent, status, currency, amount, vat_amount,
      card_payment_id, paid_by, made_in, content_digest, terms, expires_at, held_until, authorized_until, created_at,
      updated_at, event_sequence)
    select payee_id, account_id, row_number() over (), 'Purchase', 'Authorization',
      case when due is null then 'Paid' else 'Initialized' end, 'SEK', 10, 0, account_id,
      case when due is null then account_id end, '3.1', number_digest, '{}', kontor_now(), due, due, kontor_now(),
      kontor_now(), 1
    from account cross join lateral (select case when get_byte(number_digest, 0) < 3 then kontor_now() end as due) d;
    analyze`);
}

testPlans({
  database: () => database,
  fill,
  keyed: KEYED,
  free: [
    ...payments.CARD_PAYMENT_JOBS.map(
      (job) =>
        [
          statementOf(({ run }) => payments.selectDuePayments(run, job, EXPIRED_CARD_PAYMENTS)),
          String(EXPIRED_CARD_PAYMENTS),
        ] as const,
    ),
    [statementOf(({ run }) => sealed.selectLongSealed(run, { seconds: 0, limit: 0 })), '3600', '100'],
    [statementOf(({ run }) => selectOverdueAuthentications(run, 0)), '100'],
    ...(['end-orders', 'release-gift-cards', 'end-order-authorizations'] as const).map(
      (job) => [statementOf(({ run }) => orders.selectDueOrders(run, job, 0)), '100'] as const,
    ),
  ],
});
