import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { accountStatement } from '../../src/ledger/accounts/account-statement.ts';
import type { AccountId, PaymentId, TransactionId } from '../../src/ledger/ledger.types.ts';
import type { Verified } from '../../src/ledger/verification/health.types.ts';
import { PACE } from '../../src/ledger/verification/portions.rules.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { type Damage, testDamages } from '../support/crash/damages.ts';
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

/** Most tables have several portions of so few rows. */
const FEW = { first: 3, most: 3 };

let database: TestDatabase;
let payeeId: PayeeId;
let one: TestLedger;
let accountId: AccountId;
let paymentId: PaymentId;

beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
  one = testLedger(database);
  [accountId] = (await addAccounts(database, 1, { payeeId, available: 1000 })) as [AccountId];
  await addAccounts(database, 2, { payeeId, available: 0 });
  ({ paymentId } = await one.ledger.submit(PAY, pay(payeeId, accountId, 100)));
  for (const [how, amount] of [
    ['Capture', 60],
    ['Reversal', 20],
    ['Cancel', 0],
  ] as const) {
    const transactionId = newId() as TransactionId;
    const command = { ...pay(payeeId, accountId, amount), paymentId, transactionId, reference: transactionId, how };
    await one.ledger.submit(GO_ON, command);
  }
  await one.ledger.submit(PAY, pay(payeeId, accountId, 5000));
  await one.ledger.submit(PAY, pay(payeeId, accountId, 50, { operation: 'Purchase' }));
  await one.ledger.submit(PAY, pay(payeeId, accountId, 70, { operation: 'Deposit' }));
  await one.ledger.submit(PAY, pay(payeeId, accountId, 30));
});
afterAll(async () => {
  await one.database.close();
  await database.drop();
});

async function broken(): Promise<Record<string, string>> {
  const [whole, byFew] = await Promise.all(
    [PACE, FEW].map((pace) => verifyLedger(database.reports, accountInvariants(), pace)),
  );
  expect(byFew?.findings).toEqual(whole?.findings);
  const { findings } = whole as Verified;
  return Object.fromEntries(
    findings.flatMap(({ holds, badRow }) => (badRow === undefined ? [] : [[holds, badRow.row]])),
  );
}

test('a ledger that was only used has nothing wrong', async () => {
  expect(await broken()).toEqual({});
});

describe('an account that payments and entries name stays, whatever would remove it', () => {
  test.each([
    ['deleted', () => `delete from account where account_id = '${accountId}'`],
    ['under another id', () => `update account set account_id = gen_random_uuid() where account_id = '${accountId}'`],
    ['under another payee', () => `update account set payee_id = gen_random_uuid() where account_id = '${accountId}'`],
    ['emptied away', () => 'truncate account cascade'],
  ])('%s', async (_, sql) => {
    await expect(database.asAdmin(sql())).rejects.toMatchObject({ code: '23001' });
    expect(await broken()).toEqual({});
  });
});

describe('each kind of damage is found, and its first row named', () => {
  const untriggered = (sql: string) =>
    `alter table entry disable trigger user; ${sql}; alter table entry enable trigger user`;
  const DAMAGES: readonly Damage[] = [
    [
      'a balance that is not the sum of its entries',
      () => `update account set available = available + 1 where account_id = '${accountId}'`,
      () => `update account set available = available - 1 where account_id = '${accountId}'`,
      /balances|available and held/,
      () => `account ${accountId}`,
    ],
    [
      'an entry of an account that is not there',
      () =>
        untriggered(`update entry set account_id = '${paymentId}' where account_id = '${accountId}' and sequence = 1`),
      () => untriggered(`update entry set account_id = '${accountId}' where account_id = '${paymentId}'`),
      /belongs to a movement, and/,
      () => 'entry ',
    ],
    [
      'a payment of an account that is not there',
      () => `update payment set account_id = gen_random_uuid() where payment_id = '${paymentId}'`,
      () => `update payment set account_id = '${accountId}' where payment_id = '${paymentId}'`,
      /of an account/,
      () => `payment ${paymentId}`,
    ],
    [
      'a hold that was forgotten',
      () => `update payment set cancelled = cancelled + 1 where amount = 30`,
      () => `update payment set cancelled = cancelled - 1 where amount = 30`,
      /left of its authorizations/,
      () => `account ${accountId}`,
    ],
    [
      'a capture that never moved',
      () => `update payment set captured = 61, cancelled = 39 where payment_id = '${paymentId}'`,
      () => `update payment set captured = 60, cancelled = 40 where payment_id = '${paymentId}'`,
      /has moved/,
      () => `payment ${paymentId}`,
    ],
    [
      'a changed entry',
      () => untriggered(`update entry set amount = amount + 1 where account_id = '${accountId}' and sequence = 2`),
      () => untriggered(`update entry set amount = amount - 1 where account_id = '${accountId}' and sequence = 2`),
      /sum to zero, in one/,
      () => 'movement ',
    ],
    [
      'a lost reference',
      () => `delete from reference where reference = '${paymentId}'`,
      () => `insert into reference values ('${payeeId}', 'payment', '${paymentId}', '${newId()}', '${paymentId}')`,
      /has its reference/,
      () => `payment ${paymentId}`,
    ],
    [
      'an event number that was skipped',
      () => `update payment set event_sequence = 9 where payment_id = '${paymentId}'`,
      () => `update payment set event_sequence = 4 where payment_id = '${paymentId}'`,
      /without gaps up to/,
      () => `payment ${paymentId}`,
    ],
    [
      'a hold that its account does not know',
      () => `update account set next_hold_expires_at = null where account_id = '${accountId}'`,
      () => `update account set next_hold_expires_at = kontor_now() where account_id = '${accountId}'`,
      /ends before its account/,
      () => 'payment ',
    ],
    [
      'a transaction without its amount',
      () => `update payment_transaction set amount = amount + 1 where operation = 'Capture'`,
      () => `update payment_transaction set amount = amount - 1 where operation = 'Capture'`,
      /transactions say/,
      () => `payment ${paymentId}`,
    ],
    [
      'something reserved that nothing waits for',
      () => `update payment set reserved_reversal = 1 where payment_id = '${paymentId}'`,
      () => `update payment set reserved_reversal = 0 where payment_id = '${paymentId}'`,
      /reserved/,
      () => `payment ${paymentId}`,
    ],
    [
      'a cancel that waits for an issuer that was not asked',
      () => `update payment_transaction set state = 'CALLING' where operation = 'Cancel'`,
      () => `update payment_transaction set state = 'OK' where operation = 'Cancel'`,
      /waits for an issuer/,
      () => `payment ${paymentId}`,
    ],
    [
      'an attempt that no payment waits for',
      () => `insert into issuer_attempt (payee_id, attempt_id, payment_id, account_id, issuer, state, due_at, created_at)
        values ('${payeeId}', '${paymentId}', '${paymentId}', '${accountId}', 'x', 'CALLING', kontor_now(), kontor_now())`,
      () => `delete from issuer_attempt`,
      /waits for an issuer/,
      () => `attempt ${paymentId}`,
    ],
  ];

  testDamages(DAMAGES, { run: (sql) => database.asAdmin(sql), broken });
});

test('entries cannot be changed, and none can be added that does not sum to zero', async () => {
  await expect(database.asAdmin('update entry set amount = 1')).rejects.toThrow('stay as they are');
  await expect(database.asAdmin('delete from movement')).rejects.toThrow('stay as they are');
  const lopsided = `insert into entry (payee_id, movement_id, line, side, currency, amount)
    values ('${payeeId}', '${newId()}', 1, 'Clearing', 'NOK', 5)`;
  await expect(database.asAdmin(lopsided)).rejects.toThrow('do not sum to zero');
});

test('a statement shows the entries of an account in order, with balances', async () => {
  const lines = await database.report((transaction) =>
    accountStatement(transaction, { account: accountId, payee: payeeId }),
  );
  expect(lines.map(({ kind, side, amount, balance }) => [kind, side, amount, balance])).toEqual([
    ['Opening', 'Available', 1000, 1000],
    ['Authorize', 'Available', -100, 900],
    ['Authorize', 'Held', 100, 100],
    ['Capture', 'Held', -60, 40],
    ['Reversal', 'Available', 20, 920],
    ['Cancel', 'Held', -40, 0],
    ['Cancel', 'Available', 40, 960],
    ['Purchase', 'Available', -50, 910],
    ['Deposit', 'Available', 70, 980],
    ['Authorize', 'Available', -30, 950],
    ['Authorize', 'Held', 30, 30],
  ]);
  await expect(
    database.report((transaction) => accountStatement(transaction, { account: newId(), payee: payeeId })),
  ).rejects.toMatchObject({ code: 'notfound' });
});
