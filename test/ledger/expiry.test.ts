import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { TOUCH_ACCOUNT } from '../../src/ledger/accounts/touch-account.rules.ts';
import { startExpiringHolds } from '../../src/ledger/expiry/expire-overdue.job.ts';
import type { AccountId, TransactionId } from '../../src/ledger/ledger.types.ts';
import { measureLedger } from '../../src/ledger/verification/measure-ledger.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import {
  addAccounts,
  addPayee,
  GO_ON,
  newId,
  PAY,
  pay,
  type TestLedger,
  testLedger,
} from '../support/database/ledger.ts';
import { jobsOn } from '../support/shop/events.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let payeeId: PayeeId;
let one: TestLedger;

beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
  one = testLedger(database);
});
afterAll(async () => {
  await one.database.close();
  await database.drop();
});

async function account(accountId: AccountId) {
  const [row] = await database.asAdmin(`
    select available::int, held::int, next_hold_expires_at is null as "isQuiet" from account where account_id = '${accountId}'`);
  return row;
}

async function oneAccount(): Promise<AccountId> {
  const [accountId] = await addAccounts(database, 1, { payeeId, available: 10_000 });
  return accountId as AccountId;
}

const PAST = { holdSeconds: -1 };

test('the next batch that locks the account releases what has expired, before its commands decide', async () => {
  const accountId = await oneAccount();
  const { paymentId } = await one.ledger.submit(PAY, pay(payeeId, accountId, 9000, PAST));
  expect(await account(accountId)).toEqual({ available: 1000, held: 9000, isQuiet: false });
  // There is enough only because the first hold is over.
  expect(await one.ledger.submit(PAY, pay(payeeId, accountId, 9500))).toMatchObject({ state: 'OK', available: 500 });
  expect(await account(accountId)).toEqual({ available: 500, held: 9500, isQuiet: false });
  const [payment] = await database.asAdmin(
    `select state, cancelled::int, event_sequence::int as events from payment where payment_id = '${paymentId}'`,
  );
  expect(payment).toEqual({ state: 'OK', cancelled: 9000, events: 2 });
});

test('what has expired cannot be captured', async () => {
  const accountId = await oneAccount();
  const { paymentId } = await one.ledger.submit(PAY, pay(payeeId, accountId, 100, PAST));
  const transactionId = newId() as TransactionId;
  const capture = {
    ...pay(payeeId, accountId, 50),
    paymentId,
    transactionId,
    reference: transactionId,
    how: 'Capture' as const,
  };
  await expect(one.ledger.submit(GO_ON, capture)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await account(accountId)).toEqual({ available: 10_000, held: 0, isQuiet: true });
});

test('of very many a batch releases some, and the next ones the rest', async () => {
  const accountId = await oneAccount();
  // In one batch, so that none of them meets an expired one.
  await Promise.all(Array.from({ length: 130 }, () => one.ledger.submit(PAY, pay(payeeId, accountId, 10, PAST))));
  const touch = () => one.ledger.submit(TOUCH_ACCOUNT, { payeeId, accountId, commandId: newId(), actor: SERVICE });
  await touch();
  await touch();
  await touch();
  expect(await account(accountId)).toEqual({ available: 10_000, held: 0, isQuiet: true });
});

test('the job does so for accounts that no request touches, and leaves the others alone', async () => {
  const [over, open] = (await addAccounts(database, 2, { payeeId, available: 1000 })) as [AccountId, AccountId];
  await one.ledger.submit(PAY, pay(payeeId, over, 100, PAST));
  await one.ledger.submit(PAY, pay(payeeId, open, 100));
  const { failures, ...work } = jobsOn(database);
  const stop = startExpiringHolds({ ...work, ledger: one.ledger, newId }, 1);
  await until(async () => (await account(over))?.['held'] === 0);
  await stop();
  expect(await account(over)).toEqual({ available: 1000, held: 0, isQuiet: true });
  expect(await account(open)).toEqual({ available: 900, held: 100, isQuiet: false });
  expect(failures).toEqual([]);
});

test('one round of the job releases all holds of an account, however many more than a batch they are', async () => {
  const accountId = await oneAccount();
  await Promise.all(Array.from({ length: 230 }, () => one.ledger.submit(PAY, pay(payeeId, accountId, 10, PAST))));
  const { background, ...work } = jobsOn(database);
  const once: typeof background = {
    ...background,
    repeat: (_work, _intervalMs, round) => {
      const done = round(() => false);
      return async () => void (await done);
    },
  };
  await startExpiringHolds({ ...work, background: once, ledger: one.ledger, newId })();
  expect(await account(accountId)).toEqual({ available: 10_000, held: 0, isQuiet: true });
});

test('how long the oldest hold has waited can be measured', async () => {
  const accountId = await oneAccount();
  await one.ledger.submit(PAY, pay(payeeId, accountId, 100, { holdSeconds: -100 }));
  const ages = await measureLedger(database.read);
  expect(ages.overdueHoldSeconds).toBeGreaterThan(99);
});

test('an external card’s hold ends without a movement', async () => {
  const [card] = (await addAccounts(database, 1, { payeeId, kind: 'External' })) as [AccountId];
  const { paymentId } = await one.ledger.submit(PAY, pay(payeeId, card, 100, PAST));
  await one.ledger.submit(TOUCH_ACCOUNT, { payeeId, accountId: card, commandId: newId(), actor: SERVICE });
  const [payment] = await database.asAdmin(`select cancelled::int from payment where payment_id = '${paymentId}'`);
  expect(payment).toEqual({ cancelled: 100 });
});

test('after all that the books are right', async () => {
  const { findings } = await verifyLedger(database.reports, accountInvariants());
  expect(findings.filter(({ badRow }) => badRow !== undefined)).toEqual([]);
});
