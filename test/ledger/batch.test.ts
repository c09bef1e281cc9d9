import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/db/server/connection.ts';
import { Refusal } from '../../src/kit/errors.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import type { AccountId } from '../../src/ledger/ledger.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addAccounts, addPayee, PAY, pay, type TestLedger, TRANSFER, testLedger } from '../support/database/ledger.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let payeeId: PayeeId;
let one: TestLedger;
let other: TestLedger;

beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
  [one, other] = [testLedger(database), testLedger(database)];
});
afterAll(async () => {
  await Promise.all([one.database.close(), other.database.close()]);
  await database.drop();
});

/** How many rows of a table are about this reference. */
async function count(table: string, where: string): Promise<number> {
  const [row] = await database.asAdmin(`select count(*)::int as count from ${table} where ${where}`);
  return row?.['count'] as number;
}

async function oneAccount(available?: number): Promise<AccountId> {
  const [accountId] = await addAccounts(database, 1, { payeeId, ...(available !== undefined && { available }) });
  return accountId as AccountId;
}

test('a command leaves its payment, movement, entries, event and audit row, once', async () => {
  const accountId = await oneAccount(1000);
  const command = pay(payeeId, accountId, 300);
  const answer = await one.ledger.submit(PAY, command);
  expect(answer).toEqual({ state: 'OK', paymentId: command.paymentId, available: 700 });
  const about = `payment_id = '${command.paymentId}'`;
  expect(await count('payment', about)).toBe(1);
  expect(await count('movement', about)).toBe(1);
  expect(await count('entry', `movement_id in (select movement_id from movement where ${about})`)).toBe(2);
  expect(await count('event', `resource_id = '${command.paymentId}'`)).toBe(1);
  expect(
    await count('event_pending', `event_id in (select event_id from event where resource_id = '${command.paymentId}')`),
  ).toBe(1);
  expect(await count('audit', `object_id = '${command.paymentId}' and action = 'authorize-payment'`)).toBe(1);
  const [account] = await database.asAdmin(
    `select available::int, held::int from account where account_id = '${accountId}'`,
  );
  expect(account).toEqual({ available: 700, held: 300 });
});

test('a migration that changes tables under a running service costs no caller an answer', async () => {
  const accountId = await oneAccount(1000);
  await one.ledger.submit(PAY, pay(payeeId, accountId, 10));
  await database.asAdmin(`alter table account alter column currency type text collate "POSIX"`);
  expect(await one.ledger.submit(PAY, pay(payeeId, accountId, 10))).toMatchObject({ state: 'OK', available: 980 });
  await database.asAdmin(`alter table account alter column currency type text collate "C"`);
  expect(await one.ledger.submit(PAY, pay(payeeId, accountId, 10))).toMatchObject({ state: 'OK', available: 970 });
});

test('what comes together travels together, and runs in its order', async () => {
  const accountId = await oneAccount(1000);
  const before = one.told.committed;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => one.ledger.submit(PAY, pay(payeeId, accountId, 30))),
  );
  expect(answers.map(({ state }) => state)).toEqual([...Array(33).fill('OK'), ...Array(17).fill('FAILED')]);
  expect(answers.slice(0, 33).map(({ available }) => available)).toEqual(
    Array.from({ length: 33 }, (_, index) => 970 - 30 * index),
  );
  expect(one.told.committed - before).toBeLessThan(5);
});

test('the same reference again is told what it stands for, and has no effect', async () => {
  const accountId = await oneAccount(1000);
  const command = pay(payeeId, accountId, 300);
  await one.ledger.submit(PAY, command);
  const again = { ...pay(payeeId, accountId, 300), reference: command.reference };
  expect(await other.ledger.submit(PAY, again)).toEqual({
    state: 'DUPLICATE',
    paymentId: command.paymentId,
    available: 700,
  });
  expect(await other.ledger.submit(PAY, { ...again, repeat: true })).toMatchObject({
    state: 'OK',
    paymentId: command.paymentId,
  });
});

test.each([0, 1, 3, 4])('of four references in a batch %i are taken, and the others are free', async (taken) => {
  const accountId = await oneAccount(1000);
  const commands = Array.from({ length: 4 }, () => pay(payeeId, accountId, 10));
  const earlier = commands.slice(0, taken).map(({ reference }) => ({ ...pay(payeeId, accountId, 10), reference }));
  for (const command of earlier) await one.ledger.submit(PAY, command);
  const batches = one.told.committed;
  const answers = await Promise.all(commands.map((command) => one.ledger.submit(PAY, command)));
  expect(one.told.committed - batches).toBe(1);
  expect(answers.map(({ state, paymentId }) => [state, paymentId])).toEqual(
    commands.map(({ paymentId }, index) =>
      index < taken ? ['DUPLICATE', earlier[index]?.paymentId] : ['OK', paymentId],
    ),
  );
  const [account] = await database.asAdmin(`select available::int from account where account_id = '${accountId}'`);
  expect(account).toEqual({ available: 960 });
});

test('twins at once, in two processes and on two accounts, have one effect, and no other command fails', async () => {
  const accounts = await addAccounts(database, 20, { payeeId });
  for (let round = 0; round < 10; round++) {
    const twin = pay(payeeId, accounts[0] as AccountId, 10);
    const twins = [one, other, one, other].map((process, index) =>
      process.ledger.submit(PAY, { ...pay(payeeId, accounts[index % 2] as AccountId, 10), reference: twin.reference }),
    );
    const neighbours = accounts
      .slice(2)
      .map((accountId, index) => (index % 2 ? one : other).ledger.submit(PAY, pay(payeeId, accountId, 10)));
    const states = (await Promise.all(twins)).map(({ state }) => state).sort();
    expect(states).toEqual(['DUPLICATE', 'DUPLICATE', 'DUPLICATE', 'OK']);
    expect((await Promise.all(neighbours)).every(({ state }) => state === 'OK')).toBe(true);
    expect(await count('payment', `payment_transaction_ref = '${twin.reference}'`)).toBe(1);
  }
});

test('two processes on one account spend exactly what it holds', async () => {
  const accountId = await oneAccount(1000);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => (index % 2 ? one : other).ledger.submit(PAY, pay(payeeId, accountId, 7))),
  );
  expect(answers.filter(({ state }) => state === 'OK')).toHaveLength(142);
  expect(answers.filter(({ state }) => state === 'FAILED')).toHaveLength(58);
});

test('commands that wait for the same lock wait together, and are written together', async () => {
  const accountId = await oneAccount(1000);
  const holder = await connect(database.adminUrl);
  await holder.command('begin');
  await holder.command(`select from account where account_id = '${accountId}' for update`);
  const first = one.ledger.submit(PAY, pay(payeeId, accountId, 1));
  await until(
    async () => (await count('pg_stat_activity', `wait_event = 'tuple' or wait_event = 'transactionid'`)) > 0,
  );
  const before = one.told.committed;
  const rest = Array.from({ length: 60 }, () => one.ledger.submit(PAY, pay(payeeId, accountId, 1)));
  await holder.command('rollback');
  await holder.end();
  const answers = await Promise.all([first, ...rest]);
  expect(answers.map(({ available }) => available)).toEqual(Array.from({ length: 61 }, (_, index) => 999 - index));
  expect(one.told.committed - before).toBeLessThan(10);
});

test('commands over two accounts, in every order and from two processes, never wait for each other for ever', async () => {
  const accounts = await addAccounts(database, 6, { payeeId, available: 1000 });
  const pick = (index: number) => accounts[index % accounts.length] as AccountId;
  const transfers = Array.from({ length: 200 }, (_, index) => {
    const command = { ...pay(payeeId, pick(index * 7), 1), into: pick(index * 7 + 1 + (index % 5)) };
    return (index % 2 ? one : other).ledger.submit(TRANSFER, command);
  });
  await Promise.all(transfers);
  const ids = accounts.map((accountId) => `'${accountId}'`).join();
  const [row] = await database.asAdmin(`select sum(available)::int as sum from account where account_id in (${ids})`);
  expect(row?.['sum']).toBe(6000);
});

describe('an account that another session holds', () => {
  test('keeps no other command waiting, is refused after a while, and can be used again', async () => {
    const [stuck, ...free] = await addAccounts(database, 20, { payeeId });
    const holder = await connect(database.adminUrl);
    await holder.command('begin');
    await holder.command(`select from account where account_id = '${stuck}' for update`);
    const before = { ...one.told };
    const refused = pay(payeeId, stuck as AccountId, 10);
    const waiting = one.ledger.submit(PAY, refused).catch((error: unknown) => error);
    await until(() => one.told.leftOut >= before.leftOut + 3);
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(free.map((accountId) => one.ledger.submit(PAY, pay(payeeId, accountId, 10))));
      expect(answers.every(({ state }) => state === 'OK')).toBe(true);
    }
    // The command that waits for the lock fails in the end, and takes the batch along.
    expect(one.told.split).toBe(before.split);
    const failure = await waiting;
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({ code: 'unavailable' });
    await holder.command('rollback');
    await holder.end();
    // Nothing was done, so the same may be sent again.
    expect(await one.ledger.submit(PAY, refused)).toMatchObject({ state: 'OK', paymentId: refused.paymentId });
  });

  test('keeps its order when it is let go while others are written', async () => {
    const [stuck, free] = await addAccounts(database, 2, { payeeId, available: 1000 });
    const [account, table] = [await connect(database.adminUrl), await connect(database.adminUrl)];
    await account.command('begin');
    await account.command(`select from account where account_id = '${stuck}' for update`);
    await table.command('begin');
    await table.command('lock table audit in share mode');
    const submit = (accountId: unknown) => one.ledger.submit(PAY, pay(payeeId, accountId as AccountId, 10));
    const travelTogether = [submit(stuck), submit(free)];
    await until(async () => (await count('pg_stat_activity', `wait_event = 'relation'`)) > 0);
    // The batch has left the first one out already. The command behind the batch finds the account free.
    const behind = [submit(stuck), submit(free)];
    await account.command('rollback');
    await table.command('rollback');
    await Promise.all([account.end(), table.end()]);
    const answers = await Promise.all([...travelTogether, ...behind]);
    expect(answers.map(({ available }) => available)).toEqual([990, 990, 980, 980]);
  });

  test('whose lock is released in time answers as if nothing had been', async () => {
    const accountId = await oneAccount(1000);
    const holder = await connect(database.adminUrl);
    await holder.command('begin');
    await holder.command(`select from account where account_id = '${accountId}' for update`);
    const before = one.told.leftOut;
    const answers = Promise.all([1, 2, 3].map((amount) => one.ledger.submit(PAY, pay(payeeId, accountId, amount))));
    await until(() => one.told.leftOut >= before + 3);
    await holder.command('rollback');
    await holder.end();
    expect((await answers).map(({ available }) => available)).toEqual([999, 997, 994]);
  });
});

describe('one bad command never harms its neighbours', () => {
  test.each([
    ['a rule that throws', 'throw', 'a rule that throws'],
    ['a value that the driver refuses', 'bad-value', /circular/],
    ['a statement that the server refuses', 'server-refuses', /test-harm-server-refuses/],
    ['a write that matches no row', 'no-row', /touched 0 rows instead of 1/],
    ['one that says so itself', 'surely-no-row', /touched other rows than it was given/],
  ] as const)('%s', async (_name, harm, message) => {
    const accounts = await addAccounts(database, 9, { payeeId });
    const commands = accounts.map((accountId, index) => pay(payeeId, accountId, 10, index === 4 ? { harm } : {}));
    const settled = await Promise.allSettled(commands.map((command) => one.ledger.submit(PAY, command)));
    expect(settled.map(({ status }) => status)).toEqual(
      accounts.map((_account, index) => (index === 4 ? 'rejected' : 'fulfilled')),
    );
    const failure = settled[4] as PromiseRejectedResult;
    expect(String(failure.reason.message)).toMatch(message);
    // It left nothing, so that its reference is free.
    const bad = commands[4] as (typeof commands)[number];
    expect(await count('payment', `payment_id = '${bad.paymentId}'`)).toBe(0);
    expect(await count('reference', `reference = '${bad.reference}'`)).toBe(0);
    const { harm: _harm, ...good } = bad;
    expect(await one.ledger.submit(PAY, good)).toMatchObject({ state: 'OK' });
  });
});
