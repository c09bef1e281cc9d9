import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { selectItems } from '../../src/settlements/days/export.store.ts';
import { itemLines } from '../../src/settlements/days/export-day.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { statementOf } from '../support/database/explain.ts';
import { addPayee } from '../support/database/ledger.ts';

const ITEMS = 20_000;
const DAY = '2026-03-02';

let database: TestDatabase;
let payeeId: PayeeId;
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
  const id = (n: string) => `('00000000-0000-7000-8000-' || lpad(${n}::text, 12, '0'))::uuid`;
  await database.asAdmin(`
    insert into settlement_day (payee_id, settlement_id, acquirer, agreement, merchant_id, currency, day, state, sales_number, sales_amount,
      sale_reversals_number, sale_reversals_amount, refunds_number, refunds_amount, refund_reversals_number, refund_reversals_amount, net, closed_at,
      updated_at, event_sequence)
    select '${payeeId}', gen_random_uuid(), 'north', 'north-nok', '1', 'NOK', date '${DAY}' + n, 'Closed', 0, 0, 0, 0, 0, 0, 0, 0, 0, kontor_now(),
      kontor_now(), 1
    from generate_series(-1, 1) n;
    insert into settlement_item (payee_id, attempt_id, type, acquirer, agreement, merchant_id, currency, amount, day, payment_id, retrieval_reference)
    select '${payeeId}', ${id('n')}, case when n % 100 = 0 then 'SaleReversal' else 'Sale' end, 'north', 'north-nok', '1', 'NOK', 100,
      date '${DAY}' + (n - 1) / ${ITEMS} - 1, ${id('n')}, n::text
    from generate_series(1, ${3 * ITEMS}) n`);
  await database.asAdmin('vacuum analyze settlement_item, settlement_day');
});
afterAll(() => database.drop());

test('of a large day each page is read for itself, and all pages have each item once', async () => {
  const statement = statementOf((reader) => selectItems(reader.run, payeeId, { day: DAY, after: undefined, limit: 1 }));
  const middle = `00000000-0000-7000-8000-${String(ITEMS + ITEMS / 2).padStart(12, '0')}`;
  const values = [payeeId, DAY, middle, 1000];
  const text = statement.text.replaceAll(/\$(\d)/g, (_, place) => `'${values[Number(place) - 1]}'`);
  const [row] = await database.asAdmin(`explain (analyze, buffers, format json) ${text}`);
  const [{ Plan: plan }] = (row as { 'QUERY PLAN': [{ Plan: Record<string, number> }] })['QUERY PLAN'];
  expect(Number(plan['Actual Rows'])).toBe(1010);
  expect(mostRows(plan)).toBeLessThan(ITEMS / 4);
  const attempts: string[] = [];
  for await (const lines of itemLines(database.background.read, payeeId, DAY)) {
    for (const line of lines.trimEnd().split('\n')) attempts.push(JSON.parse(line).attemptId + JSON.parse(line).type);
  }
  expect(attempts.length).toBe(ITEMS + ITEMS / 100);
  expect(new Set(attempts).size).toBe(attempts.length);
});

/** The most rows that a step of a plan gives on. */
function mostRows(plan: unknown): number {
  const { Plans: steps = [], ...own } = plan as { Plans?: readonly unknown[] } & Record<string, number>;
  return Math.max(Number(own['Actual Rows']) * Number(own['Actual Loops']), ...steps.map(mostRows));
}
