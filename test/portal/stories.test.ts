import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { names } from '../../locales/portal-names-en-US.ts';
import { orderSteps, paymentSteps, technicalMoments } from '../../portal/src/payments/story.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { orderStory } from '../../src/portal/orders/search-orders.ts';
import { freshCard } from '../support/numbers.ts';
import { attemptIn, pageAt, TYPED } from '../support/payer/pay-page.ts';
import { payableOrder } from '../support/payer/payable-order.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService({ KONTOR_REQUESTS_PER_MINUTE: '0' });
});
afterAll(() => kontor.stop());

type Parts = Parameters<typeof orderSteps>[0];
const AT = '2026-11-27T12:00:00.000Z';
const later = (seconds: number) => new Date(Date.parse(AT) + seconds * 1000).toISOString();

const line = (name: string, more: Partial<Parts['history'][number]> = {}): Parts['history'][number] => ({
  name,
  initiatedBy: 'Payer',
  instrument: null,
  number: null,
  amount: null,
  createdAt: AT,
  ...more,
});
const transaction = (
  number: number,
  more: Partial<Parts['transactions'][number]> = {},
): Parts['transactions'][number] => ({
  transactionId: `t${number}`,
  number,
  type: 'Capture',
  state: 'Completed',
  amount: 100,
  reference: `ref-${number}`,
  description: null,
  problem: null,
  createdAt: AT,
  updatedAt: AT,
  vatAmount: 0,
  initiatedBy: 'Payee',
  parts: [],
  orderItems: [],
  ...more,
});
const moment = (kind: Parts['timeline'][number]['kind'], more: Partial<Parts['timeline'][number]>) => ({
  at: AT,
  kind,
  title: 'x',
  id: `${kind} ${more.title}`,
  state: null,
  sessionId: null,
  actor: null,
  actorName: null,
  amount: null,
  currency: null,
  problem: null,
  entries: [],
  webhookId: null,
  status: null,
  ...more,
});
const nothing: Parts = { transactions: [], tries: [], history: [], timeline: [] };
const told = (parts: Partial<Parts>) => orderSteps({ ...nothing, ...parts }).map(({ raw }) => raw);

describe('the steps of an order', () => {
  test('tell a try by how it ended, and one that has not ended by its beginning', () => {
    const started = (number: number) => line('PaymentAttemptStarted', { number });
    const tries = [
      transaction(1, { state: 'Failed', problem: 'carddeclined' }),
      transaction(2),
      transaction(3, { state: 'Initialized' }),
    ];
    const history = [
      started(1),
      line('PaymentAttemptFailed', { number: 1 }),
      started(2),
      line('PaymentPaid', { number: 9 }),
      started(3),
    ];
    expect(told({ history, tries: tries as unknown as Parts['tries'] })).toEqual([
      'PaymentAttemptFailed',
      'PaymentPaid',
      'PaymentAttemptStarted',
    ]);
    const [failed] = orderSteps({ ...nothing, history, tries: tries as unknown as Parts['tries'] });
    expect(failed).toMatchObject({ problem: 'carddeclined', tone: 'bad' });
  });

  test('have each transaction once: with its line of the history, or alone', () => {
    const transactions = [
      transaction(1, { parts: [{ legId: 'l', amount: 100 }] }),
      transaction(2, { state: 'Initialized' }),
    ];
    const history = [line('PaymentCaptured', { number: 1, amount: 100, initiatedBy: 'Payee' })];
    const steps = orderSteps({ ...nothing, history, transactions });
    expect(steps.map(({ raw, state, reference, parts }) => [raw, state, reference, parts.length])).toEqual([
      ['PaymentCaptured', null, 'ref-1', 1],
      ['Capture', 'Initialized', 'ref-2', 0],
    ]);
  });

  test('name the person who did one, and have what a person did beside them', () => {
    const timeline = [
      moment('act', { title: 'capture-payment-order', actorName: 'Kari' }),
      moment('act', { title: 'rename-payment-order', actorName: 'Ola', at: later(60) }),
      moment('act', { title: 'change-issuer', actor: 'access-token:1' }),
    ];
    const history = [line('PaymentPaid'), line('PaymentCaptured', { initiatedBy: 'Payee', createdAt: later(2) })];
    const steps = orderSteps({ ...nothing, history, timeline });
    expect(steps.map(({ raw, person }) => [raw, person])).toEqual([
      ['rename-payment-order', 'Ola'],
      ['PaymentCaptured', 'Kari'],
      ['PaymentPaid', null],
    ]);
    expect(technicalMoments(timeline).map(({ title }) => title)).toEqual(['change-issuer']);
  });

  test('leave to the technical details what programs have sent and been told', () => {
    const timeline = [
      moment('call', { title: 'createPaymentOrder', status: 200 }),
      moment('transaction', { title: 'Capture' }),
      moment('delivery', { title: 'payment-order.paid' }),
      moment('movement', { title: 'Capture' }),
    ];
    expect(told({ timeline })).toEqual([]);
    expect(technicalMoments(timeline).map(({ kind }) => kind)).toEqual(['call', 'delivery', 'movement']);
  });
});

test('a payment is told by its transactions and its people', () => {
  const timeline = [
    moment('act', { title: 'cancel-payment', actorName: 'Kari' }),
    moment('act', { title: 'add-note', actorName: 'Ola' }),
  ];
  const transactions = [
    transaction(1, { type: 'Authorization' }),
    transaction(2, { type: 'Cancellation' }),
  ] as unknown as Parts['tries'];
  const payment = { state: 'Cancelled', problem: null, amount: 100, createdAt: later(0) } as const;
  const steps = paymentSteps(payment, transactions, timeline);
  expect(steps.map(({ raw, person }) => [raw, person])).toEqual([
    ['Authorization', null],
    ['Cancellation', 'Kari'],
    ['add-note', 'Ola'],
  ]);
});

test('a payment that was declined at once is told by its decline', () => {
  const payment = { state: 'Failed', problem: 'carddeclined', amount: 100, createdAt: later(0) } as const;
  const [step, ...others] = paymentSteps(payment, [], [moment('delivery', { title: 'payment.failed' })]);
  expect(step).toMatchObject({ raw: 'Failed', problem: 'carddeclined', amount: 100, tone: 'bad' });
  expect(others).toEqual([]);
  expect(names.state).toHaveProperty(['Failed']);
});

test('an order that a gift card and a card have paid, after one that was declined, is told once and in words', async () => {
  const order = await payableOrder(kontor, { origin: 'https://shop.example' });
  const page = pageAt(kontor, order.page);
  const { accountKey, cvc } = await cardSeller(kontor).issue(12_000);
  await page.post('/gift-card', { giftNumber: accountKey, giftCode: cvc });
  for (const number of ['4925000000000087', freshCard('credit')]) {
    const opened = await page.open();
    const seen = /name="seen" value="([^"]+)"/.exec(opened.text)?.[1] ?? '';
    await page.post('', { attempt: attemptIn(opened), ...TYPED, number, seen });
  }
  const capture = { vatAmount: 0, description: 'Sent', payeeReference: `sent-${order.order.number}`, amount: 20_000 };
  const path = `/psp/paymentorders/${order.order.orderId}/captures`;
  expect((await kontor.send('POST', path, { body: { transaction: capture } })).status).toBe(200);

  const story = await orderStory(kontor.database.read, kontor.payeeId as PayeeId, order.order.orderId);
  const steps = orderSteps(story as unknown as Parts).toReversed();
  const raws = steps.map(({ raw }) => raw);
  for (const raw of ['PaymentCreated', 'PaymentGiftCardAdded', 'PaymentPaid', 'PaymentPartiallyCaptured']) {
    expect(
      raws.filter((one) => one === raw),
      raw,
    ).toHaveLength(1);
  }
  expect(raws).not.toContain('PaymentAttemptStarted');
  for (const { group, raw } of steps) expect(names[group], raw).toHaveProperty([raw]);
  const numbers = steps.flatMap(({ number }) => number ?? []);
  expect(numbers.toSorted()).toEqual(story.transactions.map(({ number }) => number).toSorted());
  const captured = steps.at(-1);
  expect(captured).toMatchObject({
    raw: 'PaymentPartiallyCaptured',
    amount: 20_000,
    by: 'Payee',
    reference: capture.payeeReference,
  });
  expect(captured?.parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(20_000);
});
