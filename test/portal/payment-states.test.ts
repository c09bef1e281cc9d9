import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stateBy } from '../../src/engine/leg.rules.ts';
import { ACCOUNT_TABLE, CARD_TABLE } from '../../src/portal/payments/payments.store.ts';
import { ACCOUNT_STATES, LISTED_CARD_STATES, SETTLED_LISTED_STATES } from '../../src/portal/payments/payments.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const NOW = new Date().toISOString();
const amount = fc.integer({ min: 0, max: 3 });
const amounts = {
  amount,
  captured: amount,
  cancelled: amount,
  reversed: amount,
  reservedHold: amount,
  reservedReversal: amount,
};

const cards = fc.record({
  ...amounts,
  state: fc.constantFrom('Ready', 'Failed', 'Aborted'),
  operation: fc.constantFrom('Purchase', 'Verify', 'Recur'),
  paidBy: fc.constantFrom(null, '0195fe3a-0000-7000-8000-000000000000'),
  failedTries: fc.integer({ min: 0, max: 2 }),
  unsettled: fc.integer({ min: 0, max: 2 }),
  // Far from now either way: the database has its own.
  expiresAt: fc.constantFrom('2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'),
  now: fc.constant(NOW),
});
const accounts = fc.record({
  ...amounts,
  state: fc.constantFrom('OK', 'FAILED', 'REVERSED'),
  operation: fc.constantFrom('Authorize', 'Purchase', 'Deposit', 'Credit'),
});

/** What an expression of the portal says of made-up rows. */
async function told(expression: string, rows: readonly object[]): Promise<string[]> {
  const snake = (name: string) => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  const named = rows.map((row, place) => ({
    place,
    ...Object.fromEntries(Object.entries(row).map(([name, value]) => [snake(name), value])),
  }));
  const found = await database.asAdmin(`
    select ${expression} as state
    from jsonb_to_recordset('${JSON.stringify(named)}'::jsonb) as p (
      place integer, amount bigint, captured bigint, cancelled bigint, reversed bigint, state text, operation text,
      paid_by uuid, failed_tries integer, unsettled integer, expires_at timestamptz)
    order by place`);
  return found.map(({ state }) => String(state));
}

test('what a list of card payments is cut down by is what the rule says of each', async () => {
  const rows = fc.sample(cards, 3000);
  const states = rows.map((row) => stateBy(SETTLED_LISTED_STATES, row));
  expect(await told(CARD_TABLE.state, rows)).toEqual(states);
  expect(new Set(states)).toEqual(new Set(SETTLED_LISTED_STATES.map(([state]) => state)));
});

test('what a list shows of card payments is what the rule says of each', async () => {
  const rows = fc.sample(cards, 3000);
  const [shown] = /case when p\.unsettled > 0.*?end(?= as state)/s.exec(CARD_TABLE.shown) ?? [''];
  expect(await told(shown, rows)).toEqual(rows.map((row) => stateBy(LISTED_CARD_STATES, row)));
});

test('the same holds of account payments', async () => {
  const rows = fc.sample(accounts, 3000);
  expect(await told(ACCOUNT_TABLE.state, rows)).toEqual(rows.map((row) => stateBy(ACCOUNT_STATES, row)));
});
