import { afterAll, beforeAll, expect, test } from 'vitest';
import { askLiability, readAll } from '../../src/gift-cards/liability/ask-liability.ts';
import { keepSums } from '../../src/gift-cards/liability/keep-sums.ts';
import { SUMS_ARE_KEPT } from '../../src/gift-cards/liability/kept-invariant.store.ts';
import { SELECT_SUMS, selectSpans, sumValues } from '../../src/gift-cards/liability/kept-liability.store.ts';
import { liabilityOf } from '../../src/gift-cards/liability/liability.rules.ts';
import { selectInstants } from '../../src/gift-cards/liability/liability.store.ts';
import type { KeptSpans, LiabilityInstants } from '../../src/gift-cards/liability/liability.types.ts';
import { selectUnclosed } from '../../src/gift-cards/liability/sums.store.ts';
import { LEAST_UUID, type PayeeId } from '../../src/kit/ids.ts';
import type { AccountId } from '../../src/ledger/ledger.types.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { PAY, pay, type TestLedger, testLedger } from '../support/database/ledger.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { openProgramme, type Programme } from '../support/shop/gift-card-files.ts';

const CARDS = IS_LONG_RUN ? 1_000_000 : 20_000;

let programme: Programme;
let ledger: TestLedger;
beforeAll(async () => {
  programme = await openProgramme();
  ledger = testLedger(programme.database);
  await issueOverYears();
}, 900_000);
afterAll(async () => {
  await ledger.database.close();
  await programme.stop();
});

/** An id that was made at an instant, with the number n. */
const idAt = (instant: string, n = "lpad(to_hex(n), 12, '0')") =>
  `(lpad(to_hex((extract(epoch from ${instant}) * 1000)::bigint), 12, '0') || '70008000' || ${n})::uuid`;
const PURCHASE = idAt("created_at + interval '30 days'", "'1' || right(account_id::text, 11)");

/** Cards of three years, each with what it was issued with, and one purchase a month later; all but some are spent then. */
async function issueOverYears(): Promise<void> {
  const { payeeId, product, database } = programme;
  await database.asAdmin(`
    alter table entry disable trigger all;
    alter table gift_card disable trigger all;
    insert into account (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id, number_masked,
      available, entry_count, expires_on, expires_at, cvc_key_id, created_at)
    select '${payeeId}', ${idAt('t')}, 'StoredValue', 'giftcard', 'ledger', 'NOK',
      sha256(n::text::bytea), 'account-numbers-1', '957810******0000', n % 3 * 100, 2,
      (t + interval '3 years')::date, t + interval '3 years', 'cvc-1', t
    from generate_series(1, ${CARDS}) n
    cross join lateral (select timestamptz '2023-07-01' + n * interval '3 years' / ${CARDS} as t) i;
    insert into gift_card (payee_id, account_id, product_id, number_sealed, sealed_with, issued_at, event_sequence)
    select payee_id, account_id, '${product.productId}', '\\x00', 'card-data-1', created_at, 1 from account;
    insert into movement (payee_id, movement_id, kind, currency, happened_at)
    select payee_id, account_id, 'Deposit', 'NOK', created_at from account order by account_id;
    insert into movement (payee_id, movement_id, kind, currency, happened_at)
    select payee_id, ${PURCHASE}, 'Purchase', 'NOK', created_at + interval '30 days'
    from account order by account_id;
    insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
    select payee_id, account_id, 1, 'Available', 'NOK', 500, account_id, 1, 500 from account
    union all
    select payee_id, ${PURCHASE}, 1, 'Available', 'NOK', available - 500, account_id, 2, available
    from account;
    insert into entry (payee_id, movement_id, line, side, currency, amount)
    select payee_id, movement_id, 2, 'Clearing', currency, -amount from entry;
    alter table entry enable trigger all;
    alter table gift_card enable trigger all;`);
  await database.asAdmin('vacuum analyze account, gift_card, movement, entry');
}

const question = () => ({ payeeId: programme.payeeId, asOf: undefined, from: undefined, to: undefined });
const ask = (asOf?: string) => askLiability({ run: programme.database.background.read }, { ...question(), asOf });

async function timed<Result>(work: () => Promise<Result>): Promise<[ms: number, result: Result]> {
  const begun = performance.now();
  const result = await work();
  return [performance.now() - begun, result];
}

async function keepAll(): Promise<readonly number[]> {
  const times: number[] = [];
  const { transact } = programme.database.background;
  for (;;) {
    const [ms, isMore] = await timed(() => transact((one) => keepSums(one, programme.payeeId)));
    times.push(ms);
    if (isMore) continue;
    // Transactions of other tests on this server hold a day open, too.
    if ((await selectUnclosed(programme.database.background.read, LEAST_UUID as PayeeId, 1)).length === 0) return times;
  }
}

test('what is owed is told without reading the cards, while payments go on', async () => {
  const { database, payeeId } = programme;
  await database.asAdmin(`
    create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
      return date_trunc('milliseconds', '2026-08-15T12:00:00Z'::timestamptz + (clock_timestamp() - '${new Date().toISOString()}'::timestamptz))`);
  const [allMs, all] = await timed(() =>
    database.report(async (reader) => {
      const [instants] = (await selectInstants(reader, { ...question(), asOf: '2026-06-20' }, 10)).rows;
      const asked = instants as LiabilityInstants;
      return liabilityOf(asked, await readAll(reader, { ...question(), asOf: asked.asOf }, asked));
    }),
  );
  const steps = await keepAll();
  expect(await ask('2026-06-20')).toEqual(all);
  const [read, ofCards] = await pagesRead();
  expect(read).toBeLessThan(ofCards / 2);
  let isMoving = true;
  let payments = 0;
  const [card] = await database.asAdmin('select account_id from account order by account_id offset 1 limit 1');
  const accountId = card?.['account_id'] as AccountId;
  const moving = (async () => {
    while (isMoving) {
      const deposits = Array.from({ length: 20 }, () => pay(payeeId, accountId, 1, { operation: 'Deposit' }));
      await Promise.all(deposits.map((deposit) => ledger.ledger.submit(PAY, deposit)));
      payments += deposits.length;
    }
  })();
  const times: number[] = [];
  for (const asOf of [undefined, '2026-06-20', '2024-02-29', '2025-01-01T12:00:00Z', undefined, undefined, undefined]) {
    const [ms, told] = await timed(() => ask(asOf));
    expect(told.totals.length).toBe(1);
    times.push(ms);
  }
  isMoving = false;
  await moving;
  if (IS_LONG_RUN) process.stdout.write(`${JSON.stringify({ CARDS, allMs, steps, read, ofCards, times, payments })}\n`);
  expect(payments).toBeGreaterThan(0);
  if (IS_LONG_RUN) expect(Math.max(...times)).toBeLessThan(1000);
}, 900_000);

test('`ledger verify` reckons each day by the movements of that day', async () => {
  const { database } = programme;
  const read = async () => {
    const [row] = await database.asAdmin(
      "select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::float8 as rows from pg_stat_user_tables where relname = 'movement'",
    );
    return Number(row?.['rows']);
  };
  const before = await read();
  const { findings } = await verifyLedger(database.reports, [SUMS_ARE_KEPT]);
  expect(findings.flatMap(({ badRow }) => badRow ?? [])).toEqual([]);
  // What a session has read is told a second later, when it rests.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await database.read({ name: 'test-beside', text: 'select 1' }, []);
  const rows = (await read()) - before;
  expect(rows).toBeGreaterThan(2 * CARDS);
  expect(rows).toBeLessThan(40 * 2 * CARDS);
}, 600_000);

test('`ledger verify` finds what is not in the sums of its day and has an id of another', async () => {
  const { database } = programme;
  const id = idAt("timestamptz '2026-08-10'", "'000000000001'");
  await database.asAdmin(`
    alter table movement disable trigger all;
    alter table entry disable trigger all;
    insert into movement (payee_id, movement_id, kind, currency, happened_at)
    values ('${programme.payeeId}', ${id}, 'Deposit', 'NOK', '2024-02-01T12:00:00Z');
    insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
    select payee_id, ${id}, 1, 'Available', 'NOK', 7, account_id, 3, available + 7
    from (select * from account order by account_id offset 2 limit 1) a;
    alter table movement enable trigger all;
    alter table entry enable trigger all;`);
  const { findings } = await verifyLedger(database.reports, [SUMS_ARE_KEPT]);
  expect(findings.flatMap(({ badRow }) => badRow ?? []).map(({ row }) => row)).toContainEqual(
    expect.stringMatching(/^sum of \w+ on 2024-02-01$/),
  );
}, 600_000);

/** Pages of eight kilobytes that an answer about now takes, and those that cards and accounts have. */
async function pagesRead(): Promise<readonly [read: number, ofCards: number]> {
  const { database, payeeId } = programme;
  const { read } = database.background;
  const [instants] = (await selectInstants({ run: read }, question(), 10)).rows as [LiabilityInstants];
  const [spans] = (await selectSpans({ run: read }, payeeId, instants)).rows as [KeptSpans];
  const values = sumValues(payeeId, instants, spans);
  const text = SELECT_SUMS.text.replaceAll(/\$(\d+)/g, (_, place) => `'${values[Number(place) - 1]}'`);
  const [plan] = await database.asAdmin(`explain (analyze, buffers, format json) ${text}`);
  const [{ Plan: top }] = (plan as { 'QUERY PLAN': [{ Plan: Record<string, number> }] })['QUERY PLAN'];
  const [size] = await database.asAdmin(
    "select (pg_relation_size('account') + pg_relation_size('gift_card')) / 8192 as pages",
  );
  return [Number(top['Shared Hit Blocks']) + Number(top['Shared Read Blocks']), Number(size?.['pages'])];
}
