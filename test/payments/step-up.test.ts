import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuthenticationOutcome } from '../../src/issuers/authentication/three-ds.types.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import { prepareWaitingCard } from '../../src/payments/cards/prepare-card.ts';
import { finishAuthentication } from '../../src/payments/cards/try-card.flow.ts';
import { findCardPayment } from '../../src/payments/find-payment.ts';
import type { CardPayment } from '../../src/payments/payments.types.ts';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { pageAt, payPage } from '../support/payer/pay-page.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop, relsOf } from '../support/shop/card-payments-shop.ts';

let base: TestService;
let kontor: TestService;
let shop: CardPaymentsShop;
let issuer: ScriptedIssuer;
beforeAll(async () => {
  base = await serviceWithoutJobs();
  issuer = await scriptedIssuer(base);
  kontor = issuer.kontor;
  shop = cardPaymentsShop(kontor);
});
afterAll(async () => {
  await issuer.stop();
  await base.stop();
});

/** A card whose issuer cannot authenticate its payer without a challenge. */
const CANNOT = { number: testCard('06') };
const SOFT = { outcome: 'AuthenticationRequired', responseCode: '180' } as const;

const tries = async (id: string) => {
  const [row] = await kontor.database.asAdmin(
    `select failed_tries, unsettled from card_payment where payment_id = '${id.split('/').at(-1)}'`,
  );
  return row;
};
const sealed = () => kontor.database.asAdmin('select masked from instrument');
const authorizations = async (id: string) =>
  (await kontor.send('GET', `${id}/authorizations`)).body.authorizations.authorizationList;

it('on the page the same try goes on with 3-D Secure, and the card is asked for once more', async () => {
  issuer.answerNext(SOFT);
  const page = await payPage(kontor);
  const before = issuer.questions.length;
  expect((await page.pay(CANNOT)).headers.get('location')).toBe(`${page.path}/challenge`);
  expect(await tries(page.id)).toEqual({ failed_tries: 0, unsettled: 0 });
  expect(await sealed()).toHaveLength(1);
  expect((await authorizations(page.id))[0].transaction).toMatchObject({ state: 'AwaitingActivity' });
  await page.confirm('Approved');
  const [one, ...others] = await authorizations(page.id);
  expect(others).toEqual([]);
  expect(one).toMatchObject({ authenticationStatus: 'Y', transaction: { state: 'Completed' } });
  const [first, second, ...more] = issuer.questions.slice(before);
  expect(more).toEqual([]);
  expect(first?.exchange.stan).not.toBe(second?.exchange.stan);
  expect(await sealed()).toEqual([]);
});

it('directly it waits for the payer, who finds the challenge at its address', async () => {
  const id = await shop.purchase(1500);
  const { body } = await shop.authorize(id, { cardNumber: CANNOT.number });
  const { state, operations } = body.authorization.transaction;
  expect(state).toBe('AwaitingActivity');
  expect(operations.map(({ rel }: { rel: string }) => rel)).toEqual(['redirect-authentication']);
  const page = pageAt(kontor, operations[0].href.replace(/\/challenge$/, ''));
  issuer.answerNext(SOFT);
  expect((await page.post('/authenticate', {})).headers.get('location')).toBe(`${page.path}/challenge`);
  await page.confirm('Approved');
  expect(relsOf(await shop.get(id))).toContain('create-capture');
});

it('another request that has seen the try before its soft decline does not ask for the card again', async () => {
  const { cardPayments, database } = kontor.service;
  const context = { ...cardPayments, issuers: issuer.issuers };
  const id = await shop.purchase(1500);
  const { body } = await shop.authorize(id, { cardNumber: CANNOT.number });
  const page = pageAt(kontor, body.authorization.transaction.operations[0].href.replace(/\/challenge$/, ''));
  const paymentId = id.split('/').at(-1) as CardPayment['paymentId'];
  const { payeeId } = kontor;
  const seen = await findCardPayment(context, { payeeId, paymentId });
  const [waiting] = seen.transactions;
  if (waiting === undefined) throw new Error('a payer waits');
  const card = await database.transact((transaction) =>
    prepareWaitingCard(transaction, context, { payment: seen.payment, waiting, cvc: undefined }),
  );
  issuer.answerNext(SOFT);
  await page.post('/authenticate', {});
  const before = issuer.questions.length;
  const outcome: AuthenticationOutcome = {
    consequence: 'Authorize',
    shown: { authenticationStatus: 'U', eci: '07', liabilityShift: 'Merchant' },
    result: undefined,
  };
  const origin = { channel: 'Page', device: {} } as const;
  await finishAuthentication(context, { payeeId, actor: SERVICE, view: seen, waiting, outcome, card, origin });
  expect(issuer.questions).toHaveLength(before);
  await page.confirm('Approved');
  expect(relsOf(await shop.get(id))).toContain('create-capture');
});

it('where the payer gives up it is one failed try, with what the acquirer said', async () => {
  issuer.answerNext(SOFT);
  const page = await payPage(kontor);
  await page.pay(CANNOT);
  await page.confirm('Cancelled');
  expect(await tries(page.id)).toEqual({ failed_tries: 1, unsettled: 0 });
  const { problem } = (await authorizations(page.id))[0].transaction;
  expect(problem).toMatchObject({ acquirerCode: '180', retry: 'AfterAuthentication' });
  expect(problem.type).toMatch(/3dsecureusercancelled$/);
  expect(await sealed()).toEqual([]);
});

it('a payer who has authenticated is declined', async () => {
  issuer.answerNext(SOFT, SOFT);
  const page = await payPage(kontor);
  await page.pay(CANNOT);
  await page.confirm('Approved');
  const { state, problem } = (await authorizations(page.id))[0].transaction;
  expect(state).toBe('Failed');
  expect(problem.type).toMatch(/carddeclined$/);
  expect(await tries(page.id)).toEqual({ failed_tries: 1, unsettled: 0 });
});

it('where the payee wants none, or is alone, it has failed: the payer has to authenticate', async () => {
  issuer.answerNext(SOFT);
  const without = await shop.create({}, { cards: { no3DSecure: true } });
  const { body } = await shop.authorize(without.body.payment.id);
  expect(body.authorization.transaction.problem.type).toMatch(/authenticationrequired$/);
  const id = await shop.purchase(100, { payerReference: 'anna', generateRecurrenceToken: true });
  const { recurrenceToken } = (await shop.authorize(id)).body.authorization;
  issuer.answerNext(SOFT);
  const recur = { operation: 'Recur', amount: 250, vatAmount: 0, recurrenceToken, prices: undefined };
  const made = await shop.create(recur);
  const [one] = await authorizations(made.body.payment.id);
  expect(one.transaction).toMatchObject({ state: 'Failed', problem: { retry: 'AfterAuthentication' } });
  expect(one.transaction.problem.type).toMatch(/authenticationrequired$/);
});
