import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { withdrawBatch } from '../../src/settlements/files/withdraw-batch.ts';
import { trialBalance } from '../../src/settlements/reports/trial-balance.cli.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { runSettlements } from '../support/run-command.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import {
  agreementOf,
  type Charged,
  charge,
  fileOf,
  importText,
  lineFor,
  NORTH,
  numberOf,
  settling,
} from '../support/settlements.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';

let kontor: TestService;
let context: SettlementContext;
let anna: Browser;
let sold: Charged;
const MARCH = 'from=2026-03-01&to=2026-03-31';
const balance = async (query: string) => (await kontor.send('GET', `/psp/trial-balance?${query}`)).body.trialBalance;
const transact: TestService['database']['transact'] = (work) => kontor.database.transact(work);
const bring = (text: string, at: string) => importText(transact, context, text, { ...NORTH, now: new Date(at) });

/** The payee of tests has accounts of its own, of today. */
const isOfMarch = ({ closing }: { closing: number }) => closing !== 0;

/** A gift card that was issued and spent in the past. */
async function giftCard({
  issuedAt,
  amount,
  spentAt,
  spent,
}: Record<'issuedAt' | 'spentAt', string> & Record<'amount' | 'spent', number>) {
  const { payeeId } = kontor;
  const [account, payment, opened, taken] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await kontor.database.asAdmin(`
    insert into gift_card_product (payee_id, product_id, name, currency, number_prefix, number_length, validity_months,
      smallest_amount, largest_amount, largest_balance)
    values ('${payeeId}', 'spring', 'Spring', 'NOK', '70991234', 19, 24, 1, 100000, 100000) on conflict do nothing;
    insert into account (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id, number_masked,
      available, expires_on, expires_at, entry_count)
    values ('${payeeId}', '${account}', 'StoredValue', 'giftcard', 'gift-card', 'NOK', sha256('${account}'), 'fingerprint-1', '7099',
      ${amount - spent}, '2028-03-31', '2028-03-31T22:00:00Z', 2);
    insert into gift_card (payee_id, account_id, product_id, number_sealed, sealed_with, issued_at, event_sequence)
    values ('${payeeId}', '${account}', 'spring', '', 'key', '${issuedAt}', 1);
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled, reversed,
      payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    values ('${payeeId}', '${payment}', '${account}', 'Purchase', 'OK', ${spent}, 'NOK', ${spent}, 0, 0, 'order', '${payment}', '{}',
      '${spentAt}', '${spentAt}', 1);
    insert into movement (payee_id, movement_id, kind, currency, payment_id, happened_at)
    values ('${payeeId}', '${opened}', 'Deposit', 'NOK', null, '${issuedAt}'),
      ('${payeeId}', '${taken}', 'Purchase', 'NOK', '${payment}', '${spentAt}');
    insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
    values ('${payeeId}', '${opened}', 1, 'Available', 'NOK', ${amount}, '${account}', 1, ${amount}),
      ('${payeeId}', '${opened}', 2, 'Funding', 'NOK', ${-amount}, null, null, null),
      ('${payeeId}', '${taken}', 1, 'Available', 'NOK', ${-spent}, '${account}', 2, ${amount - spent}),
      ('${payeeId}', '${taken}', 2, 'Clearing', 'NOK', ${spent}, null, null, null);`);
}

beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  const { database, payeeId } = kontor;
  context = settling([agreementOf(payeeId)]);
  anna = await signedInAs(kontor, 'finance');
  // The last millisecond of February and the first of March, where the payee is (UTC+1), and the same of March and April (UTC+2).
  await charge(database, payeeId, { amount: 7_000, at: '2026-02-28T22:59:59.999Z' });
  sold = await charge(database, payeeId, { amount: 12_500, at: '2026-02-28T23:00:00Z' });
  const refunded = await charge(database, payeeId, {
    amount: 500,
    type: 'Refund',
    of: sold,
    at: '2026-03-31T21:59:59.999Z',
  });
  await charge(database, payeeId, { amount: 900, at: '2026-03-31T22:00:00Z' });
  await charge(database, payeeId, { amount: 333, agreement: 'other-nok', at: '2026-03-15T12:00:00Z' });
  await charge(database, payeeId, { amount: 40, currency: 'SEK', at: '2026-03-15T12:00:00Z' });
  await bring(fileOf('P1', [lineFor(sold, { feeAmount: -125 }), lineFor(refunded)]), '2026-04-02T08:00:00Z');
  await giftCard({ issuedAt: '2026-02-10T12:00:00Z', amount: 5_000, spentAt: '2026-03-10T12:00:00Z', spent: 1_200 });
});
afterAll(() => kontor.stop());

/** What `kontor ledger trial-balance …` prints. */
async function run(...words: string[]): Promise<string> {
  return runSettlements(kontor, [trialBalance], ['trial-balance', ...words]);
}

test('each side has its opening, what moved in the days of the payee, and its closing, by agreement or product', async () => {
  const { lines, totals, timeZone, from, to } = await balance(MARCH);
  expect([timeZone, from, to]).toEqual(['Europe/Oslo', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z']);
  expect(lines).toEqual([
    { side: 'Available', currency: 'NOK', product: 'spring', opening: 5_000, debit: 1_200, credit: 0, closing: 3_800 },
    {
      side: 'Clearing',
      currency: 'NOK',
      agreement: 'demo-nok',
      opening: 7_000,
      debit: 500,
      credit: 12_500,
      closing: 19_000,
    },
    { side: 'Clearing', currency: 'NOK', agreement: 'other-nok', opening: 0, debit: 0, credit: 333, closing: 333 },
    { side: 'Clearing', currency: 'NOK', product: 'spring', opening: 0, debit: 0, credit: 1_200, closing: 1_200 },
    { side: 'Funding', currency: 'NOK', product: 'spring', opening: -5_000, debit: 0, credit: 0, closing: -5_000 },
    {
      side: 'Issuer',
      currency: 'NOK',
      agreement: 'demo-nok',
      opening: -7_000,
      debit: 12_500,
      credit: 500,
      closing: -19_000,
    },
    { side: 'Issuer', currency: 'NOK', agreement: 'other-nok', opening: 0, debit: 333, credit: 0, closing: -333 },
    { side: 'Clearing', currency: 'SEK', agreement: 'demo-nok', opening: 0, debit: 0, credit: 40, closing: 40 },
    { side: 'Issuer', currency: 'SEK', agreement: 'demo-nok', opening: 0, debit: 40, credit: 0, closing: -40 },
  ]);
  expect(totals).toEqual([
    { currency: 'NOK', opening: 0, debit: 14_533, credit: 14_533, closing: 0 },
    { currency: 'SEK', opening: 0, debit: 40, credit: 40, closing: 0 },
  ]);
});

test('a period opens with what the one before closed with, and a month is the sum of its parts', async () => {
  const [first, second, whole] = [
    await balance('from=2026-03-01&to=2026-03-14'),
    await balance('from=2026-03-15&to=2026-03-31'),
    await balance(MARCH),
  ];
  const keyOf = ({ side, currency, agreement, product }: Record<string, string>) =>
    [side, currency, agreement, product].join();
  for (const line of whole.lines) {
    const [one, other] = [first, second].map(({ lines }) => lines.find((each: never) => keyOf(each) === keyOf(line)));
    expect(one?.closing ?? 0, keyOf(line)).toBe(other?.opening ?? 0);
    expect((one?.debit ?? 0) + (other?.debit ?? 0), keyOf(line)).toBe(line.debit);
    expect((one?.credit ?? 0) + (other?.credit ?? 0), keyOf(line)).toBe(line.credit);
  }
});

test('it ties to the balances of accounts, and to what acquirers have not paid', async () => {
  const { ties } = await balance(MARCH);
  expect(ties.filter(isOfMarch)).toEqual([
    {
      what: 'CardBalances',
      currency: 'NOK',
      product: 'spring',
      closing: 3_800,
      since: 0,
      counted: 3_800,
      difference: 0,
    },
    {
      what: 'OpenItems',
      currency: 'NOK',
      agreement: 'demo-nok',
      closing: -19_000,
      since: 11_100,
      counted: -7_900,
      difference: 0,
    },
    {
      what: 'OpenItems',
      currency: 'NOK',
      agreement: 'other-nok',
      closing: -333,
      since: 0,
      counted: -333,
      difference: 0,
    },
    { what: 'OpenItems', currency: 'SEK', agreement: 'demo-nok', closing: -40, since: 0, counted: -40, difference: 0 },
  ]);
});

test('a chargeback and a withdrawn batch leave a past month as it was, and tie out', async () => {
  const before = await balance(MARCH);
  const chargeback = lineFor(sold, { type: 'Chargeback', grossAmount: -900, caseId: 'C' });
  await bring(fileOf('P2', [chargeback]), '2026-04-03T08:00:00Z');
  expect((await balance('from=2026-04-01&to=2026-04-30')).lines).toContainEqual({
    side: 'Clearing',
    currency: 'NOK',
    agreement: 'demo-nok',
    opening: 19_000,
    debit: 12_900,
    credit: 1_800,
    closing: 7_900,
  });
  const { database, payeeId } = kontor;
  const command = { payeeId, reason: 'wrong', actor: COMMAND_LINE };
  for (const name of ['P2', 'P1']) {
    const number = await numberOf(database, payeeId, name);
    await transact((one) => withdrawBatch(one, context, { ...command, number, now: '2026-05-04T08:00:00.000Z' }));
    const { ties, ...after } = await balance(MARCH);
    expect({ ...after, ties: [] }).toEqual({ ...before, ties: [] });
    expect(ties.map(({ difference }: { difference: number }) => difference)).toEqual(ties.map(() => 0));
  }
});

test('the command, its JSON, its table and the portal’s say the same, and the table has a last line', async () => {
  const period = ['--from', '2026-03-01', '--to', '2026-03-31'];
  const { lines, totals, ties } = JSON.parse(await run(...period, '--json'));
  const answer = await balance(MARCH);
  expect([lines.length, totals, ties.length]).toEqual([answer.lines.length, answer.totals, answer.ties.length]);
  const table = await run(...period, '--format', 'csv');
  expect(table).toContain('Line,Issuer,NOK,demo-nok,,-70.00,125.00,5.00,-190.00,,,');
  expect(table).toContain('Total,,NOK,,,0.00,145.33,145.33,0.00,,,');
  expect(table).toContain('OpenItems,,NOK,other-nok,,,,,-3.33,0.00,-3.33,0.00');
  expect(table.split(/\r?\n/).at(-1)).toMatch(
    /^End: 9 lines from 2026-02-28T23:00:00\.000Z to 2026-03-31T22:00:00\.000Z/,
  );
  const downloaded = (await anna.get(`/portal/api/payees/${kontor.payeeId}/trial-balance.csv?${MARCH}`)).text;
  expect(downloaded.trim()).toBe(table);
  expect(await run(...period)).toMatch(/Issuer +demo-nok +-70\.00 NOK +125\.00 NOK +5\.00 NOK +-190\.00 NOK/);
  await expect(run('--from', '2026-03-02', '--to', '2026-03-01')).rejects.toThrow('--from must not be after');
});

test('days that are none, or have not begun, are refused; one that is not over ends with what is known', async () => {
  for (const query of [
    'from=2026-02-30&to=2026-03-01',
    'from=2026-03-02&to=2026-03-01',
    'from=2999-01-01&to=2999-01-01',
  ]) {
    expect((await kontor.send('GET', `/psp/trial-balance?${query}`)).status, query).toBe(400);
  }
  expect((await balance('from=2026-03-01&to=2999-12-31')).to < new Date().toISOString()).toBe(true);
});

test('what the books and other tables do not agree on is shown, and the command fails', async () => {
  await kontor.database.asAdmin(
    `update account set available = available + 1 where payee_id = '${kontor.payeeId}' and number_masked = '7099'`,
  );
  expect((await balance(MARCH)).ties.filter(isOfMarch)[0]).toMatchObject({ what: 'CardBalances', difference: -1 });
  await expect(run('--from', '2026-03-01', '--to', '2026-03-31')).rejects.toThrow('does not tie out');
  await kontor.database.asAdmin(
    `update account set available = available - 1 where payee_id = '${kontor.payeeId}' and number_masked = '7099'`,
  );
});
