import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductId, ProductOnSale } from '../../src/gift-cards/gift-cards.types.ts';
import { readAll } from '../../src/gift-cards/liability/ask-liability.ts';
import { keepSums } from '../../src/gift-cards/liability/keep-sums.ts';
import { SUMS_ARE_KEPT } from '../../src/gift-cards/liability/kept-invariant.store.ts';
import { selectSpans, selectSums } from '../../src/gift-cards/liability/kept-liability.store.ts';
import { keptRows, liabilityOf } from '../../src/gift-cards/liability/liability.rules.ts';
import { selectInstants } from '../../src/gift-cards/liability/liability.store.ts';
import type { LiabilityInstants } from '../../src/gift-cards/liability/liability.types.ts';
import { selectUnclosed } from '../../src/gift-cards/liability/sums.store.ts';
import { LEAST_UUID, type PayeeId } from '../../src/kit/ids.ts';
import type { Currency } from '../../src/kit/money.ts';
import type { AccountId } from '../../src/ledger/ledger.types.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { until } from '../support/database/embedded.ts';
import { addAccounts, PAY, pay, type TestLedger, testLedger } from '../support/database/ledger.ts';
import { openProgramme, type Programme } from '../support/shop/gift-card-files.ts';
import { addProduct, productTerms } from '../support/shop/gift-cards.ts';
import { Model, randomFrom } from '../support/shop/liability-model.ts';

let programme: Programme;
let ledger: TestLedger;
let products: readonly ProductOnSale[];
beforeAll(async () => {
  programme = await openProgramme();
  ledger = testLedger(programme.database);
  const other = { productId: '2000' as ProductId, currency: 'SEK' as Currency, validityMonths: 3, isDefault: false };
  products = [
    programme.product,
    await addProduct(programme.database, { ...productTerms(programme.payeeId), ...other, name: 'Other' }),
  ];
});
afterAll(async () => {
  await ledger.database.close();
  await programme.stop();
});

const STEP_MS = 5 * 60 * 60 * 1000;
/** From before the change to summer time. */
const instantOf = (step: number) => new Date(Date.parse('2026-03-20T00:00:00Z') + step * STEP_MS).toISOString();

const setClock = (instant: string) =>
  programme.database.asAdmin(`
    create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
      return date_trunc('milliseconds', '${instant}'::timestamptz + (clock_timestamp() - '${new Date().toISOString()}'::timestamptz))`);

const step = (portion: number) =>
  programme.database.transact((transaction) => keepSums(transaction, programme.payeeId, portion));

async function keepSome(portion = 20_000): Promise<number> {
  let steps = 0;
  while (await step(portion)) steps++;
  return steps;
}

/** Until nothing is to be closed any more: transactions of other tests on this server hold a day open, too. */
async function keepAll(portion?: number): Promise<number> {
  let steps = 0;
  await until(async () => {
    steps += await keepSome(portion);
    return (await selectUnclosed(programme.database.read, LEAST_UUID as PayeeId, 1)).length === 0;
  }, 20_000);
  return steps;
}

async function instantsOf(question: { asOf: string; from: string; to: string }): Promise<LiabilityInstants> {
  const [instants] = (
    await selectInstants({ run: programme.database.read }, { payeeId: programme.payeeId, ...question }, 10)
  ).rows;
  return instants as LiabilityInstants;
}

/** The same question by the sums of days and by all cards. */
async function bothWays(question: { asOf: string; from: string; to: string }) {
  const { payeeId } = programme;
  const instants = await instantsOf(question);
  return programme.database.report(async (reader) => {
    const [spans] = (await selectSpans(reader, payeeId, instants)).rows;
    const kept = spans && keptRows((await selectSums(reader, payeeId, instants, spans)).rows);
    const all = await readAll(reader, { ...question, payeeId }, instants);
    return { kept: kept && liabilityOf(instants, kept), all: liabilityOf(instants, all) };
  });
}

async function expectTheSame(question: { asOf: string; from: string; to: string }, hint: string) {
  const { kept, all } = await bothWays(question);
  expect(kept, hint).toEqual(all);
}

/** What the invariant of `ledger verify` finds. */
const broken = async () => {
  const { findings } = await verifyLedger(programme.database.reports, [SUMS_ARE_KEPT]);
  return findings.flatMap(({ badRow }) => badRow ?? []).map(({ row }) => row);
};

/** Cards that were made in a step come from another programme; one that was there before is replaced. */
const IMPORT = `
  update account set cvc_key_id = null
  where account_id in (select account_id from gift_card where issued_at > kontor_now() - interval '1 minute')`;
const REPLACE = `
  update gift_card g set replaced_at = kontor_now(), replaced_by = (select account_id from gift_card where account_id <> g.account_id limit 1)
  where account_id = (select account_id from gift_card where replaced_at is null order by account_id desc offset 3 limit 1)`;

async function someCard(random: (below: number) => number): Promise<AccountId> {
  const rows = await programme.database.asAdmin(
    'select account_id from gift_card where replaced_at is null order by account_id',
  );
  return rows[random(rows.length)]?.['account_id'] as AccountId;
}

const STEPS = 200;

test('whatever moved, and whenever it is asked for, the sums of days say what all cards say', async () => {
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed + 1);
  const model = new Model(seed, { programme, products, submit: ledger.ledger.submit });
  await setClock(instantOf(0));
  const [loose] = await addAccounts(programme.database, 1, { payeeId: programme.payeeId, available: 1300 });
  for (let step = 0; step < STEPS; step++) {
    await setClock(instantOf(step));
    await model.take(step);
    // Something that belongs to a step before, as of a machine whose clock is behind.
    if (random(10) === 0 && step > 4) {
      await setClock(instantOf(step - 1 - random(4)));
      await ledger.ledger.submit(PAY, pay(programme.payeeId, await someCard(random), 5, { operation: 'Deposit' }));
      await setClock(instantOf(step));
    }
    // An account with more entries than are asked for their times; it is emptied on the way.
    if (random(3) === 0) {
      const purchases = Array.from({ length: 20 }, () =>
        pay(programme.payeeId, loose as AccountId, 1, { operation: 'Purchase' }),
      );
      await Promise.all(purchases.map((purchase) => ledger.ledger.submit(PAY, purchase)));
    }
    if (random(3) === 0) await programme.database.asAdmin(IMPORT);
    if (random(12) === 0) await programme.database.asAdmin(REPLACE);
    if (random(20) === 0) await keepAll(1 + random(9));
  }
  await setClock(instantOf(STEPS + 1));
  await keepAll(7);
  for (let round = 0; round < 60; round++) {
    const times = [random(STEPS + 1), random(STEPS + 1), random(STEPS + 1)].map((at) =>
      random(2) === 0 ? instantOf(at) : instantOf(at).slice(0, 10),
    );
    const [asOf = '', one = '', two = ''] = times;
    const [from, to] = one < two ? [one, two] : [two, one];
    await expectTheSame({ asOf, from, to: random(3) === 0 && asOf > from ? asOf : to }, `seed ${seed}: ${times}`);
  }
}, 120_000);

test('`ledger verify` finds each sum that is not what the ledger says', async () => {
  const { database } = programme;
  expect(await broken()).toEqual([]);
  for (const figure of ['owed', 'spent', 'cardsIssued']) {
    for (const column of ['amount', 'parts']) {
      const change = (by: number) =>
        database.asAdmin(`
          update gift_card_sum set ${column} = ${column} + ${by}
          where figure = '${figure}' and begins_at = (select min(begins_at) from gift_card_sum where figure = '${figure}')`);
      await change(1);
      expect(await broken()).toEqual(expect.arrayContaining([expect.stringContaining(`sum of ${figure} on 2026-`)]));
      await change(-1);
    }
  }
  await database.asAdmin("delete from gift_card_sum where figure = 'expired'");
  expect(await broken()).not.toEqual([]);
});

test('made anew from the entries, in portions, they are the same', async () => {
  const kept = () => programme.database.asAdmin('select * from gift_card_sum order by 2, 3, 4, 5, 6, 7');
  await programme.database.asAdmin('update gift_card_closing set closed_to = null, closing_to = null, mark = null');
  await keepAll();
  expect(await broken()).toEqual([]);
  const before = (await kept()).filter(({ parts, amount }) => Number(parts) !== 0 || Number(amount) !== 0);
  await programme.database.asAdmin('update gift_card_closing set closed_to = null, closing_to = null, mark = null');
  // Two instances at once, while something else is written.
  const elsewhere = Promise.all([keepAll(5), keepAll(5)]);
  const [loose] = await addAccounts(programme.database, 1, { payeeId: programme.payeeId });
  await ledger.ledger.submit(PAY, pay(programme.payeeId, loose as AccountId, 1, { operation: 'Purchase' }));
  expect((await elsewhere).reduce((sum, steps) => sum + steps)).toBeGreaterThan(20);
  await keepAll(5);
  expect(await broken()).toEqual([]);
  expect((await kept()).filter(({ parts, amount }) => Number(parts) !== 0 || Number(amount) !== 0)).toEqual(before);
});

test('what is written after a day was closed, and belongs to it, is not lost', async () => {
  const { payeeId, database } = programme;
  const [row] = await database.asAdmin('select account_id from gift_card limit 1');
  const asOf = instantOf(STEPS - 10);
  await setClock(instantOf(STEPS - 20));
  await ledger.ledger.submit(PAY, pay(payeeId, row?.['account_id'] as AccountId, 100, { operation: 'Deposit' }));
  await setClock(instantOf(STEPS + 1));
  expect((await bothWays({ asOf, from: asOf, to: asOf })).kept).toBeUndefined();
  await keepAll();
  await expectTheSame({ asOf, from: instantOf(0), to: asOf }, 'late');
});

test('a day is not closed while a transaction is under way that may still write into it', async () => {
  const { database } = programme;
  const closed = async () => (await database.asAdmin('select closed_to::text as at from gift_card_closing'))[0]?.['at'];
  await setClock('2026-07-01T12:00:00Z');
  await keepAll();
  const before = await closed();
  await setClock('2026-07-02T12:00:00Z');
  await database.transact(async (transaction) => {
    await transaction.run({ name: 'test-take-an-id', text: 'select pg_current_xact_id()' }, []);
    await keepSome();
    expect(await closed()).toBe(before);
  });
  await keepAll();
  expect(await closed()).not.toBe(before);
});

test('where the payee moves to another time zone they are made anew', async () => {
  const { database } = programme;
  await database.asAdmin("update payee set time_zone = 'Pacific/Auckland'");
  const question = { asOf: instantOf(STEPS - 3), from: '2026-04-01', to: '2026-04-20' };
  expect((await bothWays(question)).kept).toBeUndefined();
  await keepAll(50);
  await expectTheSame(question, 'moved');
  expect(await broken()).toEqual([]);
});
