import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectItems } from '../../src/settlements/days/items.store.ts';
import { lockMark } from '../../src/settlements/days/marks.store.ts';
import { type ScriptedIssuer, SILENCE, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { payPage, stateIn } from '../support/payer/pay-page.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';

let base: TestService;
let kontor: TestService;
let shop: CardPaymentsShop;
let issuer: ScriptedIssuer;
beforeAll(async () => {
  base = await serviceWithoutJobs();
  issuer = await scriptedIssuer(base, { failoverCodes: ['907'] });
  kontor = issuer.kontor;
  shop = cardPaymentsShop(kontor);
});
afterAll(async () => {
  await issuer.stop();
  await base.stop();
});

const NOT_SENT = { outcome: 'NotSent', cause: 'NoConnection' } as const;
const DECLINED = { outcome: 'Declined', problem: 'acquirergatewayerror', retry: { advice: 'Later' } } as const;

/** The acquirers that are asked for a payment, in order, and what becomes of it. */
const authorize = async (id: string) => {
  const before = issuer.questions.length;
  const { body } = await shop.authorize(id);
  const asked = issuer.questions.slice(before);
  return { asked: asked.map(({ exchange }) => exchange.acquirerId), questions: asked, ...body.authorization };
};
const attempts = (id: string) =>
  kontor.database.asAdmin(
    `select a.issuer, a.state, e.state as exchange from issuer_attempt a
     join acquirer_exchange e on e.attempt_id = a.attempt_id and e.kind = 'Ask'
     where a.payment_id = '${id.split('/').at(-1)}' order by a.created_at, a.attempt_id`,
  );

it('a question that was not sent goes to another acquirer, as an attempt of its own', async () => {
  issuer.answerNext(NOT_SENT);
  const id = await shop.purchase(1500);
  const { asked, questions, transaction } = await authorize(id);
  expect(asked).toEqual(['sandbox', 'second']);
  expect(questions[0]?.attemptId).not.toBe(questions[1]?.attemptId);
  expect(questions[1]?.agreement.id).toBe('second');
  expect(transaction.state).toBe('Completed');
  expect(await attempts(id)).toEqual([
    { issuer: 'sandbox', state: 'SETTLED', exchange: 'NotSent' },
    { issuer: 'second', state: 'SETTLED', exchange: 'Answered' },
  ]);
  await shop.follow(id, 'captures', { amount: 1500, vatAmount: 0, description: 'all', payeeReference: 'over-1' });
  expect(issuer.questions.at(-1)).toMatchObject({ operation: 'Capture', agreement: { id: 'second' } });
});

it('so does one whose answer says that no issuer was asked', async () => {
  issuer.answerNext({ ...DECLINED, responseCode: '907' });
  const { asked, transaction } = await authorize(await shop.purchase(1500));
  expect(asked).toEqual(['sandbox', 'second']);
  expect(transaction.state).toBe('Completed');
});

it('what the first acquirer has refused is no sale of its', async () => {
  issuer.answerNext({ ...DECLINED, responseCode: '907' });
  const made = await shop.create({ intent: 'AutoCapture' });
  const { asked, transaction } = await authorize(made.body.payment.id);
  expect([...asked, transaction.state]).toEqual(['sandbox', 'second', 'Completed']);
  for (const acquirer of ['sandbox', 'second']) {
    const terms = { acquirer, timeZone: 'UTC', cutOver: '00:00', unknownOriginal: [], after: '-infinity', to: null };
    await kontor.service.database.transact(async (inTransaction) => {
      await lockMark(inTransaction, acquirer);
      await collectItems(inTransaction, terms);
    });
  }
  const items = await kontor.database.asAdmin(
    `select acquirer, type from settlement_item where payment_id = '${made.body.payment.id.split('/').at(-1)}'`,
  );
  expect(items).toEqual([{ acquirer: 'second', type: 'Sale' }]);
});

it.each([
  ['silence', SILENCE],
  ['an answer that cannot be used', { outcome: 'NotUsable', responseCode: '911' }],
  ['a decline', { ...DECLINED, responseCode: '100' }],
  ['a malfunction that may have charged', { ...DECLINED, responseCode: '907', takeBack: true }],
  ['a soft decline', { outcome: 'AuthenticationRequired', responseCode: '180' }],
] as const)('%s does not: the card may be charged', async (_, answer) => {
  issuer.answerNext(answer);
  expect((await authorize(await shop.purchase(1500))).asked).toEqual(['sandbox']);
});

it('two acquirers are asked at most; where neither was, it is no try of the payer', async () => {
  issuer.answerNext(NOT_SENT, NOT_SENT);
  const page = await payPage(kontor);
  const before = issuer.questions.length;
  expect(stateIn(await page.pay())).toBe('declined');
  expect(issuer.questions.length - before).toBe(2);
  const [row] = await kontor.database.asAdmin(
    `select failed_tries, state from card_payment where payment_id = '${page.id.split('/').at(-1)}'`,
  );
  expect(row).toEqual({ failed_tries: 0, state: 'Ready' });
  const list = (await kontor.send('GET', `${page.id}/authorizations`)).body.authorizations.authorizationList;
  expect(list[0].transaction).toMatchObject({ state: 'Failed', problem: { retry: 'Later' } });
  expect(list[0].transaction.problem.type).toMatch(/acquirergatewayerror$/);
});

it('the look at a card goes to no other', async () => {
  issuer.answerNext(NOT_SENT);
  const made = await shop.create({ operation: 'Verify', prices: undefined, intent: undefined });
  const before = issuer.questions.length;
  const { body } = await shop.verify(made.body.payment.id);
  expect(body.verification.transaction.state).toBe('Failed');
  expect(issuer.questions.length - before).toBe(1);
});
