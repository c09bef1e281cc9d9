import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { exportPayments } from '../../src/portal/payments/export-payments.ts';
import type { AskedPayments } from '../../src/portal/payments/payments.rules.ts';
import type { ListedPayment } from '../../src/portal/payments/payments.types.ts';
import { countSearched, searchPayments } from '../../src/portal/payments/search-payments.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { addPortalPayments, FIRST_PAYMENT } from '../support/shop/portal-rows.ts';

/**
 * Of each family. With `PORTAL_ROWS=1000000` the same test says how long a page takes beside a million; by itself it asks
 * whether lists show what they should.
 */
const PAYMENTS = Number(process.env['PORTAL_ROWS'] ?? 4000);

let database: TestDatabase;
let payeeId: PayeeId;
/** Deposits too, which only a list of deposits has. */
let all: readonly ListedPayment[];

beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
  const other = await addPayee(database);
  await addPortalPayments(database, { payeeId: other, payments: 200 });
  await addPortalPayments(database, { payeeId, payments: PAYMENTS });
  // Theirs were made long ago.
  await database.asAdmin(`
    update card_payment set authorized_until = authorized_until + interval '10 years';
    update payment set hold_expires_at = hold_expires_at + interval '10 years'`);
  const lists = [await everyPage({}), await everyPage({ kind: 'Deposit' })];
  all = lists.flat().toSorted((one, other) => (one.paymentId < other.paymentId ? 1 : -1));
}, 600_000);
afterAll(() => database.drop());

/** The rows of all pages of a list. */
async function everyPage(asked: AskedPayments): Promise<readonly ListedPayment[]> {
  const rows: ListedPayment[] = [];
  let cursor: string | undefined;
  do {
    const page = await searchPayments(database.read, payeeId, { limit: '100', ...asked, cursor });
    rows.push(...page.rows);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && rows.length < 20_000);
  return rows;
}

const second = (number: number) => new Date(Date.parse(FIRST_PAYMENT) + number * 1000).toISOString();

type Matches = (payment: ListedPayment) => boolean;

/** Those of which something is held, those that end first in front. */
const endOf = ({ authorizedUntil, paymentId }: ListedPayment) => `${authorizedUntil} ${paymentId}`;

const UNPAID: readonly ListedPayment['state'][] = ['Open', 'Declined', 'Failed', 'Aborted'];
const hasSucceeded: Matches = ({ state, kind }) => !UNPAID.includes(state) && kind !== 'Credit';
const isOpen: Matches = ({ state }) => state === 'Open' || state === 'Declined';
const isDeclined: Matches = ({ state, problem, kind }) =>
  UNPAID.includes(state) && problem !== null && kind !== 'Credit';
const isSek: Matches = ({ currency }) => currency === 'SEK';

const LISTS: readonly (readonly [name: string, asked: AskedPayments, matches: Matches])[] = [
  ['all', {}, () => true],
  ['cards', { family: 'card' }, ({ family }) => family === 'card'],
  ['accounts', { family: 'account' }, ({ family }) => family === 'account'],
  ['open ones', { state: 'Open' }, isOpen],
  ['succeeded ones', { state: 'Succeeded' }, hasSucceeded],
  ['declined ones', { state: 'Declined' }, isDeclined],
  ['declined ones in a currency', { state: 'Declined', currency: 'SEK' }, (one) => isDeclined(one) && isSek(one)],
  ['declined purchases', { state: 'Declined', kind: 'Purchase' }, (one) => isDeclined(one) && one.kind === 'Purchase'],
  ['open ones in a currency', { state: 'Open', currency: 'SEK' }, (one) => isOpen(one) && isSek(one)],
  ['a currency', { currency: 'SEK' }, isSek],
  ['a reason', { problem: 'carddeclined' }, ({ family, problem }) => family === 'card' && problem === 'carddeclined'],
  [
    'another reason',
    { problem: 'creditcard/insufficientfunds' },
    ({ problem }) => problem === 'creditcard/insufficientfunds',
  ],
  ['a reason that none has', { problem: 'paymentblocked' }, () => false],
  ['authorized ones', { state: 'Authorized' }, ({ state }) => state === 'Authorized'],
  ['partly captured ones', { state: 'PartlyCaptured' }, ({ state }) => state === 'PartlyCaptured'],
  ['captured ones', { state: 'Captured' }, ({ state }) => state === 'Captured'],
  ['partly reversed ones', { state: 'PartlyReversed' }, ({ state }) => state === 'PartlyReversed'],
  ['cancelled ones', { state: 'Cancelled' }, ({ state }) => state === 'Cancelled'],
  ['completed ones', { state: 'Completed' }, ({ state }) => state === 'Completed'],
  ['failed ones', { state: 'Failed' }, ({ state }) => state === 'Failed'],
  ['aborted ones', { state: 'Aborted' }, ({ state }) => state === 'Aborted'],
  ['reversed ones', { state: 'Reversed' }, ({ state }) => state === 'Reversed'],
  ['authorizations', { kind: 'Authorize' }, ({ kind }) => kind === 'Authorize'],
  ['purchases', { kind: 'Purchase' }, ({ kind }) => kind === 'Purchase'],
  ['credits', { kind: 'Credit' }, ({ kind }) => kind === 'Credit'],
  ['deposits', { kind: 'Deposit' }, ({ kind }) => kind === 'Deposit'],
  [
    'deposits of an amount',
    { kind: 'Deposit', amountTo: '9000' },
    ({ kind, amount }) => kind === 'Deposit' && amount <= 9000,
  ],
  ['recurring ones', { kind: 'Recur' }, ({ kind }) => kind === 'Recur'],
  ['amounts', { amountFrom: '100', amountTo: '900' }, ({ amount }) => amount >= 100 && amount <= 900],
  [
    'amounts in a currency',
    { amountFrom: '100', amountTo: '900', currency: 'SEK' },
    ({ amount, currency }) => amount >= 100 && amount <= 900 && currency === 'SEK',
  ],
  [
    'captured ones of an amount',
    { state: 'Captured', amountFrom: '100', amountTo: '9000' },
    ({ state, amount }) => state === 'Captured' && amount >= 100 && amount <= 9000,
  ],
  [
    'succeeded ones of an amount in a currency',
    { state: 'Succeeded', amountTo: '9000', currency: 'SEK' },
    (one) => hasSucceeded(one) && one.amount <= 9000 && isSek(one),
  ],
  [
    'reversed ones of an amount',
    { state: 'Reversed', amountFrom: '100' },
    ({ state, amount }) => state === 'Reversed' && amount >= 100,
  ],
  [
    'aborted ones of an amount',
    { state: 'Aborted', amountTo: '9000' },
    ({ state, amount }) => state === 'Aborted' && amount <= 9000,
  ],
  [
    'purchases of an amount',
    { kind: 'Purchase', amountTo: '9000' },
    ({ kind, amount }) => kind === 'Purchase' && amount <= 9000,
  ],
  [
    'captured purchases',
    { kind: 'Purchase', state: 'Captured' },
    ({ kind, state }) => kind === 'Purchase' && state === 'Captured',
  ],
  [
    'failed authorizations',
    { kind: 'Authorize', state: 'Failed' },
    (one) => one.kind === 'Authorize' && one.state === 'Failed',
  ],
  [
    'failed purchases of an amount and a period',
    { kind: 'Purchase', state: 'Failed', amountTo: '30000', from: second(500), to: second(3500) },
    ({ kind, state, amount, createdAt }) =>
      kind === 'Purchase' &&
      state === 'Failed' &&
      amount <= 30_000 &&
      createdAt >= second(500) &&
      createdAt < second(3500),
  ],
  ['an amount that none has', { amountFrom: '70000' }, ({ amount }) => amount >= 70_000],
  [
    'a period',
    { from: second(1000), to: second(1100) },
    ({ createdAt }) => createdAt >= second(1000) && createdAt < second(1100),
  ],
  [
    'failed ones of a period',
    { from: second(500), to: second(1500), state: 'Failed' },
    ({ createdAt, state }) => createdAt >= second(500) && createdAt < second(1500) && state === 'Failed',
  ],
  [
    'amounts of a period',
    { from: second(500), to: second(1500), amountTo: '5000' },
    ({ createdAt, amount }) => createdAt >= second(500) && createdAt < second(1500) && amount <= 5000,
  ],
];

/** The state that the amounts of a payment tell. */
function stateTold({ state, kind, approved, captured, cancelled, reversed }: ListedPayment): ListedPayment['state'] {
  if (UNPAID.includes(state)) return state;
  if (approved === 0 || (['Deposit', 'Credit'].includes(kind) && reversed === 0)) return 'Completed';
  if (captured + cancelled < approved) return captured === 0 ? 'Authorized' : 'PartlyCaptured';
  if (captured === 0) return 'Cancelled';
  if (reversed === 0) return 'Captured';
  return reversed < captured ? 'PartlyReversed' : 'Reversed';
}

describe('a list of payments', () => {
  test('says of each what became of its amount, and has them in every state', () => {
    expect(all.filter((payment) => payment.state !== stateTold(payment))).toEqual([]);
    const states = (family: string) => new Set(all.filter((one) => one.family === family).map(({ state }) => state));
    const whatBecame = ['Authorized', 'PartlyCaptured', 'Captured', 'PartlyReversed', 'Reversed', 'Cancelled'];
    expect([...states('card')].sort()).toEqual(['Aborted', 'Declined', 'Failed', 'Open', ...whatBecame].sort());
    expect([...states('account')].sort()).toEqual(['Completed', 'Failed', ...whatBecame].sort());
  });

  test('has all of the payee, each once, newest first, but what an issuer has not answered', async () => {
    const rows = await database.asAdmin(`
      select payment_id as id from payment where payee_id = '${payeeId}' and state <> 'CALLING'
      union all select payment_id from card_payment where payee_id = '${payeeId}'
      order by id desc limit ${all.length + 1}`);
    expect(all.map(({ paymentId }) => paymentId).slice(0, 20_000)).toEqual(rows.map(({ id }) => id).slice(0, 20_000));
    expect(all.length).toBeGreaterThan(7000);
  });

  test.each<AskedPayments>([
    { state: 'ToCapture' },
    { state: 'ToCapture', family: 'card' },
    { state: 'ToCapture', family: 'account', kind: 'Authorize', amountTo: '30000' },
    { state: 'ToCapture', currency: 'SEK', from: second(500), to: second(1500) },
  ])('of what is to be captured has those that end first in front: %o', async (asked) => {
    const { family, currency, amountTo, from, to } = asked;
    const expected = all
      .filter(
        (one) =>
          (one.state === 'Authorized' || one.state === 'PartlyCaptured') &&
          one.authorizedUntil !== null &&
          (family === undefined || one.family === family) &&
          (currency === undefined || one.currency === currency) &&
          (amountTo === undefined || one.amount <= Number(amountTo)) &&
          (from === undefined || one.createdAt >= from) &&
          (to === undefined || one.createdAt < to),
      )
      .toSorted((one, other) => (endOf(one) < endOf(other) ? -1 : 1));
    expect(expected.length).toBeGreaterThan(10);
    if (PAYMENTS <= 10_000) expect(await everyPage(asked)).toEqual(expected);
    if (PAYMENTS > 10_000) return;
    expect(await countSearched(database.read, payeeId, asked)).toEqual(counted(expected.length));
    const lines: string[] = [];
    for await (const part of exportPayments(database.read, payeeId, asked)) lines.push(...part.trimEnd().split('\n'));
    expect(lines[0]).toMatch(/,authorizedUntil$/);
    expect(lines.slice(1).map((line) => line.split(',').at(-1))).toEqual(
      expected.map(({ authorizedUntil }) => authorizedUntil),
    );
  });

  test('of what is to be captured takes no cursor but its own', async () => {
    for (const cursor of ['x', '2026-01-01T00:00:00.000Z', `2026-01-01T00:00:00.000Z_${payeeId}_`, payeeId]) {
      await expect(searchPayments(database.read, payeeId, { state: 'ToCapture', cursor })).rejects.toThrow(
        /inputerror/,
      );
    }
    for (const zone of ['+20:00', '-23:59']) {
      const cursor = `2026-01-01T00:00:00${zone}_${payeeId}`;
      await expect(searchPayments(database.read, payeeId, { state: 'ToCapture', cursor })).resolves.toBeDefined();
    }
  });

  test.each(LISTS)('of %s has what matches, and is counted', async (name, asked, matches) => {
    const expected = all.filter(
      (payment) => (payment.kind !== 'Deposit' || asked.kind === 'Deposit') && matches(payment),
    );
    if (PAYMENTS <= 10_000) expect(await everyPage(asked)).toEqual(expected);
    const { count, isMore } = await countSearched(database.read, payeeId, asked);
    if (PAYMENTS <= 10_000) expect({ count, isMore }).toEqual(counted(expected.length));
    if (PAYMENTS <= 10_000) return;
    const times: number[] = [];
    for (let round = 0; round < 9; round++) times.push(await timed(asked));
    const median = times.sort((one, other) => one - other)[4] ?? 0;
    process.stdout.write(`${name}: ${median.toFixed(1)} ms\n`);
    expect(median, name).toBeLessThan(100);
  });
});

function counted(rows: number) {
  return { count: Math.min(rows, 1000), isMore: rows > 1000 };
}

async function timed(asked: AskedPayments): Promise<number> {
  const begin = performance.now();
  await searchPayments(database.read, payeeId, asked);
  return performance.now() - begin;
}

// Beside a million, not all of them are read to compare with.
describe.skipIf(PAYMENTS > 10_000)('a search for a text', () => {
  const found = async (search: string, family?: 'card' | 'account') =>
    (await searchPayments(database.read, payeeId, { search, family })).rows;
  const byNumber = (number: number) => all.find((payment) => payment.number === number) as ListedPayment;

  test('finds a payment by its id, and those whose id begins so', async () => {
    const { paymentId } = byNumber(10_000_000_100);
    expect(await found(paymentId)).toEqual([byNumber(10_000_000_100)]);
    expect(await found(paymentId.toUpperCase())).toEqual([byNumber(10_000_000_100)]);
    const beginning = paymentId.slice(0, 12);
    const expected = all.filter((payment) => payment.paymentId.startsWith(beginning)).slice(0, 100);
    expect(expected.length).toBeGreaterThan(1);
    expect(await found(beginning)).toEqual(expected);
  });

  test("finds by number, by the payee's reference, and by the order's", async () => {
    expect(await found('10000000100')).toEqual([byNumber(10_000_000_100)]);
    expect(await found('web-ref-100')).toEqual([byNumber(10_000_000_100)]);
    expect(await found('web-100')).toContainEqual(byNumber(10_000_000_100));
    const ofOrder = await found('order-60');
    expect(ofOrder.length).toBeGreaterThan(2);
    for (const { orderReference } of ofOrder) expect(orderReference).toMatch(/^order-60/);
    expect((await found('ref-120')).map(({ reference }) => reference)).toEqual(['ref-120']);
  });

  test('takes few characters as a whole, and wild cards as characters', async () => {
    expect(await found('web')).toEqual([]);
    expect(await found('web-%')).toEqual([]);
    expect(await found('order_60')).toEqual([]);
    expect(await found("'; drop table payment --")).toEqual([]);
  });

  test('keeps to the family that is asked for', async () => {
    expect(await found('web-ref-100', 'account')).toEqual([]);
    expect(await found('ref-120', 'card')).toEqual([]);
  });
});

describe('what cannot be read is refused', () => {
  test.each<readonly [string, AskedPayments]>([
    ['currency', { currency: 'XXQ' }],
    ['search', { search: 'order-60', state: 'Captured' }],
    ['search', { search: ' ' }],
    ['from', { from: 'yesterday' }],
    ['cursor', { cursor: 'next' }],
    ['limit', { limit: '101' }],
    ['amountTo', { amountFrom: '2', amountTo: '1' }],
  ])('%s: %j', async (name, asked) => {
    const refusal = await searchPayments(database.read, payeeId, asked).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'inputerror', problems: [{ name }] });
  });
});
