import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTestAcquirer, startTestAcquirer } from '../../sandbox/acquirer/start-test-acquirer.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import { journalLines } from '../support/crash/acquirer-books.ts';
import { type Acquiring, acquiring, agreed, simulated } from '../support/issuer/acquiring.ts';
import { sendTo } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop, MASTERCARD, VISA } from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

// What a host of the strict kind wants of a take-back: what it has approved, why, and never a repeat of what did not come. One host speaks
// a dialect whose take-backs have more fields, and wants the card with them.

/** Of the service, and of a host that answers a few milliseconds later than that. */
const ANSWER_MS = 1_000;
const HOST_MS = 850;
const PARTIAL = 900320;
const TOO_LATE = 900306;
const NO_ANSWER = 900304;
/** The first take-back, or the first cancel, of these is lost on its way. */
const LOST = 13_000;
const LOST_CANCEL = 14_000;

const LARGE = {
  ...ISO93,
  name: 'large',
  messages: {
    ...ISO93.messages,
    TakeBack: {
      ...ISO93.messages.TakeBack,
      fields: [
        ...ISO93.messages.TakeBack.fields,
        ...(['cardNumber', 'expiry', 'pointOfService', 'merchantCategory'] as const),
        ...(['originalAmounts', 'approvalCode'] as const),
      ],
    },
  },
};

let kontor: Acquiring;
let shop: CardPaymentsShop;
let hosts: RunningTestAcquirer[];
let scriptFile: string;
beforeAll(async () => {
  kontor = await acquiring();
  scriptFile = kontor.beside('script');
  const lines = [
    { type: '1100', amount: LOST, does: 'NoAnswer' },
    { type: '1420', amount: LOST, number: 1, does: 'Lost' },
    { type: '1420', amount: LOST_CANCEL, number: 1, does: 'Lost' },
    { type: '1220', amount: 1_000, does: 'NoAnswer' },
  ];
  writeFileSync(scriptFile, lines.map((line) => JSON.stringify(line)).join('\n'));
  writeFileSync(kontor.beside('large.json'), JSON.stringify(LARGE));
  hosts = [await host(0), await host(0, 'large')];
  const [one, other] = hosts.map(({ port }) => port) as [number, number];
  kontor.configure({
    acquirers: [
      simulated(one, { answerMs: ANSWER_MS }),
      simulated(other, {
        id: 'large',
        answerMs: ANSWER_MS,
        dialect: kontor.beside('large.json'),
        needCard: ['TakeBack'],
      }),
    ],
    agreements: [
      agreed(kontor.payeeId),
      agreed(kontor.payeeId, { id: 'at-large', acquirer: 'large', brands: ['Mastercard'] }),
    ],
  });
  const { baseUrl } = await kontor.serve();
  const own = { accessToken: kontor.accessToken, hmac: { user: '', secret: '' } };
  shop = cardPaymentsShop({ send: (method, path, options) => sendTo(baseUrl, own, { method, path, ...options }) });
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  await Promise.all(hosts.map((one) => one.close()));
});

const journalOf = (name: string) => join(kontor.installation.folder, `${name}.ndjson`);
function host(port: number, name = 'iso93'): Promise<RunningTestAcquirer> {
  const dialect = name === 'large' ? LARGE : ISO93;
  return startTestAcquirer({ dialect, port, answerMs: HOST_MS, scriptFile, journalFile: journalOf(name) });
}

async function authorized(amount: number, cardNumber = VISA): Promise<{ readonly id: string; readonly said: string }> {
  const id = await shop.purchase(amount, { currency: 'NOK' });
  const { body } = await shop.authorize(id, { cardNumber });
  const { state, problem } = body.authorization.transaction;
  return { id, said: [state, problem?.type.split('/').at(-1)].filter(Boolean).join(' ') };
}

/** Held, captured and given back at an acquirer, of the payment that was made last. */
function books(at = 0): number[] {
  const payment = hosts[at]?.acquirer.books.bookings().findLast(({ kind }) => kind === 'Hold')?.payment;
  return payment === undefined ? [] : [payment.held, payment.captured, payment.refunded];
}

/** The 1420 and 1421 of the payment that was asked for last, as they came. */
function takeBacks(name = 'iso93') {
  const received = journalLines(journalOf(name)).filter(({ event }) => event === 'received');
  const from = received.findLastIndex(({ type }) => type === '1100');
  return received.slice(from).filter(({ type }) => type?.startsWith('142'));
}
const typesOf = (name?: string) => takeBacks(name).map(({ type }) => type);

test('of a partial approval names the part, and why', async () => {
  expect((await authorized(PARTIAL)).said).toBe('Failed acquirerinsufficientfunds');
  await until(() => books()[0] === 0, 20_000);
  expect(takeBacks().map(({ type, fields }) => [type, fields['amount'], fields['reasonCode']])).toEqual([
    ['1420', '000000450160', '4007'],
  ]);
});

test('of an answer that came too late says so', async () => {
  const reasons: unknown[] = [];
  // It may be sent before the answer is there, and says then that there was none.
  for (let turn = 0; turn < 8 && !reasons.includes('4006'); turn++) {
    expect((await authorized(TOO_LATE)).said).toBe('Failed acquirergatewaytimeout');
    await until(() => books()[0] === 0, 20_000);
    reasons.push(...takeBacks().map(({ fields }) => fields['reasonCode']));
  }
  expect(reasons.at(-1)).toBe('4006');
  expect(reasons.slice(0, -1).filter((reason) => reason !== '4021')).toEqual([]);
}, 60_000);

describe('what was lost on its way is told for the first time again', () => {
  // Before the host was away: from then on it takes repeats of what it may have forgotten. Such a host knows nothing of what is to be repeated. Twice so, and the take-back would end with the hold standing.
  const TYPES = ['1420', '1421', '1420'];

  test('a take-back', async () => {
    expect((await authorized(LOST)).said).toBe('Failed acquirergatewaytimeout');
    expect(books()[0]).toBe(LOST);
    await until(() => books()[0] === 0, 30_000);
    expect(typesOf()).toEqual(TYPES);
  }, 60_000);

  test('a cancel', async () => {
    const { id } = await authorized(LOST_CANCEL);
    const { body } = await shop.follow(id, 'cancellations', { description: 'Not wanted' });
    expect(body.cancellation.transaction.state).toBe('Completed');
    await until(() => books()[0] === 0, 30_000);
    expect(typesOf()).toEqual(TYPES);
  }, 60_000);
});

describe('what was not handed over is no repeat', () => {
  const away = async (meanwhile: () => Promise<unknown>) => {
    const [one] = hosts;
    await one?.close();
    await meanwhile();
    hosts[0] = await host(one?.port ?? 0);
  };
  const triedInVain = () =>
    until(async () => {
      const [last] = await kontor.database.asAdmin('select tries from issuer_attempt order by created_at desc limit 1');
      return Number(last?.['tries']) > 0;
    }, 20_000);

  test('a take-back, while the host was away', async () => {
    const asked = authorized(NO_ANSWER);
    await until(() => books()[0] === NO_ANSWER);
    await away(async () => {
      expect((await asked).said).toBe('Failed acquirergatewaytimeout');
      await triedInVain();
    });
    await until(() => books()[0] === 0, 30_000);
    expect(typesOf()).toEqual(['1420']);
  }, 60_000);

  test('a cancel, while the host was away', async () => {
    const { id } = await authorized(15_000);
    await away(async () => {
      const { body } = await shop.follow(id, 'cancellations', { description: 'Not wanted' });
      expect(body.cancellation.transaction.state).toBe('Completed');
      // It is told once a line is there, and no try is in vain before.
      const due = "select tries from issuer_attempt where state = 'FORWARDING' and due_at <= kontor_now()";
      await until(async () => (await kontor.database.asAdmin(due)).length === 1, 20_000);
      expect(await kontor.database.asAdmin(due)).toEqual([{ tries: 0 }]);
    });
    await until(() => books()[0] === 0, 30_000);
    expect(typesOf()).toEqual(['1420']);
  }, 60_000);
});

test('a dialect may want card, point of service, category, amounts and approval code with it', async () => {
  const { id } = await authorized(10_000, MASTERCARD);
  const { body } = await shop.follow(id, 'captures', {
    amount: 1_000,
    vatAmount: 0,
    description: 'Sent',
    payeeReference: 'large',
  });
  expect(body.capture.transaction.state).toBe('Failed');
  await until(() => typesOf('large').length > 0 && books(1)[1] === 0, 20_000);
  const received = journalLines(journalOf('large')).find(({ type }) => type === '1100');
  const approved = journalLines(journalOf('large')).find(({ type }) => type === '1110');
  expect(takeBacks('large')).toMatchObject([
    {
      type: '1420',
      fields: {
        cardNumber: '522660******5967',
        pointOfService: received?.fields['pointOfService'],
        merchantCategory: '5732',
        originalAmounts: '000000001000000000000000',
        approvalCode: approved?.fields['approvalCode'],
        amount: '000000001000',
      },
    },
  ]);
  expect(readFileSync(journalOf('large'), 'utf8')).not.toContain('"904"');
}, 60_000);
