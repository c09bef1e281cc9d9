import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import { along, placeAfter, runAlong } from '../../src/db/reading/walk.ts';
import type { Place } from '../../src/db/reading/walk.types.ts';
import type { OnOneConnection } from '../../src/db/transaction.types.ts';
import { WALKS } from '../../src/journal/walks.types.ts';
import type { AccountId } from '../../src/ledger/ledger.types.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addAccounts, addPayee, PAY, pay, type TestLedger, testLedger } from '../support/database/ledger.ts';

const TWO_BY_TWO = { first: 2, most: 2 };
const ENTRIES = WALKS.entry;

let database: TestDatabase;
let one: TestLedger;
beforeAll(async () => {
  database = await testDatabase();
  one = testLedger(database);
});
afterAll(async () => {
  await one.database.close();
  await database.drop();
});

test('a ledger that is paid from between any two portions has nothing wrong, and each portion has a snapshot of its own', async () => {
  const payees = [await addPayee(database), await addPayee(database)];
  const accounts = await Promise.all(
    payees.map(async (payeeId) => ({
      payeeId,
      accountIds: await addAccounts(database, 2, { payeeId, available: 100_000 }),
    })),
  );
  let paid = 0;
  const payOnce = async () => {
    const { payeeId, accountIds } = accounts[paid % 2] as (typeof accounts)[number];
    const accountId = accountIds[Math.floor(paid / 2) % 2] as (typeof accountIds)[number];
    paid++;
    await one.ledger.submit(PAY, pay(payeeId, accountId, 10));
  };
  for (let times = 0; times < 6; times++) await payOnce();
  let snapshots = 0;
  const paidBetween: OnOneConnection = (works) =>
    database.reports((report) =>
      works(async (work) => {
        snapshots++;
        if (snapshots % 5 === 0) await payOnce();
        return report(work);
      }),
    );
  const { broken, findings, invariants } = await verifyLedger(paidBetween, accountInvariants(), TWO_BY_TWO);
  expect(findings.filter(({ badRow }) => badRow !== undefined)).toEqual([]);
  expect(broken).toBe(0);
  expect(snapshots).toBeGreaterThan(invariants * 4);
});

test.each([1, 2, 3, 5])('a walk of %i rows at a time comes to each row once, in the order of its key', async (rows) => {
  const [{ all } = {}] = await database.asAdmin(
    `select array_agg(movement_id || ' ' || line order by payee_id, movement_id, line) as all from entry`,
  );
  const found: string[] = [];
  const search = along(ENTRIES, 'test-entries', (next) => `select movement_id || ' ' || line as row from ${next} e`);
  let from: Place | undefined;
  do {
    const next = { from, rows };
    from = await database.report(async (transaction) => {
      const portion = await runAlong<{ readonly row: string }>(transaction, search, next);
      found.push(...portion.rows.map(({ row }) => row));
      return placeAfter(transaction, ENTRIES, next);
    });
  } while (from !== undefined);
  expect(found).toEqual(all);
  expect(found.length).toBeGreaterThan(20);
});

test.each([
  ['on accounts that are opened meanwhile', true],
  // Entries of an account, and numbers of payments, tell no time in the key that they are walked by.
  ['on one account', false],
])(
  'it comes to its end where as much is added while it rests as a portion has, %s',
  async (_, isNew) => {
    const payeeId = await addPayee(database);
    const [oneAccount] = await addAccounts(database, 1, { payeeId, available: 10_000, withTime: true });
    let rests = 0;
    const rest = async () => {
      rests++;
      if (rests > 2_000) throw new Error('it never ends');
      const [accountId] = isNew
        ? await addAccounts(database, 1, { payeeId, available: 100, withTime: true })
        : [oneAccount];
      for (let each = 0; each < 3; each++) await one.ledger.submit(PAY, pay(payeeId, accountId as AccountId, 1));
    };
    await rest();
    const { broken } = await verifyLedger(database.reports, [], { first: 5, most: 5, rest });
    expect(broken).toBe(0);
    expect(rests).toBeGreaterThan(1);
    // Hundreds of payments, one after another.
  },
  60_000,
);
