import { afterAll, beforeAll } from 'vitest';
import { selectTransactionsOf } from '../../src/accounts/payments.store.ts';
import * as attempts from '../../src/issuers/attempts.store.ts';
import { DUE_ATTEMPTS } from '../../src/issuers/attempts.ts';
import * as exchanges from '../../src/issuers/exchanges.store.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { selectStatement } from '../../src/ledger/accounts/statement.store.ts';
import { selectAges, selectOverdueAccounts } from '../../src/ledger/expiry/expiry.store.ts';
import type { AccountId, PaymentId } from '../../src/ledger/ledger.types.ts';
import { selectDueHolds } from '../../src/payments/cards/held-cards.store.ts';
import { selectDaysToSearch } from '../../src/settlements/days/days.store.ts';
import { takeDueDays } from '../../src/settlements/days/shown-days.store.ts';
import { DUE_DAYS } from '../../src/settlements/days/tell-totals.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { HELD_CARDS, type Plans, statementOf, testPlans } from '../support/database/explain.ts';
import { addAccounts, addPayee } from '../support/database/ledger.ts';

const ID = '01890000-0000-7000-8000-000000000001';
const PAYEE = ID as PayeeId;
/** Held cards that the job takes at once. */
const MOST_HELD_CARDS = 100;
const LATE = { acquirerId: '', terminalId: '', stan: '', sentAt: '', timeZone: '' };
const NAMED = { payeeId: PAYEE, attemptId: ID };

const KEYED = [
  attempts.insertAttempts([], '').statement,
  attempts.updateAttempts([], '').statement,
  exchanges.FIND_ORIGINAL_EXCHANGES,
  statementOf(({ run }) => selectTransactionsOf(run, { payeeId: PAYEE, paymentId: '' as PaymentId })),
];

const FREE: Plans['free'] = [
  [
    statementOf((transaction) => attempts.takeDueAttempts(transaction, { most: DUE_ATTEMPTS, but: [], away: [] })),
    String(DUE_ATTEMPTS),
    `'{silent}'`,
    `'{away}'`,
    `'{24}'`,
  ],
  [
    statementOf((transaction) => attempts.confirmReversal(transaction, { payeeId: PAYEE, attemptId: '' })),
    `'${ID}'`,
    `'${ID}'`,
  ],
  [statementOf(({ run }) => attempts.selectOldestAttempt(run))],
  [
    statementOf(({ run }) => selectDueHolds(run, { limit: 0, mostDays: 0, issuerIds: [] })),
    String(MOST_HELD_CARDS),
    '540',
    `'{test}'`,
  ],
  [
    statementOf(({ run }) => takeDueDays({ run }, { most: DUE_DAYS, leaseSeconds: 0, but: [] })),
    String(DUE_DAYS),
    '90',
    `'{silent}'`,
  ],
  [statementOf(({ run }) => selectDaysToSearch({ run }, { afterDays: 0, most: 0 })), '3', '100'],
  [statementOf(({ run }) => exchanges.selectExchange({ run }, NAMED)), `'${ID}'`, `'${ID}'`],
  [
    statementOf(({ run }) => exchanges.upsertTakeBack({ run }, NAMED, { stan: '', sentAt: '', reason: 'Silence' })),
    `'${ID}'`,
    `'${ID}'`,
    `'000001'`,
    'kontor_now()',
    `'Silence'`,
  ],
  [statementOf(({ run }) => exchanges.updateLate({ run }, NAMED)), `'${ID}'`, `'${ID}'`],
  [
    statementOf(({ run }) => exchanges.updateLateByName({ run }, LATE)),
    "'sandbox'",
    "'SANDBOX1'",
    "'000101'",
    "'260309101528'",
    "'UTC'",
  ],
  [
    statementOf(({ run }) =>
      exchanges.updateExchange({ run }, NAMED, { kind: 'Ask', state: 'Answered', actionCode: null }),
    ),
    `'${ID}'`,
    `'${ID}'`,
    `'Ask'`,
    `'Answered'`,
    'null',
  ],
  [statementOf(({ run }) => selectOverdueAccounts(run, 100)), '100'],
  [statementOf(({ run }) => selectAges(run))],
  [
    statementOf((transaction) => selectStatement(transaction, { payeeId: PAYEE, accountId: '' as AccountId }, 1000)),
    `'${ID}'`,
    `'${ID}'`,
    '1000',
  ],
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
    update account set next_hold_expires_at = kontor_now() where get_byte(number_digest, 0) < 3;
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled,
      reversed, hold_expires_at, payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    select payee_id, account_id, account_id, 'Authorize', 'OK', 10, 'NOK', 0, 0, 0, kontor_now(), 'o', 'r', '{}', kontor_now(), kontor_now(), 1
    from account;
    insert into payment_transaction (payee_id, transaction_id, payment_id, operation, state, amount, payment_order_ref,
      payment_transaction_ref, echo, created_at, updated_at)
    select payee_id, payment_id, payment_id, 'Capture', 'OK', 10, 'o', 'r', '{}', kontor_now(), kontor_now() from payment;
    insert into issuer_attempt (payee_id, attempt_id, payment_id, account_id, issuer, state, due_at, created_at)
    select payee_id, account_id, account_id, account_id, 'test',
      case when get_byte(number_digest, 0) < 3 then 'CALLING' else 'SETTLED' end,
      case when get_byte(number_digest, 0) < 3 then kontor_now() end, kontor_now()
    from account;
    insert into acquirer_exchange (payee_id, attempt_id, kind, acquirer, agreement, merchant_id, terminal_id, operation,
      stan, sent_at, retrieval_reference, amount, currency)
    select payee_id, attempt_id, 'Ask', 'test', 'test', '1', '1', 'Authorize', '000001',
      kontor_now() + row_number() over () * interval '1 second', '1', 10, 'NOK'
    from issuer_attempt;
    insert into card_payment (payee_id, payment_id, number, operation, intent, state, currency, amount, paid_by, terms,
      expires_at, created_at, updated_at, event_sequence)
    select payee_id, account_id, row_number() over (), 'Purchase', 'Authorization', 'Ready', 'SEK', 10, account_id, '{}',
      kontor_now(), kontor_now(), kontor_now(), 1
    from account;
    ${HELD_CARDS}
    insert into settlement_day (payee_id, settlement_id, acquirer, agreement, merchant_id, currency, day, state,
      sales_number, sales_amount, sale_reversals_number, sale_reversals_amount, refunds_number, refunds_amount,
      refund_reversals_number, refund_reversals_amount, net, due_at, closed_at, searched_at, updated_at, event_sequence)
    select payee_id, account_id, 'test', account_id, '1', 'NOK', '2026-03-09', case when is_due then 'Closed' else 'Settled' end,
      0, 0, 0, 0, 0, 0, 0, 0, 0, case when is_due then kontor_now() end, kontor_now(),
      case when is_due then null else kontor_now() end, kontor_now(), 1
    from account cross join lateral (select get_byte(number_digest, 0) < 3 as is_due) d;
    insert into event_pending (payee_id, event_id, happened_at)
    select payee_id, account_id, kontor_now() from account;
    analyze`);
}

testPlans({ database: () => database, fill, keyed: KEYED, free: FREE });
