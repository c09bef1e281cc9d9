import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTestAcquirer, startTestAcquirer } from '../../sandbox/acquirer/start-test-acquirer.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import { type Acquiring, acquiring, agreed, simulated } from '../support/issuer/acquiring.ts';
import { sendTo } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

// The acquirer takes a capture, its answer is lost, and it refuses the repeat: what it says of the repeat is nothing about the first
// message. Each amount of a capture is a case of the script.

const ANSWER_MS = 1_000;
const PAID = 50_000;
const DUPLICATE = 10_000;
const REFUSED = [
  { amount: 20_000, code: '902' },
  { amount: 21_000, code: '904' },
  { amount: 22_000, code: '914' },
  { amount: 23_000, code: '110' },
];
/** Taken, and answered with a code that is no refusal: whether it says that it was taken. */
const ODD = [
  { amount: 30_000, code: '001', isTaken: true },
  { amount: 31_000, code: '003', isTaken: true },
  { amount: 32_000, code: '002', isTaken: false },
  { amount: 33_000, code: '913', isTaken: false },
  { amount: 34_000, code: '999', isTaken: false },
];
/** Whose take-back does not come the first time. */
const SLOWLY_TAKEN_BACK = 20_000;

let kontor: Acquiring;
let host: RunningTestAcquirer;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await acquiring();
  const scriptFile = kontor.beside('script');
  const lines = [
    { type: '1220', amount: DUPLICATE, does: 'RefuseRepeat', code: '913' },
    ...REFUSED.map(({ amount, code }) => ({ type: '1220', amount, number: 1, does: 'RefuseRepeat', code })),
    ...ODD.map(({ amount, code }) => ({ type: '1220', amount, does: 'OtherCode', code })),
    { type: '1420', amount: SLOWLY_TAKEN_BACK, number: 1, does: 'Lost' },
  ];
  writeFileSync(scriptFile, lines.map((line) => JSON.stringify(line)).join('\n'));
  host = await startTestAcquirer({ dialect: ISO93, port: 0, answerMs: ANSWER_MS, scriptFile });
  kontor.configure({
    acquirers: [simulated(host.port, { answerMs: ANSWER_MS })],
    agreements: [agreed(kontor.payeeId)],
  });
  const { baseUrl } = await kontor.serve();
  const own = { accessToken: kontor.accessToken, hmac: { user: '', secret: '' } };
  shop = cardPaymentsShop({ send: (method, path, options) => sendTo(baseUrl, own, { method, path, ...options }) });
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  await host.close();
});

/** Held, captured and given back at the acquirer, of the payment that was made last. */
function books(): number[] {
  const payment = host.acquirer.books.bookings().findLast(({ kind }) => kind === 'Hold')?.payment;
  return payment === undefined ? [] : [payment.held, payment.captured, payment.refunded];
}

async function paid(): Promise<string> {
  const id = await shop.purchase(PAID, { currency: 'NOK' });
  const { body } = await shop.authorize(id);
  expect(body.authorization.transaction.state).toBe('Completed');
  return id;
}

const capture = (id: string, amount: number, payeeReference: string) =>
  shop.follow(id, 'captures', { amount, vatAmount: 0, description: 'Sent', payeeReference });

test('with 913, a duplicate: the capture was taken, once', async () => {
  const id = await paid();
  const { status, body } = await capture(id, DUPLICATE, 'duplicate');
  expect({ status, state: body.capture?.transaction.state }).toEqual({ status: 200, state: 'Completed' });
  expect(books()).toEqual([PAID - DUPLICATE, DUPLICATE, 0]);
});

test.each(REFUSED)(
  'with $code: it is not known, taken back, and can be asked for again',
  async ({ amount, code }) => {
    const id = await paid();
    const { body } = await capture(id, amount, `first-${code}`);
    const { state, problem } = body.capture.transaction;
    expect([state, problem?.type.split('/').at(-1)]).toEqual(['Failed', 'acquirergatewaytimeout']);
    if (amount === SLOWLY_TAKEN_BACK) {
      // What came now could overtake the take-back.
      const early = await capture(id, amount, `early-${code}`);
      expect([early.status, early.headers.get('retry-after')]).toEqual([409, '5']);
      expect(books()).toEqual([PAID - amount, amount, 0]);
    }
    const again = async () => (await capture(id, amount, `again-${code}`)).status === 200;
    await until(again, 30_000);
  },
  60_000,
);

test.each(ODD)(
  'a capture that is taken, and answered with $code: it is done, or not known and taken back',
  async (odd) => {
    const { amount, code, isTaken } = odd;
    const id = await paid();
    const { body } = await capture(id, amount, `odd-${code}`);
    const { state, problem } = body.capture.transaction;
    const told = [state, problem?.type.split('/').at(-1)];
    expect(told).toEqual(isTaken ? ['Completed', undefined] : ['Failed', 'acquirergatewaytimeout']);
    await until(() => books()[1] === (isTaken ? amount : 0), 30_000);
    expect(books()).toEqual(isTaken ? [PAID - amount, amount, 0] : [PAID, 0, 0]);
  },
);
