import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTestAcquirer, startTestAcquirer } from '../../sandbox/acquirer/start-test-acquirer.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import { journalLines } from '../support/crash/acquirer-books.ts';
import { refuteLedger } from '../support/issuer/accounts-ledger.ts';
import { type Acquiring, acquiring, agreed, simulated } from '../support/issuer/acquiring.ts';
import type { Started } from '../support/kontor.ts';
import { sendTo } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

// The acquirer goes away and comes back at the same place, with its books. Two instances of the service and their kills are processes.

const PAID = 50_000;
/** Of a capture that the acquirer takes, and whose line ends before its answer. */
const UNANSWERED = 14_000;

let kontor: Acquiring;
let host: RunningTestAcquirer;
let instances: { readonly started: Started; readonly shop: CardPaymentsShop }[];
beforeAll(async () => {
  kontor = await acquiring();
  const script = { type: '1220', amount: UNANSWERED, number: 1, does: 'CloseWithoutAnswer' };
  writeFileSync(kontor.beside('script'), JSON.stringify(script));
  host = await start(0);
  kontor.configure({
    acquirers: [simulated(host.port, { sendMs: 200, forwardHours: 6 })],
    agreements: [agreed(kontor.payeeId)],
  });
  instances = [await serve(), await serve()];
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  if (!isAway) await host.close();
});

const journalFile = () => kontor.beside('north.ndjson');
const start = (port: number) =>
  startTestAcquirer({
    dialect: ISO93,
    port,
    answerMs: 2_000,
    journalFile: journalFile(),
    scriptFile: kontor.beside('script'),
  });

async function serve() {
  const { baseUrl, started } = await kontor.serve();
  const own = { accessToken: kontor.accessToken, hmac: { user: '', secret: '' } };
  return {
    started,
    shop: cardPaymentsShop({ send: (method, path, options) => sendTo(baseUrl, own, { method, path, ...options }) }),
  };
}

const shopOf = (instance: number): CardPaymentsShop => {
  const { shop } = instances[instance] ?? {};
  if (shop === undefined) throw new Error('there are two instances');
  return shop;
};

async function paid(instance = 0): Promise<string> {
  const id = await shopOf(instance).purchase(PAID, { currency: 'NOK' });
  const { body } = await shopOf(instance).authorize(id);
  expect(body.authorization.transaction.state).toBe('Completed');
  return id;
}

let made = 0;
const capture = (instance: number, id: string, amount: number) =>
  shopOf(instance).follow(id, 'captures', { amount, vatAmount: 0, description: 'Sent', payeeReference: `c-${amount}` });
const refund = (id: string, amount: number) =>
  shopOf(0).follow(id, 'reversals', { amount, vatAmount: 0, description: 'Back', payeeReference: `r-${++made}` });

let isAway = false;
async function away(): Promise<void> {
  await host.close();
  isAway = true;
}
async function back(): Promise<void> {
  host = await start(host.port);
  isAway = false;
}

/** What the acquirer was told of captures and cancels, in order. */
const told = () =>
  journalLines(journalFile())
    .filter(({ event, type }) => event === 'received' && (type === '1220' || type === '1221' || type === '1420'))
    .map(({ type, fields }) => [type, Number(fields['amount'])]);

const statesOf = async (id: string) =>
  (await shopOf(0).get(`${id}/captures`)).body.captures.captureList.map(
    ({ transaction }: { transaction: { state: string } }) => transaction.state,
  );

const events = async (type: string) =>
  (await kontor.database.asAdmin(`select count(*)::integer as n from event where type = '${type}'`))[0]?.['n'];

test('captures that no line took are told once the acquirer is back: in order, once each, by whichever instance lives', async () => {
  const [first, second] = [await paid(), await paid(1)];
  await away();
  const before = told().length;
  for (const [instance, id, amount] of [
    [0, first, 10_000],
    [1, second, 11_000],
    [1, first, 12_000],
    [0, second, 13_000],
  ] as const) {
    const { status, body } = await capture(instance, id, amount);
    expect({ status, state: body.capture?.transaction.state }).toEqual({ status: 200, state: 'Initialized' });
  }
  // What is left is cancelled after them.
  const cancelled = await shopOf(0).follow(first, 'cancellations', { description: 'rest', payeeReference: 'rest' });
  expect(cancelled.body.cancellation.transaction.state).toBe('Completed');

  const { payment } = (await shopOf(1).get(first)).body;
  expect(payment).toMatchObject({ state: 'Pending' });
  expect(payment.remainingCaptureAmount).toBeUndefined();
  // The same request is answered as before at once, and a refund waits for its capture.
  const again = await capture(1, first, 10_000);
  expect([again.status, again.body.capture.transaction.state]).toEqual([200, 'Initialized']);
  const early = await refund(first, 5_000);
  expect([early.status, early.headers.get('retry-after')]).toEqual([409, '60']);
  expect(await refuteLedger(kontor.database)).toEqual([]);
  expect((await kontor.installation.kontor(['ledger', 'verify'])).status).toBe(0);
  const { stdout } = await kontor.installation.kontor(['acquirers', 'exchanges', '--open', '--json']);
  expect(JSON.parse(stdout).map(({ operation, state, tries }: never) => [operation, state, tries])).toEqual([
    ...Array.from({ length: 4 }, () => ['Capture', 'FORWARDING', 0]),
    ['Cancel', 'FORWARDING', 0],
  ]);

  instances[0]?.started.process.kill('SIGKILL');
  await instances[0]?.started.ended;
  await back();
  await until(async () => (await events('card-payment.captured')) === 4, 30_000);
  await until(() => told().length - before === 5, 30_000);
  const after = told().slice(before);
  expect(after.filter(([type]) => type === '1221')).toEqual([]);
  const ofFirst = after.filter(([, amount]) => [10_000, 12_000, 28_000].includes(Number(amount)));
  expect(ofFirst).toEqual([
    ['1220', 10_000],
    ['1220', 12_000],
    ['1420', 28_000],
  ]);
  const ofSecond = after.filter(([, amount]) => [11_000, 13_000].includes(Number(amount)));
  expect(ofSecond).toEqual([
    ['1220', 11_000],
    ['1220', 13_000],
  ]);
  instances[0] = await serve();
  expect([await statesOf(first), await statesOf(second)]).toEqual([
    ['Completed', 'Completed'],
    ['Completed', 'Completed'],
  ]);
  const books = host.acquirer.books.bookings().filter(({ kind }) => kind === 'Capture');
  expect(books.map(({ amount }) => amount).sort()).toEqual([10_000, 11_000, 12_000, 13_000]);
  expect((await refund(first, 22_000)).body.reversal.transaction.state).toBe('Completed');
  expect(await refuteLedger(kontor.database)).toEqual([]);
}, 120_000);

test('one that the acquirer took and did not answer, before the processes were killed, is repeated and taken once', async () => {
  const id = await paid();
  await away();
  expect((await capture(0, id, UNANSWERED)).body.capture.transaction.state).toBe('Initialized');
  const before = told().length;
  await back();
  // A process that ends before it has noted that a message was sent sends it as the first one again.
  const sent = `select from acquirer_exchange where kind = 'Ask' and amount = ${UNANSWERED} and state = 'Forwarded'`;
  await until(async () => (await kontor.database.asAdmin(sent)).length === 1, 30_000);
  for (const { started } of instances) {
    started.process.kill('SIGKILL');
    await started.ended;
  }
  instances = [await serve(), await serve()];
  await until(async () => (await statesOf(id))[0] === 'Completed', 60_000);
  const after = told().slice(before);
  expect(after[0]).toEqual(['1220', UNANSWERED]);
  expect(after.slice(1).every(([type, amount]) => type === '1221' && amount === UNANSWERED)).toBe(true);
  const taken = host.acquirer.books
    .bookings()
    .filter(({ kind, amount }) => kind === 'Capture' && amount === UNANSWERED);
  expect(taken).toHaveLength(1);
  expect(await refuteLedger(kontor.database)).toEqual([]);
}, 120_000);

test('one whose time is over fails, and can be asked for again', async () => {
  const id = await paid();
  await away();
  expect((await capture(0, id, 15_000)).body.capture.transaction.state).toBe('Initialized');
  const before = told().length;
  const failures = Number(await events('card-payment.capture-failed'));
  await kontor.database.asAdmin(
    `update issuer_attempt set created_at = created_at - interval '6 hours' where forward_at is not null`,
  );
  await until(async () => (await statesOf(id))[0] === 'Failed', 30_000);
  expect(await events('card-payment.capture-failed')).toBe(failures + 1);
  const { payment } = (await shopOf(1).get(id)).body;
  expect(payment).toMatchObject({ state: 'Ready', remainingCaptureAmount: PAID });
  const { body } = await capture(0, id, 15_000);
  expect(body.capture.transaction).toMatchObject({
    state: 'Failed',
    problem: { type: expect.stringMatching(/acquirergatewayerror$/) },
  });
  await back();
  await until(async () => (await capture(1, id, 16_000)).body.capture?.transaction.state === 'Completed', 30_000);
  expect(told().slice(before)).toEqual([['1220', 16_000]]);
  expect(await refuteLedger(kontor.database)).toEqual([]);
}, 120_000);
