import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Read } from '../../src/db/transaction.types.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import {
  STATISTICS_MAX_AGE_MS,
  STATISTICS_REMEMBERED_FROM,
  showGettingStarted,
  showStatistics,
  statisticsReader,
} from '../../src/portal/home/show-statistics.ts';
import { exportPayments } from '../../src/portal/payments/export-payments.ts';
import { countSearched, searchPayments } from '../../src/portal/payments/search-payments.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { addPortalPayments, FIRST_PAYMENT } from '../support/shop/portal-rows.ts';

const LAST_DAY = FIRST_PAYMENT.slice(0, 10);
const FEW = 300;

let database: TestDatabase;
let [many, few]: readonly (PayeeId | undefined)[] = [];
beforeAll(async () => {
  database = await testDatabase();
  many = await addPayee(database);
  few = await addPayee(database);
  await addPortalPayments(database, { payeeId: many, payments: STATISTICS_REMEMBERED_FROM });
  await addPortalPayments(database, { payeeId: few, payments: FEW });
}, 60_000);
afterAll(() => database.drop());

/** A reader whose clock the test moves and whose questions it counts. */
function counting() {
  const clock = { ms: 0 };
  const asked: string[] = [];
  const read: Read = (statement, values) => {
    asked.push(statement.name);
    return database.read(statement, values);
  };
  const reader = statisticsReader(read, () => clock.ms);
  return { clock, asked, show: (payeeId: PayeeId | undefined) => reader(payeeId as PayeeId, { to: LAST_DAY }) };
}

test('statistics of very many payments are counted once a minute', async () => {
  const { clock, asked, show } = counting();
  const [first, beside] = await Promise.all([show(many), show(many)]);
  expect(first.currencies.length).toBeGreaterThan(0);
  expect(beside).toBe(first);
  const once = asked.length;
  clock.ms = STATISTICS_MAX_AGE_MS - 1;
  expect(await show(many)).toBe(first);
  expect(asked).toHaveLength(once);
  clock.ms = STATISTICS_MAX_AGE_MS;
  expect(await show(many)).toEqual(first);
  expect(asked).toHaveLength(2 * once);
});

test('statistics of few payments show what happened just now, and never those of another payee', async () => {
  const { show } = counting();
  await show(many);
  const before = await show(few);
  await database.asAdmin(
    `update payment set state = 'FAILED', problem = 'carddeclined', captured = 0, cancelled = 0, reversed = 0, hold_expires_at = null
     where payee_id = '${few}' and amount < 40000`,
  );
  const after = await show(few);
  const paid = ({ currencies }: typeof before) =>
    currencies.find(({ currency }) => currency === 'NOK')?.paid.payments ?? 0;
  expect(paid(before)).toBeGreaterThan(paid(after));
});

// One of the two is at another day than UTC, whatever the time.
test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'the last day is today where the payee is: %s',
  async (timeZone) => {
    const payeeId = await addPayee(database);
    await database.asAdmin(`update payee set time_zone = '${timeZone}' where payee_id = '${payeeId}'`);
    await addPortalPayments(database, { payeeId, payments: 1, since: new Date(Date.now() - 1000).toISOString() });
    const today = () => new Date().toLocaleDateString('sv-SE', { timeZone });
    const before = today();
    const { from, to, currencies } = await showStatistics(database.read, payeeId, { days: '2' });
    expect([before, today()]).toContain(to);
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
    expect(currencies.flatMap(({ days }) => days.map(({ day }) => day))).toEqual([from, to]);
  },
);

test('a currency is shown once money moved in it, also where all payments of these days fail', async () => {
  const payeeId = await addPayee(database);
  await addPortalPayments(database, { payeeId, payments: 40 });
  const ofPayee = `where payee_id = '${payeeId}'`;
  const shown = async () => {
    const { currencies } = await showStatistics(database.read, payeeId, { days: '1', to: LAST_DAY });
    return currencies.map(({ currency, paid }) => [currency, paid.payments > 0]);
  };
  const before = [
    ['NOK', true],
    ['SEK', true],
  ];
  expect((await shown()).toSorted()).toEqual(before);
  // One that is open, one that was aborted, and one that verified a card.
  await database.asAdmin(`
    update card_payment set currency = 'EUR' ${ofPayee} and paid_by is null;
    update card_payment set currency = 'DKK', operation = 'Verify', intent = null, amount = 0, captured = 0, cancelled = 0, reversed = 0,
      terms = '{}'
    ${ofPayee} and payment_id = (select payment_id from card_payment ${ofPayee} and paid_by is not null order by payment_id limit 1)`);
  expect((await shown()).toSorted()).toEqual(before);
  // All of today are refused; what was paid is of the day before.
  await database.asAdmin(`
    update payment set state = 'FAILED', problem = 'carddeclined', captured = 0, cancelled = 0, reversed = 0, hold_expires_at = null ${ofPayee};
    update payment set state = 'OK', problem = null, captured = amount, hold_expires_at = null, created_at = created_at - interval '3 days' ${ofPayee}
      and payment_id = (select payment_id from payment ${ofPayee} and operation = 'Purchase' and amount > 0 order by payment_id limit 1)`);
  expect((await shown()).toSorted()).toEqual([
    ['NOK', false],
    ['SEK', true],
  ]);
});

test('cards that were loaded are no payments: not in the figures, and no first payment', async () => {
  const payeeId = await addPayee(database);
  await addPortalPayments(database, { payeeId, payments: 20 });
  await database.asAdmin(`
    delete from card_transaction where payee_id = '${payeeId}';
    delete from card_payment where payee_id = '${payeeId}';
    update payment set operation = 'Deposit', hold_expires_at = null where payee_id = '${payeeId}'`);
  const asked = { to: LAST_DAY };
  expect((await showStatistics(database.read, payeeId, asked)).currencies).toEqual([]);
  expect(await showGettingStarted(database.read, payeeId)).toMatchObject({ hasPayment: false });
  expect(await countSearched(database.read, payeeId, {})).toEqual({ count: 0, isMore: false });
  for (const legs of [undefined, 'also'] as const) {
    expect((await searchPayments(database.read, payeeId, { legs })).rows).toEqual([]);
  }
  for (const state of ['Completed', 'Succeeded', 'Failed'] as const) {
    expect((await searchPayments(database.read, payeeId, { state })).rows).toEqual([]);
  }
  expect((await countSearched(database.read, payeeId, { kind: 'Deposit' })).count).toBeGreaterThan(15);
  const lines: string[] = [];
  for await (const line of exportPayments(database.read, payeeId, {})) lines.push(line);
  expect(lines).toHaveLength(1);
});
