import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProductId, ProductOnSale } from '../../src/gift-cards/gift-cards.types.ts';
import { askLiability } from '../../src/gift-cards/liability/ask-liability.ts';
import { SELECT_LIABILITY } from '../../src/gift-cards/liability/liability.store.ts';
import type { LiabilityQuestion } from '../../src/gift-cards/liability/liability.types.ts';
import { isDay, isInstant } from '../../src/kit/instants.ts';
import type { Currency } from '../../src/kit/money.ts';
import type { AccountId } from '../../src/ledger/ledger.types.ts';
import { PAY, pay, type TestLedger, testLedger } from '../support/database/ledger.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
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
  const second = await addProduct(programme.database, { ...productTerms(programme.payeeId), ...other, name: '=1+1' });
  products = [programme.product, second];
});
afterAll(async () => {
  await ledger.database.close();
  await programme.stop();
});

const ask = (question: Partial<LiabilityQuestion>) =>
  programme.database.report((transaction) =>
    askLiability(transaction, {
      payeeId: programme.payeeId,
      asOf: undefined,
      from: undefined,
      to: undefined,
      ...question,
    }),
  );

const FIRST_STEP = Date.parse('2026-01-01T00:00:00Z');
const STEP_MS = 6 * 60 * 60 * 1000;
const instantOf = (step: number) => new Date(FIRST_STEP + step * STEP_MS).toISOString();

/** Lets the database's clock go on from there. */
const setClock = (instant: string) =>
  programme.database.asAdmin(`
    create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
      return date_trunc('milliseconds', '${instant}'::timestamptz + (clock_timestamp() - '${new Date().toISOString()}'::timestamptz))`);

async function answered(asOf: string, from: string, to: string) {
  const { outstanding, turnover, totals } = await ask({ asOf, from, to });
  const owed = outstanding.flatMap(({ currency, productId, expiring }) =>
    expiring.map(({ month, cards, amount }) => [`${currency} ${productId} ${month}`, [cards, amount]] as const),
  );
  const moved = turnover.flatMap(({ productId, currency: _, productName: _name, ...figures }) =>
    Object.entries(figures).map(([figure, amount]) => [`${productId} ${figure}`, amount] as const),
  );
  return {
    owed: Object.fromEntries(owed),
    moved: Object.fromEntries(moved.filter(([, amount]) => amount !== 0)),
    total: totals.reduce((sum, { amount }) => sum + amount, 0),
  };
}

/** The same total straight from the journal. */
async function journal(asOf: string): Promise<number> {
  const [row] = await programme.database.asAdmin(`
    select coalesce(sum(e.amount), 0)::int as sum
    from entry e join movement m using (payee_id, movement_id) join gift_card g using (payee_id, account_id)
    where m.happened_at < '${asOf}'`);
  return Number(row?.['sum']);
}

test('at any instant every figure is what the journal and a model written beside it say', async () => {
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed + 1);
  const model = new Model(seed, { programme, products, submit: ledger.ledger.submit });
  const steps = 250;
  for (let step = 0; step < steps; step++) {
    await setClock(instantOf(step));
    await model.take(step);
  }
  await setClock(instantOf(steps + 1));
  for (let round = 0; round < 30; round++) {
    const [asOf, one, two] = [random(steps + 1), random(steps + 1), random(steps + 1)];
    const [from, to] = [Math.min(one, two), Math.max(one, two)];
    const { owed, moved, total } = await answered(instantOf(asOf), instantOf(from), instantOf(to));
    expect({ owed, moved }, `seed ${seed}, ${asOf} ${from} ${to}`).toEqual({
      owed: model.owed(asOf),
      moved: model.moved(from, to),
    });
    expect(total, `seed ${seed}, ${asOf}`).toBe(await journal(instantOf(asOf)));
  }
}, 60_000);

test('an instant of the past has the same answer while money moves', async () => {
  const asOf = instantOf(200);
  const before = await answered(asOf, instantOf(100), asOf);
  const [row] = await programme.database.asAdmin('select account_id from gift_card limit 1');
  const accountId = row?.['account_id'] as AccountId;
  const { payeeId } = programme;
  let isMoving = true;
  const moving = (async () => {
    while (isMoving) {
      const deposits = Array.from({ length: 20 }, () => pay(payeeId, accountId, 1, { operation: 'Deposit' }));
      await Promise.all(deposits.map((deposit) => ledger.ledger.submit(PAY, deposit)));
    }
  })();
  for (let round = 0; round < (IS_LONG_RUN ? 30 : 8); round++)
    expect(await answered(asOf, instantOf(100), asOf)).toEqual(before);
  isMoving = false;
  await moving;
});

describe('times', () => {
  beforeAll(() => setClock('2026-07-15T12:00:00Z'));

  test('of days begin where the payee is; without any, it is this month until ten seconds ago', async () => {
    const told = await ask({ asOf: '2026-07-01', from: '2026-02-01', to: '2026-04-01T00:00:00+02:00' });
    expect(told).toMatchObject({
      timeZone: 'Europe/Oslo',
      asOf: '2026-06-30T22:00:00.000Z',
      from: '2026-01-31T23:00:00.000Z',
      to: '2026-03-31T22:00:00.000Z',
    });
    const now = await ask({});
    expect(now.asOf).toMatch(/^2026-07-15T11:59:5/);
    expect([now.from, now.to]).toEqual(['2026-06-30T22:00:00.000Z', now.asOf]);
  });

  test.each([
    [{ asOf: '2026-07-15T12:00:00Z' }, 'asOf'],
    [{ asOf: '2026-07-01', to: '2026-07-16' }, 'to'],
    [{ from: '2026-07-02', to: '2026-07-01' }, 'from'],
    [{ asOf: '2026-02-30' }, 'asOf'],
    [{ asOf: '2026-07-01T00:00:00' }, 'asOf'],
    [{ from: 'yesterday' }, 'from'],
  ])('%j is refused at %s', async (question, name) => {
    await expect(ask(question)).rejects.toMatchObject({ code: 'inputerror', problems: [{ name }] });
  });

  test('are recognised', () => {
    expect(['2026-02-28', '2024-02-29'].every(isDay)).toBe(true);
    expect(['2026-02-29', '2026-13-01', '0000-01-01', '2026-1-1'].some(isDay)).toBe(false);
    expect(['2026-02-28T23:59Z', '2026-02-28T23:59:59.123-05:30'].every(isInstant)).toBe(true);
    expect(['2026-02-29T00:00Z', '2026-02-28T24:61Z', '2026-02-28T00:00'].some(isInstant)).toBe(false);
  });
});

test('on a large table a question about yesterday reads what moved since, and no more', async () => {
  const { payeeId, product, database } = programme;
  await database.asAdmin(`
    alter table entry disable trigger user;
    insert into account (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id, number_masked,
      available, entry_count, expires_on, expires_at)
    select '${payeeId}', gen_random_uuid(), 'StoredValue', 'giftcard', 'ledger', 'NOK', sha256(n::text::bytea), 'account-numbers-1',
      '957810******0000', 100, 1, '2030-01-31', '2030-02-01'
    from generate_series(1, ${IS_LONG_RUN ? 50_000 : 30_000}) n;
    insert into gift_card (payee_id, account_id, product_id, number_sealed, sealed_with, issued_at, event_sequence)
    select payee_id, account_id, '${product.productId}', '\\x00', 'card-data-1', '2025-01-01', 1 from account a
    where not exists (select from gift_card g where g.account_id = a.account_id);
    insert into movement (payee_id, movement_id, kind, currency, happened_at)
    select payee_id, account_id, 'Opening', 'NOK', '2025-01-01'::timestamptz + row_number() over () * interval '1 minute'
    from account where number_masked = '957810******0000';
    insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
    select payee_id, account_id, 1, 'Available', 'NOK', 100, account_id, 1, 100
    from account where number_masked = '957810******0000';
    alter table entry enable trigger user;
    analyze`);
  const literals = [payeeId, '2026-07-14T00:00:00Z', '2026-07-14T00:00:00Z', '2026-07-15T00:00:00Z'];
  const text = SELECT_LIABILITY.text.replaceAll(/\$(\d)/g, (_, place) => `'${literals[Number(place) - 1]}'`);
  const plan = (await database.asAdmin(`explain ${text}`)).map((row) => String(row['QUERY PLAN'])).join('\n');
  expect(plan).toContain('movement_by_time');
  expect(plan).not.toMatch(/Seq Scan on (movement|entry)/);
});
