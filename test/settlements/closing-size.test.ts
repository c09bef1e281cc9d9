import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { closeDueDays } from '../../src/settlements/days/close-days.flow.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { agreementOf, MERCHANT_ID, NORTH, settling } from '../support/settlements.ts';

const AMOUNT = 1_000;
const FEW = 10_000;
/** 2.2 on a machine that does nothing else; four would be the square. */
const MOST_TIMES = 3;
const ROUNDS = 5;
/** Items of other payees, agreements and days: by their number the planner expects one row of any day. */
const OTHERS = 50_000;

let database: TestDatabase;
let payeeId: PayeeId;
let sold = 0;
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
  await database.asAdmin(`
    set session_replication_role = replica;
    insert into settlement_item (payee_id, attempt_id, type, acquirer, agreement, merchant_id, currency, amount, day, payment_id,
      retrieval_reference)
    select md5((n % 1000)::text)::uuid, gen_random_uuid(), 'Sale', 'south', 'of-' || n % 1000, 'M', 'NOK', 1, date '2025-01-01' + n % 300,
      gen_random_uuid(), n::text
    from generate_series(1, ${OTHERS}) n;
    alter table settlement_item set (autovacuum_enabled = false)`);
  await database.asAdmin('vacuum analyze');
});
afterAll(() => database.drop());

test('to close a day of twice as many sales takes about twice as long', async () => {
  const context = settling([agreementOf(payeeId)]);
  const closing = async (day: string, sales: number) => {
    await sell(day, sales);
    const begun = performance.now();
    await closeDueDays((work) => database.transact(work), context, NORTH, new Date(`${day}T23:59:00Z`));
    const tookMs = performance.now() - begun;
    const [closed] = await database.asAdmin(
      `select sales_number::int as sales from settlement_day where day = '${day}'`,
    );
    expect(closed, day).toEqual({ sales });
    return tookMs;
  };
  await closing('2026-02-01', 100);
  let [fewMs, manyMs] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    fewMs += await closing(`2026-03-${10 + 2 * round}`, FEW);
    manyMs += await closing(`2026-03-${11 + 2 * round}`, 2 * FEW);
  }
  expect(manyMs / fewMs).toBeLessThan(MOST_TIMES);
});

/** Sales of a day, as an acquirer has answered them. */
async function sell(day: string, sales: number): Promise<void> {
  const first = sold + 1;
  sold += sales;
  const rows = `generate_series(${first}, ${sold}) n`;
  const id = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  const at = `timestamptz '${day} 12:00Z'`;
  // What was answered within the last hours is collected again: of each day that day's alone.
  await database.asAdmin(`
    update acquirer_exchange set answered_at = answered_at - interval '3 days' where answered_at > kontor_now() - interval '1 day'`);
  await database.asAdmin('vacuum');
  await database.asAdmin(`
    insert into card_payment (payee_id, payment_id, number, operation, intent, state, currency, amount, captured, paid_by,
      terms, expires_at, created_at, updated_at, event_sequence)
    select '${payeeId}', ${id}, n, 'Purchase', 'Authorization', 'Ready', 'NOK', ${AMOUNT}, ${AMOUNT}, ${id}, '{}', ${at}, ${at}, ${at}, 0
    from ${rows};
    insert into card_transaction (payee_id, transaction_id, payment_id, number, type, state, amount, vat_amount, attempt_id,
      issuer, created_at, updated_at)
    select '${payeeId}', ${id}, ${id}, n, 'Capture', 'Completed', ${AMOUNT}, 0, ${id}, 'north', ${at}, ${at} from ${rows};
    insert into issuer_attempt (payee_id, attempt_id, payment_id, transaction_id, issuer, state, subject, created_at)
    select '${payeeId}', ${id}, ${id}, ${id}, 'north', 'SETTLED', 'CardPayment', ${at} from ${rows};
    insert into acquirer_exchange (payee_id, attempt_id, kind, acquirer, agreement, merchant_id, terminal_id, operation, stan,
      sent_at, retrieval_reference, amount, currency, state, action_code, business_day, answered_at)
    select '${payeeId}', ${id}, 'Ask', 'north', 'demo-nok', '${MERCHANT_ID}', 'WEB00001', 'Capture', lpad(n::text, 6, '0'), ${at},
      lpad(n::text, 12, '0'), ${AMOUNT}, 'NOK', 'Answered', '000', '${day}', kontor_now()
    from ${rows};
    insert into movement (payee_id, movement_id, kind, currency, payment_id, transaction_id, happened_at)
    select '${payeeId}', ${id}, 'Capture', 'NOK', ${id}, ${id}, ${at} from ${rows};
    insert into entry (payee_id, movement_id, line, side, currency, amount)
    select '${payeeId}', ${id}, line, side, 'NOK', sign * ${AMOUNT} from ${rows},
      (values (1, 'Issuer', -1), (2, 'Clearing', 1)) as lines (line, side, sign)`);
}
