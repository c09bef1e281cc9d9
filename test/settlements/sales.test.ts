import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvCells } from '../../src/kit/csv.ts';
import { askSales } from '../../src/settlements/reports/ask-sales.ts';
import { sales as salesCommand } from '../../src/settlements/reports/sales.cli.ts';
import { selectSales } from '../../src/settlements/reports/sales.store.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { explainFreely, statementOf } from '../support/database/explain.ts';
import { runSettlements } from '../support/run-command.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { agreementOf, type Charged, charge, fileOf, importText, lineFor, settling } from '../support/settlements.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';

let kontor: TestService;
let context: SettlementContext;
let anna: Browser;
const MARCH = 'from=2026-03-01&to=2026-03-31';
const sales = async (query: string) => (await kontor.send('GET', `/psp/sales?${MARCH}&${query}`)).body.salesReport;

/** Says more of a sale: its shop, its VAT, its brand. */
async function tellOf(
  { paymentId, attemptId }: Charged,
  { shop, vat, brand }: { shop: string; vat: number; brand: string },
) {
  await kontor.database.asAdmin(`
    update card_payment set terms = '{"payeeInfo": {"payeeName": "${shop}"}}' where payment_id = '${paymentId}';
    update card_transaction set vat_amount = ${vat} where attempt_id = '${attemptId}';
    update card_transaction set card = '{"cardBrand": "${brand}"}'
    where transaction_id = (select paid_by from card_payment where payment_id = '${paymentId}');`);
}

/** Lays two payments of cards together as an order that a shop of the payee has sold, with this VAT. */
async function joinAsOrder(legs: readonly Charged[], { vat, siteId }: { vat: number; siteId: string }) {
  const { payeeId } = kontor;
  const [order, transaction] = [randomUUID(), randomUUID()];
  const amount = legs.reduce((sum, one) => sum + one.amount, 0);
  const parts = legs.map(({ paymentId, amount: part, attemptId }, place) => {
    const leg = randomUUID();
    return `
      update card_payment set order_id = '${order}' where payment_id = '${paymentId}';
      insert into order_leg (payee_id, leg_id, order_id, position, kind, state, payment_id, instrument_type, name, amount, added_at, updated_at)
      values ('${payeeId}', '${leg}', '${order}', ${place + 1}, 'Card', 'Authorized', '${paymentId}', 'creditcard', '4925', ${part},
        kontor_now(), kontor_now());
      insert into order_part (payee_id, transaction_id, leg_id, amount, own_id)
      select '${payeeId}', '${transaction}', '${leg}', ${part}, transaction_id from card_transaction where attempt_id = '${attemptId}';`;
  });
  await kontor.database.asAdmin(`
    insert into payment_order (payee_id, order_id, number, operation, intent, status, currency, amount, vat_amount, captured,
      card_payment_id, paid_by, made_in, terms, content_digest, expires_at, created_at, updated_at, event_sequence)
    values ('${payeeId}', '${order}', 900, 'Purchase', 'Authorization', 'Paid', 'NOK', ${amount}, ${vat}, ${amount},
      '${legs[0]?.paymentId}', '${transaction}', '3.1', '{"payeeInfo": {"payeeName": "Kiosk", "siteId": "${siteId}"}}', sha256('order'),
      kontor_now(), kontor_now(), kontor_now(), 1);
    insert into order_transaction (payee_id, transaction_id, order_id, number, type, state, amount, vat_amount, initiated_by, created_at, updated_at)
    values ('${payeeId}', '${transaction}', '${order}', 901, 'Capture', 'Completed', ${amount}, ${vat}, 'Payee', kontor_now(), kontor_now());
    ${parts.join('\n')}`);
}

beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  const { database, payeeId } = kontor;
  context = settling([agreementOf(payeeId)]);
  anna = await signedInAs(kontor, 'finance');
  const sold = await charge(database, payeeId, { amount: 12_500, at: '2026-03-02T12:00:00Z' });
  await tellOf(sold, { shop: 'Bakery', vat: 2_500, brand: 'Visa' });
  const refunded = await charge(database, payeeId, {
    amount: 500,
    type: 'Refund',
    of: sold,
    at: '2026-03-03T12:00:00Z',
  });
  await database.asAdmin(`update card_transaction set vat_amount = 100 where attempt_id = '${refunded.attemptId}'`);
  const other = await charge(database, payeeId, { amount: 1_150, at: '2026-03-02T22:59:59Z' });
  await tellOf(other, { shop: 'Kiosk', vat: 150, brand: 'Mastercard' });
  await charge(database, payeeId, { amount: 77, currency: 'SEK', at: '2026-03-02T23:00:00Z' });
  await charge(database, payeeId, { amount: 9, at: '2026-04-01T12:00:00Z' });
  // Three legs of 100 and one VAT of 50, which no leg has a whole third of.
  const legs = [];
  for (const at of [1, 2, 3])
    legs.push(await charge(database, payeeId, { amount: 100, at: `2026-03-20T12:00:0${at}Z` }));
  await joinAsOrder(legs, { vat: 50, siteId: 'oslo-1' });
  const lines = [lineFor(sold, { feeAmount: -125 }), lineFor(refunded, { feeAmount: 5 })];
  await importText((work) => database.transact(work), context, fileOf('P1', lines));
});
afterAll(() => kontor.stop());

/** What `kontor ledger sales …` prints. */
async function run(...words: string[]): Promise<string> {
  const period = ['--from', '2026-03-01', '--to', '2026-03-31'];
  return runSettlements(kontor, [salesCommand], ['sales', ...period, ...words]);
}

interface Line {
  readonly side: string;
  readonly currency: string;
  readonly debit: number;
  readonly credit: number;
}

const NONE = { refunds: 0, refundsAmount: 0, refundsVat: 0, fees: 0 };

test('by day: each counts on the day of the payee on which the ledger has booked it, with its VAT and its fees', async () => {
  const { lines, totals, by } = await sales('');
  expect(by).toEqual(['day']);
  expect(lines).toEqual([
    {
      ...NONE,
      day: '2026-03-02',
      currency: 'NOK',
      sales: 2,
      salesAmount: 13_650,
      salesVat: 2_650,
      net: 13_650,
      fees: -125,
    },
    {
      day: '2026-03-03',
      currency: 'NOK',
      sales: 0,
      salesAmount: 0,
      salesVat: 0,
      refunds: 1,
      refundsAmount: 500,
      refundsVat: 100,
      net: -500,
      fees: 5,
    },
    { ...NONE, day: '2026-03-03', currency: 'SEK', sales: 1, salesAmount: 77, salesVat: 0, net: 77 },
    { ...NONE, day: '2026-03-20', currency: 'NOK', sales: 3, salesAmount: 300, salesVat: 50, net: 300 },
  ]);
  expect(totals).toEqual([
    {
      currency: 'NOK',
      sales: 5,
      salesAmount: 13_950,
      salesVat: 2_700,
      refunds: 1,
      refundsAmount: 500,
      refundsVat: 100,
      net: 13_450,
      fees: -120,
    },
    { ...NONE, currency: 'SEK', sales: 1, salesAmount: 77, salesVat: 0, net: 77 },
  ]);
});

test('by shop, site, VAT rate, means and brand: each row is told apart, and all come to the same totals', async () => {
  const { totals } = await sales('');
  for (const by of [
    'day',
    'shop',
    'site',
    'terminal',
    'vatRate',
    'means',
    'brand',
    'day,shop,site,terminal,vatRate,means,brand',
  ]) {
    expect((await sales(`by=${by}`)).totals, by).toEqual(totals);
  }
  const named = async (by: string) =>
    (await sales(`by=${by}`)).lines.map(({ [by]: value = '', currency, net }: Record<string, unknown>) => [
      value,
      currency,
      net,
    ]);
  expect(await named('shop')).toEqual(
    [
      ['Bakery', 'NOK', 12_000],
      ['Kiosk', 'NOK', 1_450],
      ['', 'SEK', 77],
    ].toSorted(byCurrency),
  );
  expect(await named('site')).toContainEqual(['oslo-1', 'NOK', 300]);
  expect(await named('vatRate')).toEqual(
    expect.arrayContaining([
      ['25.0', 'NOK', 12_000],
      ['15.0', 'NOK', 1_150],
      ['20.0', 'NOK', 300],
    ]),
  );
  expect(await named('terminal')).toContainEqual(['WEB00001', 'NOK', 13_450]);
  expect(await named('means')).toContainEqual(['creditcard', 'NOK', 13_450]);
  expect(await named('brand')).toEqual(
    expect.arrayContaining([
      ['Visa', 'NOK', 12_000],
      ['Mastercard', 'NOK', 1_150],
    ]),
  );
});

const byCurrency = (one: readonly unknown[], other: readonly unknown[]) => (String(one[1]) < String(other[1]) ? -1 : 1);

test('only of one shop, site or terminal', async () => {
  expect((await sales('shop=Bakery')).totals).toMatchObject([{ currency: 'NOK', net: 12_000 }]);
  expect((await sales('site=oslo-1')).totals).toMatchObject([{ currency: 'NOK', net: 300 }]);
  expect((await sales('terminal=none')).lines).toEqual([]);
  expect((await kontor.send('GET', `/psp/sales?${MARCH}&by=hour`)).status).toBe(400);
});

test('what is sold and given back is what the sides Clearing of the trial balance have gained, but for settlements', async () => {
  const { body } = await kontor.send('GET', `/psp/trial-balance?${MARCH}`);
  for (const { currency, net } of (await sales('')).totals) {
    const gained = body.trialBalance.lines
      .filter((line: Line) => line.side === 'Clearing' && line.currency === currency)
      .reduce((sum: number, { credit, debit }: Line) => sum + credit - debit, 0);
    expect(gained, currency).toBe(net);
  }
});

test('the command, its JSON, its table and the portal’s say the same, and the table has a last line', async () => {
  const { lines, totals } = JSON.parse(await run('--json'));
  const answer = await sales('');
  expect([lines.length, totals]).toEqual([answer.lines.length, answer.totals]);
  const table = await run('--by', 'day,means', '--format', 'csv');
  expect(table).toContain('Line,2026-03-02,creditcard,NOK,2,136.50,26.50,0,0.00,0.00,136.50,-1.25');
  expect(table).toContain('Total,,,NOK,5,139.50,27.00,1,5.00,1.00,134.50,-1.20');
  expect(table.split(/\r?\n/).at(-1)).toMatch(/^End: 4 lines from 2026-02-28T23:00:00\.000Z/);
  const downloaded = (await anna.get(`/portal/api/payees/${kontor.payeeId}/sales.csv?${MARCH}&by=means,day`)).text;
  expect(downloaded.trim().split(/\r?\n/)).toEqual(table.split(/\r?\n/));
  expect(await run('--shop', 'Bakery')).toMatch(/2026-03-02 +1 +125\.00 NOK +25\.00 NOK/);
  await expect(run('--by', 'hour')).rejects.toThrow();
});

describe('a shop, a site and a terminal of the report narrow the lists of the portal and their tables', () => {
  const here = () => `/portal/api/payees/${kontor.payeeId}`;
  const lines = async (name: string, query: string) => {
    const [heading = [], ...rows] = (await anna.get(`${here()}/${name}.csv?${query}`)).text
      .trim()
      .split(/\r?\n/)
      .map((line: string) => csvCells(line, ',') ?? []);
    return rows.map((cells: readonly string[]) =>
      Object.fromEntries(heading.map((column: string, place: number) => [column, cells[place]])),
    );
  };
  const amounts = (rows: readonly { readonly amount?: unknown }[]) => rows.map(({ amount }) => Number(amount)).sort();

  test.each([
    ['shop=Bakery', [12_500], []],
    ['shop=Kiosk', [1_150], [300]],
    ['shop=Kiosk&legs=also', [100, 100, 100, 1_150], [300]],
    ['site=oslo-1&legs=also', [100, 100, 100], [300]],
    ['site=oslo-1', [], [300]],
    ['shop=Kiosk&site=oslo-2&legs=also', [], []],
    ['terminal=WEB00001', [12_500, 1_150, 77, 9], [300]],
    ['terminal=WEB00001&currency=SEK', [77], []],
    ['terminal=WEB00002', [], []],
    ['shop=Bakery&state=Succeeded', [12_500], undefined],
    ['shop=Bakery&state=Declined', [], undefined],
  ])('%s', async (query, payments, orders) => {
    const listed = (await anna.get(`${here()}/payments?${query}`)).body.payments;
    expect(amounts(listed)).toEqual([...payments].sort());
    expect((await anna.get(`${here()}/payment-count?${query}`)).body.count).toBe(payments.length);
    expect(amounts((await lines('payments', query)).map(({ amountMinor }) => ({ amount: amountMinor })))).toEqual(
      [...payments].sort(),
    );
    if (orders === undefined) return;
    const ordersQuery = query.replace('&legs=also', '');
    expect(amounts((await anna.get(`${here()}/orders?${ordersQuery}`)).body.orders)).toEqual(orders);
    expect(amounts((await lines('orders', ordersQuery)).map(({ amountMinor }) => ({ amount: amountMinor })))).toEqual(
      orders,
    );
  });

  test('each row says where it was made', async () => {
    const [order] = await lines('orders', '');
    expect(order).toMatchObject({
      number: '900',
      status: 'Paid',
      amount: '3.00',
      vat: '0.50',
      captured: '3.00',
      paidWith: '4925 + 4925 + 4925',
      shop: 'Kiosk',
      site: 'oslo-1',
      terminal: 'WEB00001',
    });
    const [payment] = await lines('payments', 'shop=Bakery');
    expect(payment).toMatchObject({ shop: 'Bakery', site: '', terminal: 'WEB00001' });
  });

  test('a line of a table has the day where the payee is beside its time in UTC', async () => {
    const [movement] = await lines('ledger/movements', 'figure=sales&currency=SEK');
    expect(movement).toMatchObject({ happenedAt: '2026-03-02T23:00:00.000Z', day: '2026-03-03' });
    const [order] = await lines('orders', '');
    expect(order?.['day']).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test('a search stands alone', async () => {
    for (const list of ['payments', 'orders']) {
      for (const name of ['shop', 'site', 'terminal']) {
        const { status, body } = await anna.get(`${here()}/${list}?search=order-1&${name}=x`);
        expect([status, body.problems[0].name]).toEqual([400, 'search']);
      }
    }
  });
});

test('however few hours are read at once, it is the same report; what takes too long is refused and nothing left out', async () => {
  const { read } = kontor.database;
  for (const by of [['day'], ['shop', 'means'], ['vatRate', 'brand', 'terminal']] as const) {
    const asked = { payeeId: kontor.payeeId, from: '2026-03-01', to: '2026-04-30', by };
    const whole = await askSales(read, asked, { first: 24 * 90, most: 24 * 90 });
    expect(whole.lines.length).toBeGreaterThan(1);
    expect(await askSales(read, asked, { first: 1, most: 7 })).toEqual(whole);
  }
  const march = { payeeId: kontor.payeeId, from: '2026-03-01', to: '2026-03-31', by: ['day'] as const };
  await expect(askSales(read, march, { first: 1, most: 1, withinMs: 0 })).rejects.toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ name: 'to' })] }),
  );
});

test('of a year of orders the part of each sale is found by an index', async () => {
  const { database, payeeId } = kontor;
  const statement = statementOf((reader) =>
    selectSales(reader.run, { payeeId, by: ['day'], from: '', to: '' }, { from: '', to: '', timeZone: '', most: 1 }),
  );
  await database.asAdmin(`
    set session_replication_role = replica;
    insert into order_transaction (payee_id, transaction_id, order_id, number, type, state, amount, vat_amount, initiated_by, created_at, updated_at)
    select '${payeeId}', md5(n::text)::uuid, gen_random_uuid(), 10000 + n, 'Capture', 'Completed', 1, 0, 'Payee', kontor_now(), kontor_now()
    from generate_series(1, 10000) n;
    insert into order_part (payee_id, transaction_id, leg_id, amount, own_id)
    select '${payeeId}', md5(n::text)::uuid, gen_random_uuid(), 1, gen_random_uuid() from generate_series(1, 10000) n;
    analyze order_transaction, order_part`);
  const values = [`'${payeeId}'`, "'2026-01-01'", "'2026-12-31'", "'UTC'", "'{day}'", 'null', 'null', 'null', '1'];
  const plan = await explainFreely(database, statement, values);
  expect(plan).toContain('order_part_by_own');
  expect(plan).not.toMatch(/Seq Scan on order_(part|transaction)/);
});
