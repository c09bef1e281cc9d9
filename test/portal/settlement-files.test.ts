import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { parsePayeeId } from '../../src/kit/ids.ts';
import type { SettlementService } from '../../src/settlements/settlements.types.ts';
import { commandServices } from '../../src/wiring/slices.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { testCardNumber } from '../support/numbers.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { agreementOf, charge, fileOf, lineFor, settling } from '../support/settlements.ts';
import { type Browser, PASSWORD, signedInAs } from '../support/shop/portal.ts';

const OTHERS_NUMBER = '000012345678902';
const LIMIT_BYTES = 16 * 1024 * 1024;
const LONG_FILE_BYTES = IS_LONG_RUN ? LIMIT_BYTES : LIMIT_BYTES / 4;

let kontor: TestService;
let anna: Browser;
let here: string;
let payeeId: PayeeId;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  payeeId = parsePayeeId(kontor.payeeId) as PayeeId;
  const other = parsePayeeId((await kontor.addPayee()).payeeId) as PayeeId;
  // A sandbox has no acquirers whose files it would read.
  const { context } = (await commandServices(kontor.service).settlements()) as SettlementService;
  Object.assign(context.hosts, settling([agreementOf(payeeId), agreementOf(other, OTHERS_NUMBER)]).hosts);
  here = `/portal/api/payees/${payeeId}/settlement-files`;
  anna = await signedInAs(kontor, 'finance');
  await anna.post('/portal/api/session/reauthenticate', { password: PASSWORD });
});
afterAll(() => kontor.stop());

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const headersOf = (browser: Browser, more: Readonly<Record<string, string>> = {}) => ({
  origin: new URL(kontor.baseUrl).origin,
  'sec-fetch-site': 'same-origin',
  'content-type': 'text/csv',
  'csrf-token': browser.csrfToken,
  cookie: browser.cookie ?? '',
  ...more,
});

interface Sent {
  readonly browser?: Browser;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly at?: '' | '/preview';
}

async function send(text: string, { browser = anna, headers = {}, query = {}, at = '' }: Sent = {}) {
  const digest: Record<string, string> = at === '' ? { digest: digestOf(text) } : {};
  const asked = new URLSearchParams({ acquirer: 'north', name: 'march.csv', ...digest, ...query });
  const url = new URL(`${here}${at}?${asked}`, kontor.baseUrl);
  const answer = await fetch(url, { method: 'POST', headers: headersOf(browser, headers), body: text });
  // biome-ignore lint/suspicious/noExplicitAny: an answer as it came
  return { status: answer.status, body: (await answer.json()) as any };
}
const batches = async () =>
  Number((await kontor.database.asAdmin('select count(*) from settlement_batch'))[0]?.['count']);

test('a person looks what a file would do, takes it, and stands in the list with its name and digest', async () => {
  const sold = await charge(kontor.database, payeeId, { amount: 5_000 });
  const good = fileOf('good', [lineFor(sold, { feeAmount: -50 })]);
  const [, ...wrong] = fileOf('wrong', [{ type: 'Sale', grossAmount: 'x' }], { netAmount: 1 }).split('\r\n');
  const [, ...others] = fileOf('others', [], { merchantId: OTHERS_NUMBER }).split('\r\n');
  const text = good + wrong.join('\r\n') + others.join('\r\n');
  const looked = await send(text, { at: '/preview' });
  expect(looked).toMatchObject({
    status: 200,
    body: {
      digest: digestOf(text),
      isKnown: false,
      reason: null,
      unread: [{ line: 4, batch: 'wrong', reason: { code: 'noAmount', column: 'grossAmount' } }],
      hasMoreUnread: false,
    },
  });
  const states = looked.body.batches.map(({ batch, state }: Record<string, unknown>) => [batch, state]);
  expect(states).toEqual([
    ['wrong', 'Refused'],
    ['others', 'Refused'],
    ['good', 'New'],
  ]);
  expect(looked.body.batches.map(({ reason }: { reason: { code: string } | null }) => reason?.code)).toEqual([
    'noAmount',
    'noAgreement',
    undefined,
  ]);
  expect(looked.body.batches[2]).toMatchObject({ lines: 2, gross: 5_000, fee: -50, payout: 4_950, currency: 'NOK' });
  // A wrong batch has a sound line, which is its payout: what that comes to is not what the file says.
  expect(looked.body.batches[0]).toMatchObject({ lines: 1, currency: null });
  expect(await batches()).toBe(0);

  const changed = await send(text, { query: { digest: digestOf('another') } });
  expect([changed.status, changed.body.problems[0].name, await batches()]).toEqual([400, 'digest', 0]);

  expect(await send(text)).toMatchObject({ status: 200, body: { batches: 1, matched: 1, known: 0 } });
  expect((await send(text, { at: '/preview' })).body.batches[2]).toMatchObject({ batch: 'good', state: 'Known' });
  expect(await send(text)).toMatchObject({ status: 200, body: { batches: 0, known: 1 } });
  const [audited] = await kontor.database.asAdmin(
    `select concat_ws(':', actor_kind, actor_id) as actor from audit where action = 'import-settlement-batch'`,
  );
  expect(audited?.['actor']).toMatch(/^portal-user:/);
  expect((await anna.get(here)).body).toMatchObject({
    acquirers: ['north'],
    imports: [
      { actorName: 'Ada Example', batch: 'good', amount: 4_950, file: 'march.csv', digest: digestOf(text), lines: 2 },
    ],
    hasMore: false,
  });
  // The whole file, once nothing of it is refused.
  const whole = fileOf('good-2', []);
  await send(whole);
  expect((await send(whole)).body.isKnown).toBe(true);
});

test('a look tells what the import then does, line by line, and leaves no trace', async () => {
  const sell = (amount: number) => charge(kontor.database, payeeId, { amount });
  const [same, less, settled, unknown] = [await sell(700), await sell(800), await sell(900), await sell(100)];
  await send(fileOf('earlier', [lineFor(settled)]));
  const text = fileOf('mixed', [
    lineFor(same),
    lineFor(less, { grossAmount: 750 }),
    lineFor(settled),
    lineFor(unknown, { attemptReference: '0'.repeat(32), acquirerReference: 'x', retrievalReference: 'y' }),
    { type: 'Fee', feeAmount: -30 },
  ]);
  const traces = async () =>
    kontor.database.asAdmin(`
      select (select count(*)::int from audit) as audited, (select count(*)::int from event) as events,
        (select count(*)::int from settlement_item) as items, (select count(*)::int from settlement_line) as lines,
        (select count(*)::int from settlement_difference) as differences, (select count(*)::int from entry) as entries`);
  const before = await traces();
  const looked = await send(text, { at: '/preview' });
  const outcomes = looked.body.outcomes.map(
    ({ outcome, lines, amount, ours, ourCurrency }: Record<string, unknown>) => [
      outcome,
      lines,
      amount,
      ours,
      ourCurrency,
    ],
  );
  expect(outcomes).toEqual([
    ['matched', 1, 700, null, null],
    ['others', 1, -30, null, null],
    ['amountDiffers', 1, 750, 800, 'NOK'],
    ['twice', 1, 900, 900, 'NOK'],
    ['unknownToUs', 1, 100, null, null],
  ]);
  expect(await traces()).toEqual(before);
  expect((await send(text)).body).toMatchObject({ matched: 1, differences: 3 });
  // What only storing the lines shows is seen by the look too.
  const twice = fileOf('twice', [
    { type: 'Fee', feeAmount: -1, lineId: 'same' },
    { type: 'Fee', feeAmount: -1, lineId: 'same' },
  ]);
  expect((await send(twice, { at: '/preview' })).body.reason).toMatchObject({ code: 'lineTwice' });
});

test('what cannot be read says where, and changes nothing', async () => {
  const before = await batches();
  const card = testCardNumber(7);
  const faults: [string, unknown, RegExp][] = [
    ['\r\n', { code: 'emptyFile' }, /empty/],
    ['not a table', { code: 'columnsMissing', value: expect.stringContaining('batchId') }, /lacks columns/],
    [
      fileOf('card', [{ type: 'Sale', acquirerReference: card }]),
      { code: 'cardNumber', line: 2, value: '5' },
      /Line 2, column 5, holds something like/,
    ],
    ['\ufeff\u0000'.repeat(3), { code: 'columnsMissing' }, /lacks columns/],
    [
      fileOf('n'.repeat(201), [{ type: 'none' }]),
      { code: 'unknownType', line: 2, column: 'type' },
      /Line 2: type is none of the known types/,
    ],
    [
      fileOf('a\u0007b', [{ type: 'none' }]),
      { code: 'unknownType', line: 2 },
      /Line 2: type is none of the known types/,
    ],
  ];
  for (const [text, reason, words] of faults) {
    const looked = await send(text, { at: '/preview' });
    expect(looked, text).toMatchObject({ status: 200, body: { reason, digest: null, lines: 0, batches: [] } });
    const taken = await send(text);
    expect([taken.status, taken.body.problems[0].description], text).toEqual([400, expect.stringMatching(words)]);
    expect(JSON.stringify([looked.body, taken.body])).not.toContain(card);
  }
  const sound = fileOf('sound', []);
  for (const query of [
    { name: `of ${card}.csv` },
    { name: 'a\u0007b' },
    { name: 'x'.repeat(256) },
    { acquirer: 'south' },
  ]) {
    expect((await send(sound, { query })).status, JSON.stringify(query)).toBe(400);
  }
  expect((await send(sound, { headers: { 'content-type': 'application/json' } })).status).toBe(415);
  expect(await batches()).toBe(before);
});

/** Sends the head of a request alone, and says what is answered before a byte of the body is there. */
function head(browser: Browser | undefined, headers: Readonly<Record<string, string>> = {}, bytes = LIMIT_BYTES) {
  const url = new URL(`${here}/preview?acquirer=north&name=a.csv`, kontor.baseUrl);
  const own = browser === undefined ? {} : headersOf(browser, headers);
  const sent = request(url, { method: 'POST', headers: { ...own, 'content-length': String(bytes) } });
  sent.flushHeaders();
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject);
  });
  return { sent, status };
}

test('strangers, other sites and other roles are refused before a byte of the file is received', async () => {
  const support = await signedInAs(kontor, 'support');
  const refused: [ReturnType<typeof head>, number][] = [
    [head(undefined), 401],
    [head(anna, { origin: 'https://elsewhere.example' }), 403],
    [head(anna, { 'csrf-token': 'wrong' }), 403],
    [head(support), 403],
    [head(anna, {}, LIMIT_BYTES + 1), 413],
  ];
  for (const [{ sent, status }, expected] of refused) {
    expect(await status).toBe(expected);
    sent.destroy();
  }
});

test('a payee has one file under way, and its place comes back with the connection', async () => {
  const slow = head(anna, { expect: '100-continue' });
  slow.status.catch(() => undefined);
  await new Promise((resolve) => slow.sent.once('continue', resolve));
  slow.sent.write('batchId');
  const look = async () => (await send(fileOf('later', []), { at: '/preview' })).status;
  expect(await look()).toBe(429);
  slow.sent.destroy();
  await expect.poll(look).toBe(200);
});

test('a sender who goes away while being looked up keeps no place', async () => {
  const { host, port, hostname } = new URL(kontor.baseUrl);
  const headers = Object.entries({ host, ...headersOf(anna, { 'content-length': '1000' }) });
  const lines = [`POST ${here}/preview?acquirer=north&name=a.csv HTTP/1.1`, ...headers.map((one) => one.join(': '))];
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.write([...lines, '', ''].join('\r\n'), resolve));
  socket.resetAndDestroy();
  await expect.poll(async () => (await send(fileOf('after', []), { at: '/preview' })).status).toBe(200);
});

test('a long file keeps no other request waiting for long', { timeout: 240_000 }, async () => {
  const [header = '', line = '', payout = ''] = fileOf('long', [{ type: 'Fee', feeAmount: -1, lineId: 'LINE' }]).split(
    '\r\n',
  );
  const padded = line.replace('LINE', 'line-0000000');
  const count = Math.floor((LONG_FILE_BYTES - header.length - payout.length - 100) / (padded.length + 2));
  const lines = Array.from({ length: count }, (_, at) => padded.replace('0000000', String(at).padStart(7, '0')));
  const text = [header, ...lines, payout.replace(',-1,', `,${-count},`), ''].join('\r\n');
  expect(text.length).toBeGreaterThan(0.99 * LONG_FILE_BYTES);
  const alone = await waitsUntil(setTimeout(1_000));
  const sending = (async () => [await send(text, { at: '/preview' }), await send(text)] as const)();
  const beside = await waitsUntil(sending);
  const [looked, taken] = await sending;
  expect(looked.body.batches).toMatchObject([{ state: 'New', lines: count + 1 }]);
  expect(taken.body).toMatchObject({ batches: 1, lines: count + 1 });
  // Whatever else runs on the machine, both have beside them.
  expect(beside).toBeLessThan(50 + 3 * alone);
});

/** How long another request waits until something has ended: the median, in milliseconds. */
async function waitsUntil(end: Promise<unknown>): Promise<number> {
  let isUnderWay = true;
  const over = end.finally(() => {
    isUnderWay = false;
  });
  const waits: number[] = [];
  while (isUnderWay) {
    const begun = performance.now();
    await fetch(new URL('/health/live', kontor.baseUrl));
    waits.push(performance.now() - begun);
    await setTimeout(20);
  }
  await over;
  return waits.toSorted((one, other) => one - other)[Math.floor(waits.length / 2)] ?? 0;
}
