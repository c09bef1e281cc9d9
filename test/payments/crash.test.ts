import { afterAll, beforeAll, expect, it } from 'vitest';
import type { IssuerAnswer, IssuerHost } from '../../src/issuers/issuers.types.ts';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { Secret } from '../../src/kit/secret.ts';
import { findCardPayment } from '../../src/payments/find-payment.ts';
import type { CardPaymentsWorld } from '../../src/payments/payments.types.ts';
import { prepareSentCard } from '../../src/payments/prepare-card.ts';
import { tryCard } from '../../src/payments/try-card.ts';
import { AMEX, type CardPaymentsShop, cardPaymentsShop, VISA } from '../support/card-payments-shop.ts';
import { type TestService, testService } from '../support/service.ts';
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
    reverse: async () => undefined,
  };
  const { issuers } = cardPayments;
  const world: CardPaymentsWorld = {
    ...cardPayments,
    issuers: { ...issuers, named: (issuerId) => ({ ...issuers.named(issuerId), host }) },
    withDeadline: (_, work) => work(new AbortController().signal),
  };
  const sent = { number: new Secret(VISA), month: '12', year: '39', code: undefined, holderName: undefined };
  const card = await database.transact((work) => prepareSentCard(work, world, { payment: view.payment, sent }));
  const request = { payeeId: kontor.payeeId, actor: COMMAND_LINE, idempotencyKey: undefined };
  const summary = { ...card.summary, hasCvc: true };
  const trying = tryCard(world, { ...request, view, type: 'Authorization', card: { ...card, summary } });
  await until(() => asked.length === 1);
  expect((await shop.get(id)).body.payment.state).toBe('Pending');
  expect(await shop.abort(id)).toMatchObject({ status: 403 });
  await kontor.database.asAdmin(`update issuer_attempt set due_at = kontor_now() where attempt_id = '${asked[0]}'`);
  const states = () => kontor.database.asAdmin(`select state from issuer_attempt where attempt_id = '${asked[0]}'`);
  await until(async () => (await states())[0]?.['state'] === 'REVERSED');
  answer({ outcome: 'Approved' });
  expect((await trying).transaction).toMatchObject({ state: 'Failed', problem: 'acquirergatewaytimeout' });
  expect((await shop.get(id)).body.payment).toMatchObject({ state: 'Ready', amount: 0 });
  expect((await shop.authorize(id)).body.authorization.transaction.state).toBe('Completed');
}, 30_000);

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
