import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IssuerAnswer, IssuerHost } from '../../src/issuers/questions.types.ts';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { Secret } from '../../src/kit/secret.ts';
import { prepareSentCard } from '../../src/payments/cards/prepare-card.ts';
import { findLongSealed, sweepCards } from '../../src/payments/cards/release-cards.ts';
import { tryCard } from '../../src/payments/cards/try-card.flow.ts';
import { findCardPayment } from '../../src/payments/find-payment.ts';
import type { CardPaymentsContext } from '../../src/payments/payments-context.types.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { twoInstances } from '../support/crash/two-instances.ts';
import { APPROVED } from '../support/issuer/accounts-issuer.ts';
import { type TestService, testService } from '../support/service.ts';
import {
  AMEX,
  type CardPaymentsShop,
  cardPaymentsShop,
  MASTERCARD,
  VISA,
  VISA_WITH_3D_SECURE,
} from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());

it('a process that dies between the question and the answer: taken back, and a late approval changes nothing', async () => {
  const { cardPayments, database } = kontor.service;
  const id = await shop.purchase(1000);
  const view = await findCardPayment(cardPayments, { payeeId: kontor.payeeId, paymentId: id.split('/').at(-1) ?? '' });
  const asked: string[] = [];
  let answer: (answer: IssuerAnswer) => void = () => undefined;
  const host: IssuerHost = {
    ask: ({ attemptId }) =>
      new Promise((resolve) => {
        asked.push(attemptId);
        answer = resolve;
      }),
    reverse: async () => ({ outcome: 'TakenBack' }),
  };
  const { issuers } = cardPayments;
  const context: CardPaymentsContext = {
    ...cardPayments,
    issuers: { ...issuers, named: (issuerId) => ({ ...issuers.named(issuerId), host }) },
    withDeadline: (_, work) => work(new AbortController().signal),
  };
  const sent = { number: new Secret(VISA), month: '12', year: '39', code: undefined, holderName: undefined };
  const card = await database.transact((work) => prepareSentCard(work, context, { payment: view.payment, sent }));
  const request = { payeeId: kontor.payeeId, actor: COMMAND_LINE, idempotencyKey: undefined };
  const summary = { ...card.summary, hasCvc: true };
  const origin = { channel: 'Api', device: {} } as const;
  const trying = tryCard(
    { context, transact: database.transact },
    { ...request, view, type: 'Authorization', card: { ...card, summary }, origin },
  );
  await until(() => asked.length === 1);
  expect((await shop.get(id)).body.payment.state).toBe('Pending');
  expect(await shop.abort(id)).toMatchObject({ status: 403 });
  await kontor.database.asAdmin(`update issuer_attempt set due_at = kontor_now() where attempt_id = '${asked[0]}'`);
  const states = () => kontor.database.asAdmin(`select state from issuer_attempt where attempt_id = '${asked[0]}'`);
  await until(async () => (await states())[0]?.['state'] === 'REVERSED');
  answer(APPROVED);
  expect((await trying).transaction).toMatchObject({ state: 'Failed', problem: 'acquirergatewaytimeout' });
  expect((await shop.get(id)).body.payment).toMatchObject({ state: 'Ready', amount: 0 });
  expect((await shop.authorize(id)).body.authorization.transaction.state).toBe('Completed');
}, 30_000);

it('an instance that is killed while issuers are asked: the other one takes it back, and all goes on', async () => {
  const both = await twoInstances();
  try {
    const [alive, killed] = [cardPaymentsShop(both.kontor), cardPaymentsShop(both.other)];
    // Whose answer would come late, and whose would not come.
    const [authorizing, following] = [await alive.purchase(900305), await alive.purchase(2_000_000)];
    await alive.authorize(following);
    const headers = { 'idempotency-key': 'killed' };
    const lost = [
      killed.authorize(authorizing, {}, { headers }),
      killed.follow(following, 'captures', { amount: 900304, payeeReference: 'killed' }),
    ].map((answer) => answer.catch(() => 'no answer'));
    const open = (state: string) =>
      both.kontor.database.asAdmin(`select attempt_id from issuer_attempt where state = '${state}'`);
    await until(async () => (await open('CALLING')).length === 2);
    both.kill();
    expect(await Promise.all(lost)).toEqual(['no answer', 'no answer']);
    expect((await alive.get(authorizing)).body.payment.state).toBe('Pending');
    expect((await alive.get(following)).body.payment).toMatchObject({
      state: 'Pending',
      remainingCaptureAmount: 1_099_696,
    });
    await both.kontor.database.asAdmin(`update issuer_attempt set due_at = kontor_now() where state = 'CALLING'`);
    await until(async () => (await open('REVERSED')).length === 2);
    const timedOut = { state: 'Failed', problem: { status: 504 } };
    const again = await alive.authorize(authorizing, {}, { headers });
    expect(again.body.authorization.transaction).toMatchObject(timedOut);
    const captured = await alive.follow(following, 'captures', { amount: 900304, payeeReference: 'killed' });
    expect(captured.body.capture.transaction).toMatchObject(timedOut);
    expect((await alive.get(following)).body.payment.remainingCaptureAmount).toBe(2_000_000);
    expect((await alive.authorize(authorizing)).body.authorization.transaction.state).toBe('Completed');
    expect((await alive.follow(following, 'captures', { amount: 2_000_000 })).body.capture.transaction.state).toBe(
      'Completed',
    );
    expect(await refuteBooks(both.kontor)).toEqual([]);
  } finally {
    await both.stop();
  }
}, 60_000);

describe('a card that was sealed by a process that died', () => {
  const sealed = async (cardNumber: string) => {
    const masked = `${cardNumber.slice(0, 6)}%${cardNumber.slice(-4)}`;
    const rows = await kontor.database.asAdmin(
      `select s.instrument_id is not null as noted from instrument i left join sealed_card s using (payee_id, instrument_id)
       where masked like '${masked}'`,
    );
    return rows.map(({ noted }) => noted);
  };
  const sweep = async () => {
    const { read, transact } = kontor.service.database;
    for (let found = await findLongSealed(read, 0); found.length > 0; found = await findLongSealed(read, 0)) {
      const cards = found;
      await transact((transaction) => sweepCards(transaction, cards, 0));
      // Those that a payment still needs are put off: they come again.
      if ((await sealed(VISA_WITH_3D_SECURE)).length > 0) break;
    }
  };
  const seal = async (cardNumber: string) => {
    const { database, cardPayments } = kontor.service;
    const id = await shop.purchase(100, { payerReference: 'swept', generatePaymentToken: true });
    const named = { payeeId: kontor.payeeId, paymentId: id.split('/').at(-1) ?? '' };
    const { payment } = await findCardPayment(cardPayments, named);
    const sent = { number: new Secret(cardNumber), month: '12', year: '39', code: undefined, holderName: undefined };
    await database.transact((work) => prepareSentCard(work, cardPayments, { payment, sent }));
  };

  it('is destroyed, but not while the request may still be under way', async () => {
    await seal(MASTERCARD);
    expect(await findLongSealed(kontor.service.database.read)).toEqual([]);
    expect(await sealed(MASTERCARD)).toEqual([true]);
    await sweep();
    expect(await sealed(MASTERCARD)).toEqual([]);
  });

  it('is kept where a token has it, and not looked after any more', async () => {
    const id = await shop.purchase(100, { payerReference: 'kept', generatePaymentToken: true });
    await shop.authorize(id, { cardNumber: MASTERCARD });
    await sweep();
    expect(await sealed(MASTERCARD)).toEqual([false]);
  });

  it('is kept while its payer authenticates, and looked after again', async () => {
    const id = await shop.purchase(100);
    await shop.authorize(id, { cardNumber: VISA_WITH_3D_SECURE });
    await sweep();
    expect(await sealed(VISA_WITH_3D_SECURE)).toEqual([true]);
    const paymentId = id.split('/').at(-1);
    await kontor.database.asAdmin(`
      update card_transaction set state = 'Failed', problem = 'carddeclined' where payment_id = '${paymentId}'`);
    await sweep();
    expect(await sealed(VISA_WITH_3D_SECURE)).toEqual([]);
  });
});

it('nothing of the card is stored but what may be shown: no number, no code', async () => {
  const cardVerificationCode = '9731';
  const id = await shop.purchase(1000, { payerReference: 'secretive', generateRecurrenceToken: true });
  const paid = await shop.authorize(id, { cardNumber: AMEX, cardVerificationCode });
  expect(paid.body.authorization.transaction.state).toBe('Completed');
  expect(paid.text).not.toMatch(new RegExp(`${AMEX}|${cardVerificationCode}`));
  for (const table of [
    'card_payment',
    'card_transaction',
    'event',
    'audit',
    'instrument',
    'payer_token',
    'issuer_attempt',
  ]) {
    const [row] = await kontor.database.asAdmin(
      `select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`,
    );
    expect(row?.['text'], table).not.toContain(AMEX);
    expect(row?.['text'], table).not.toMatch(new RegExp(`[":, (]${cardVerificationCode}[":, )]`));
  }
});
