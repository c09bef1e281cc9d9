import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectUnclosed } from '../../src/gift-cards/liability/sums.store.ts';
import { OPERATOR } from '../../src/kit/ids.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { explainFreely, statementOf } from '../support/database/explain.ts';
import { addAccounts, addPayee } from '../support/database/ledger.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Two thousand payees with ten accounts each: the sums of half of them are closed. */
async function fill(): Promise<void> {
  const payeeId = await addPayee(database);
  await addAccounts(database, 20_000, { payeeId, available: 10 });
  await database.asAdmin(`
    insert into payee (payee_id, name, time_zone)
    select gen_random_uuid(), 'Payee', 'Europe/Oslo' from generate_series(1, 2000);
    insert into account (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id, number_masked)
    select payee_id, gen_random_uuid(), 'StoredValue', 'giftcard', 'test', 'NOK', sha256(gen_random_uuid()::text::bytea),
      'account-numbers-1', '400000******0000'
    from payee cross join generate_series(1, 10);
    insert into gift_card_closing (payee_id, time_zone, closed_to, closing_to)
    select payee_id, time_zone, date_trunc('day', kontor_now()), date_trunc('day', kontor_now()) from payee where payee_id::text < '8';
    insert into row_at_work (payee_id, work, row_id, not_before, is_under_way)
    select payee_id, 'sum-gift-cards', 'sums', kontor_now(), false from payee;
    analyze`);
}

const UNCLOSED = statementOf(({ run }) => selectUnclosed(run, OPERATOR, 1));

test('payees whose sums are to be closed are found without a look at all accounts', async () => {
  await fill();
  const plan = await explainFreely(database, UNCLOSED, [`'${OPERATOR}'`, '100']);
  expect(plan).toContain('Index Only Scan using account_by_currency');
  expect(plan).not.toMatch(/Seq Scan|hashed SubPlan/);
});
