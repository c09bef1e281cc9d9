import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { selectDifferences } from '../../src/settlements/differences.store.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { agreementOf, fileOf, importText, MERCHANT_ID, settling, TODAY } from '../support/settlements.ts';

const LINES = 30_000;
const AMOUNT = 1_000;

let database: TestDatabase;
let payeeId: PayeeId;
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
});
afterAll(() => database.drop());

/** The attempt of a number, as a UUID and as a file has it. */
const attemptOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

test('a long file is read as a stream, line after line matched', async () => {
  const id = (column: string) => `('00000000-0000-7000-8000-' || lpad(${column}::text, 12, '0'))::uuid`;
  await database.asAdmin(`
    insert into card_payment (payee_id, payment_id, number, operation, intent, state, currency, amount, captured, paid_by,
      terms, expires_at, created_at, updated_at, event_sequence)
    select '${payeeId}', ${id('n')}, n, 'Purchase', 'Authorization', 'Ready', 'NOK', ${AMOUNT}, ${AMOUNT}, ${id('n')}, '{}',
      kontor_now(), kontor_now(), kontor_now(), 0 from generate_series(1, ${LINES}) n;
    insert into card_transaction (payee_id, transaction_id, payment_id, number, type, state, amount, vat_amount, attempt_id,
      issuer, created_at, updated_at)
    select '${payeeId}', ${id('n')}, ${id('n')}, n, 'Capture', 'Completed', ${AMOUNT}, 0, ${id('n')}, 'north', kontor_now(), kontor_now()
    from generate_series(1, ${LINES}) n;
    insert into issuer_attempt (payee_id, attempt_id, payment_id, transaction_id, issuer, state, subject, created_at)
    select '${payeeId}', ${id('n')}, ${id('n')}, ${id('n')}, 'north', 'SETTLED', 'CardPayment', kontor_now()
    from generate_series(1, ${LINES}) n;
    insert into acquirer_exchange (payee_id, attempt_id, kind, acquirer, agreement, merchant_id, terminal_id, operation, stan,
      sent_at, retrieval_reference, amount, currency, state, action_code, business_day, answered_at)
    select '${payeeId}', ${id('n')}, 'Ask', 'north', 'demo-nok', '${MERCHANT_ID}', 'WEB00001', 'Capture',
      lpad(n::text, 6, '0'), kontor_now(), lpad(n::text, 12, '0'), ${AMOUNT}, 'NOK', 'Answered', '000', '${TODAY}', kontor_now()
    from generate_series(1, ${LINES}) n;
    analyze`);
  const lines = Array.from({ length: LINES }, (_, index) => ({
    type: 'Sale',
    attemptReference: attemptOf(index + 1),
    grossAmount: AMOUNT,
    feeAmount: -10,
  }));
  const text = fileOf('long', lines);
  const context = settling([agreementOf(payeeId)]);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed);
  }, 20);
  const begun = performance.now();
  const imported = await importText((work) => database.longWork(work), context, text);
  const seconds = (performance.now() - begun) / 1_000;
  clearInterval(watch);
  expect(imported).toMatchObject({ lines: LINES + 1, matched: LINES, differences: 0 });
  expect(
    await selectDifferences(database.read, { payeeId, onlyOpen: false, settlementId: undefined, most: 1 }),
  ).toEqual([]);
  // How fast, and in how much memory, depends on what else the process has done and the machine does: told, not tested.
  if (process.env['KONTOR_TELL'] !== undefined) {
    process.stdout.write(
      `${Math.round(LINES / seconds)} lines a second, ${Math.round((most - before) / 2 ** 20)} MB\n`,
    );
  }
}, 120_000);
