import { afterAll, beforeAll, expect, test } from 'vitest';
import { LEAST_UUID, type PayeeId } from '../../src/kit/ids.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { BALANCES_ARE_KEPT } from '../../src/settlements/reports/balance-invariant.store.ts';
import { selectUnclosed } from '../../src/settlements/reports/balance-sums.store.ts';
import { keepBalances } from '../../src/settlements/reports/keep-balances.ts';
import {
  FROM_THE_BEGINNING,
  selectKeptTo,
  selectPeriod,
  selectTrialBalance,
} from '../../src/settlements/reports/trial-balance.store.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import {
  agreementOf,
  type Charged,
  charge,
  fileOf,
  importText,
  lineFor,
  NORTH,
  settling,
} from '../support/settlements.ts';
import { randomFrom } from '../support/shop/liability-model.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let context: SettlementContext;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  context = settling([agreementOf(kontor.payeeId)]);
});
afterAll(() => kontor.stop());

/** Until nothing is to be closed any more: transactions of other tests on this server hold an hour open, too. */
async function keepAll(portion?: number): Promise<number> {
  const { database, payeeId } = kontor;
  let steps = 0;
  await until(async () => {
    while (await database.transact((one) => keepBalances(one, payeeId, portion))) steps += 1;
    return (await selectUnclosed(database.read, LEAST_UUID as PayeeId, 1)).length === 0;
  }, 20_000);
  return steps;
}

/** The same days by the sums that are kept, and by all movements. */
async function bothWays(from: string, to: string) {
  const { payeeId, database } = kontor;
  return database.report(async ({ run }) => {
    const period = await selectPeriod(run, { payeeId, from, to }, 10);
    if (period === undefined) throw new Error('There is no such payee.');
    const keptTo = await selectKeptTo(run, payeeId);
    expect(keptTo).not.toBe(FROM_THE_BEGINNING);
    const linesOf = (books: Awaited<ReturnType<typeof selectTrialBalance>>) =>
      books?.lines.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
    const [kept, all] = [
      await selectTrialBalance(run, payeeId, { ...period, keptTo }),
      await selectTrialBalance(run, payeeId, { ...period, keptTo: FROM_THE_BEGINNING }),
    ];
    return { kept: { ...kept, lines: linesOf(kept) }, all: { ...all, lines: linesOf(all) } };
  });
}

/** What the invariant of `ledger verify` finds. */
const broken = async () => {
  const { findings } = await verifyLedger(kontor.database.reports, [BALANCES_ARE_KEPT]);
  return findings.flatMap(({ badRow }) => badRow ?? []).map(({ row }) => row);
};

const DAY_MS = 86_400_000;
/** From before the change to summer time. */
const BEGINNING = Date.parse('2026-03-20T00:00:00Z');
const DAYS = 20;
const dayAt = (day: number) => new Date(BEGINNING + day * DAY_MS).toISOString().slice(0, 10);

test('whatever was booked, and whichever days are asked for, the sums of days say what all movements say', async () => {
  const { database, payeeId } = kontor;
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed);
  const sold: Charged[] = [];
  await keepAll();
  for (let step = 0; step < 60; step++) {
    const at = new Date(BEGINNING + random(DAYS * 24) * 3_600_000).toISOString();
    const before = random(3) === 0 ? sold[random(sold.length)] : undefined;
    const [agreement, currency] = [random(4) === 0 ? 'other-nok' : 'demo-nok', random(5) === 0 ? 'SEK' : 'NOK'];
    const ofAccount = random(5) === 0 ? ({ ofAccount: true } as const) : {};
    const one = await charge(
      database,
      payeeId,
      before === undefined
        ? { amount: 1 + random(9_000), at, agreement, currency, day: at.slice(0, 10), ...ofAccount }
        : { amount: 1, type: 'Refund', of: before, at, day: at.slice(0, 10) },
    );
    if (before === undefined && agreement === 'demo-nok' && currency === 'NOK' && !('ofAccount' in ofAccount))
      sold.push(one);
    if (random(8) === 0) await keepAll(1 + random(9));
  }
  await importText(database.transact, context, fileOf('P1', [...sold.slice(0, 5).map((sale) => lineFor(sale))]), {
    ...NORTH,
    now: new Date('2026-04-20T08:00:00Z'),
  });
  await charge(database, payeeId, { amount: 77 });
  await keepAll(7);
  for (let round = 0; round < 40; round++) {
    const [one, two] = [random(DAYS + 2), random(DAYS + 2)];
    const { kept, all } = await bothWays(dayAt(Math.min(one, two)), dayAt(Math.max(one, two)));
    expect(kept, `seed ${seed}`).toEqual(all);
  }
  expect((await bothWays(dayAt(0), dayAt(DAYS))).kept.lines?.length).toBeGreaterThan(5);
}, 120_000);

test('`ledger verify` finds each sum that is not what the ledger says', async () => {
  const { database } = kontor;
  expect(await broken()).toEqual([]);
  for (const column of ['debit', 'credit']) {
    const change = (by: number) =>
      database.asAdmin(`
        update trial_balance_sum set ${column} = ${column} + ${by}
        where begins_at = (select min(begins_at) from trial_balance_sum) and side = 'Issuer'`);
    await change(1);
    expect(await broken()).toEqual([expect.stringMatching(/^sum of Issuer on 2026-03-/)]);
    await change(-1);
  }
  expect(await broken()).toEqual([]);
  await database.asAdmin(
    'delete from trial_balance_sum where begins_at = (select min(begins_at) from trial_balance_sum)',
  );
  expect(await broken()).toEqual([expect.stringMatching(/^movement /)]);
});

test('what is written after a day was closed, and belongs to it, has its sums made anew, in portions as at once', async () => {
  const { database, payeeId } = kontor;
  const sums = () => database.asAdmin('select * from trial_balance_sum order by 2, 3, 4, 5, 6, 7, 8');
  await charge(database, payeeId, { amount: 5, at: '2026-03-21T12:00:00Z' });
  expect(await selectKeptTo(database.read, payeeId)).toBe(FROM_THE_BEGINNING);
  expect((await kontor.send('GET', '/psp/trial-balance?from=2026-03-21&to=2026-03-21')).status).toBe(200);
  await keepAll();
  const atOnce = await sums();
  await database.asAdmin('update trial_balance_closing set closed_to = null, closing_to = null, mark = null');
  expect(await keepAll(3)).toBeGreaterThan(20);
  expect(await sums()).toEqual(atOnce);
  expect(await broken()).toEqual([]);
});

test('an hour is not closed while a transaction is under way that may still write into it', async () => {
  const { database, payeeId } = kontor;
  await database.transact(async (transaction) => {
    await transaction.run({ name: 'test-take-an-id', text: 'select pg_current_xact_id()' }, []);
    await database.asAdmin('update trial_balance_closing set closed_to = null, closing_to = null, mark = null');
    while (await database.transact((one) => keepBalances(one, payeeId)));
    expect(await selectKeptTo(database.read, payeeId)).toBe(FROM_THE_BEGINNING);
  });
  await keepAll();
  expect(await selectKeptTo(database.read, payeeId)).not.toBe(FROM_THE_BEGINNING);
});
