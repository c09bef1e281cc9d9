import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/server/connection.ts';
import type { Database } from '../../src/db/server/database.types.ts';
import { openDatabase } from '../../src/db/server/open-database.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { takePaymentNumbers } from '../../src/ledger/accounts/open-accounts.ts';
import { takeNumbers } from '../../src/ledger/payment-numbers.store.ts';
import { measureNumbers } from '../../src/ledger/verification/measure-ledger.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';

const LAST_NUMBER = 99_999_999_999;

let database: TestDatabase;
/** Connections of their own, as three processes have them. */
let processes: readonly Database[];
beforeAll(async () => {
  database = await testDatabase();
  processes = Array.from({ length: 3 }, () => openDatabase({ url: database.appUrl }));
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.close()));
  await database.drop();
});

function take(payeeId: PayeeId, count: number, { transact }: Pick<Database, 'transact'> = database) {
  return transact((transaction) => takePaymentNumbers(transaction, payeeId, count));
}

async function newPayees(count: number): Promise<readonly PayeeId[]> {
  const payees: PayeeId[] = [];
  while (payees.length < count) payees.push(await addPayee(database));
  return payees;
}

const steps = (numbers: readonly number[]) => numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
const blockOf = (number: number) => Math.floor(number / 10_000);

describe('numbers of payments', () => {
  test('are one payment’s alone, have eleven digits and rise for each payee, whichever process takes them', async () => {
    const payees = await newPayees(4);
    const taken = await Promise.all(
      processes.flatMap((process) =>
        payees.map(async (payeeId) => {
          const own: number[] = [];
          for (let round = 0; round < 12; round++) own.push(...(await take(payeeId, 1 + round * 150, process)));
          return { payeeId, own };
        }),
      ),
    );
    const all = taken.flatMap(({ own }) => own);
    expect(new Set(all).size).toBe(all.length);
    expect(all.every((number) => /^\d{11}$/.test(String(number)))).toBe(true);
    for (const { own } of taken) expect(Math.min(...steps(own))).toBeGreaterThan(0);
    const owners = new Map(taken.flatMap(({ payeeId, own }) => own.map((number) => [blockOf(number), payeeId])));
    for (const { payeeId, own } of taken) for (const number of own) expect(owners.get(blockOf(number))).toBe(payeeId);
  });

  test('are the same for a payee, however many another one takes between', async () => {
    const [observer, quiet, busy] = (await newPayees(3)) as [PayeeId, PayeeId, PayeeId];
    const seen: number[] = [];
    for (const [neighbour, count] of [
      [quiet, 1],
      [busy, 45_000],
      [quiet, 1],
      [busy, 7],
    ] as const) {
      seen.push(...(await take(observer, 1)));
      await take(neighbour, count);
    }
    expect(steps([...seen, ...(await take(observer, 1))])).toEqual([1, 1, 1, 1]);
  });

  test('of many payees are taken in one statement, each payee’s own', async () => {
    const payees = await newPayees(5);
    const { statement, values } = takeNumbers(new Map(payees.map((payeeId, index) => [payeeId, index + 1])));
    const { rows } = await database.transact(({ run }) => run<{ payeeId: PayeeId; number: number }>(statement, values));
    const counts = payees.map((payeeId) => rows.filter((row) => row.payeeId === payeeId).length);
    expect(counts).toEqual([1, 2, 3, 4, 5]);
  });

  test('that a transaction took and did not use are left out, and no others', async () => {
    const [payeeId] = (await newPayees(1)) as [PayeeId];
    const [first] = await take(payeeId, 1);
    await take(payeeId, 3);
    const failing = database.transact(async () => {
      throw new Error('the one that would have used them');
    });
    await expect(failing).rejects.toThrow('would have used');
    expect(await take(payeeId, 1)).toEqual([(first ?? 0) + 4]);
  });

  test('go on in another block where one is used up, at most eight blocks away', async () => {
    const [payeeId] = (await newPayees(1)) as [PayeeId];
    const numbers = await take(payeeId, 60_000);
    const jumps = steps(numbers).filter((step) => step !== 1);
    expect(numbers).toHaveLength(60_000);
    expect(jumps.length).toBeLessThanOrEqual(5);
    for (const jump of jumps) expect(jump).toBeLessThanOrEqual(7 * 10_000 + 1);
    expect(new Set(numbers.map(blockOf)).size).toBe(6);
  });

  test('pass over blocks of others, however many there are in a row', async () => {
    const [payeeId, other] = (await newPayees(2)) as [PayeeId, PayeeId];
    const [first = 0] = await take(payeeId, 1);
    const from = blockOf(first) + 1;
    await database.asAdmin(`
      insert into number_block (block, payee_id)
      select block, '${other}' from generate_series(${from}, ${from + 500}) block
      on conflict do nothing`);
    const numbers = await take(payeeId, 20_000);
    expect(blockOf(numbers.at(-1) ?? 0)).toBeGreaterThan(from + 500);
    expect(Math.min(...steps(numbers))).toBeGreaterThan(0);
  });

  test('are refused with 503 where a payee has come to the end, and those of other payees are not', async () => {
    const [payeeId, other] = (await newPayees(2)) as [PayeeId, PayeeId];
    await take(payeeId, 1);
    await database.asAdmin(`
      insert into number_block values (9999999, '${payeeId}');
      update number_counter set latest = ${LAST_NUMBER - 2} where payee_id = '${payeeId}'`);
    expect(await measureNumbers(database.read)).toBeGreaterThan(0.999);
    expect(await take(payeeId, 1)).toEqual([LAST_NUMBER - 1]);
    await expect(take(payeeId, 2)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await take(payeeId, 1)).toEqual([LAST_NUMBER]);
    await expect(take(payeeId, 1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await take(other, 2)).toHaveLength(2);
    await database.asAdmin(`update number_counter set latest = 10010000000 where payee_id = '${payeeId}'`);
  });
});

describe('taking numbers', () => {
  test('does not wait for the disk, and leaves the next transaction of the connection as it is', async () => {
    const [payeeId] = (await newPayees(1)) as [PayeeId];
    const connection = await connect(database.appUrl);
    onTestFinished(() => connection.end());
    const settingOf = async () => (await connection.query('show synchronous_commit')).rows[0]?.synchronous_commit;
    const { statement, values } = takeNumbers(new Map([[payeeId, 1]]));
    await connection.command('begin');
    await connection.run(statement, values);
    expect(await settingOf()).toBe('off');
    await connection.command('commit');
    expect(await settingOf()).toBe('on');
  });

  test('is refused in a transaction that has changed something: it would not be durable', async () => {
    const [payeeId] = (await newPayees(1)) as [PayeeId];
    const mixed = database.transact(async (transaction) => {
      await transaction.run(
        { name: 'test-change', text: "update payee set name = 'Changed' where payee_id = $1::uuid" },
        [payeeId],
      );
      return takePaymentNumbers(transaction, payeeId, 1);
    });
    await expect(mixed).rejects.toThrow('must be a transaction of its own');
  });
});
