import { afterAll, beforeAll, expect, it } from 'vitest';
import type { IssuerAnswer } from '../../src/issuers/questions.types.ts';
import { scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { payPage } from '../support/payer/pay-page.ts';
import { type TestService, testService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop, type Members } from '../support/shop/card-payments-shop.ts';
import { orderShop } from '../support/shop/order-shop.ts';
import { until } from '../support/until.ts';

// What the acquirer says of the security code and of the billing address, over the line to the test acquirer.

let kontor: TestService;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());

const WRONG_CODE = 900_348;
const WRONG_ADDRESS = 900_349;
const AT_HOME = { cardholder: { billingAddress: { streetAddress: 'Øvre gate 1', zipCode: '0155' } } };

/** Pays, and gives what is shown of it. */
async function paid(amount: number, members: Members, cards: Members) {
  const made = await shop.create({ prices: [{ type: 'CreditCard', amount }], ...members }, { cards });
  const { id } = made.body.payment;
  await shop.authorize(id);
  const { body } = await kontor.send('GET', `${id}/authorizations`);
  return { ...body.authorizations.authorizationList[0], id };
}
const attemptsOf = (id: string) =>
  kontor.database.asAdmin(`select state from issuer_attempt where payment_id = '${id.split('/').at(-1)}'`);

it.each([
  ['a code that matches', 1_000, {}, { cvcResult: 'M' }],
  ['a code that does not', WRONG_CODE, {}, { cvcResult: 'N' }],
  ['an address that matches', 1_000, AT_HOME, { cvcResult: 'M', addressResult: 'Y' }],
  ['an address that does not', WRONG_ADDRESS, AT_HOME, { cvcResult: 'M', addressResult: 'N' }],
])('%s is shown, and decides nothing by itself', async (_case, amount, members, checks) => {
  const { cvcResult, addressResult, transaction } = await paid(amount, members, {});
  expect(transaction.state).toBe('Completed');
  expect({ cvcResult, ...(addressResult && { addressResult }) }).toEqual(checks);
});

it.each([
  ['an authorization with a wrong code', WRONG_CODE, { intent: 'Authorization' }, 'rejectCvcMismatch'],
  ['a sale with a wrong code', WRONG_CODE, { intent: 'AutoCapture' }, 'rejectCvcMismatch'],
  ['one with a wrong address', WRONG_ADDRESS, AT_HOME, 'rejectAddressMismatch'],
] as const)(
  '%s is taken back where the payee says so, and told as declined',
  async (_case, amount, members, rule) => {
    const { id, cvcResult, addressResult, transaction } = await paid(amount, members, { [rule]: true });
    expect(transaction).toMatchObject({ state: 'Failed', problem: { status: 403, retry: 'NewData' } });
    expect(transaction.problem.type).toMatch(/checkfailed$/);
    expect([cvcResult, addressResult]).toContain('N');
    await until(async () => (await attemptsOf(id))[0]?.['state'] === 'REVERSED', 20_000);
    const why = "select reason from acquirer_exchange where kind = 'TakeBack' order by sent_at desc, stan desc limit 1";
    expect(await kontor.database.asAdmin(why)).toEqual([{ reason: 'Refused' }]);
    const { body } = await kontor.send('GET', id);
    expect(body.payment).toMatchObject({ state: 'Ready', amount: 0 });
    expect(body.payment).not.toHaveProperty('captures');
    // The payer may try again, with the code of the card.
    expect((await shop.authorize(id)).body.authorization.transaction.state).toBe('Failed');
  },
  40_000,
);

it.each([
  ['the other check', WRONG_CODE, {}, 'rejectAddressMismatch'],
  ['the other one', WRONG_ADDRESS, AT_HOME, 'rejectCvcMismatch'],
  ['nothing that is wrong', 1_000, AT_HOME, 'rejectCvcMismatch'],
] as const)('is paid where the rule is about %s', async (_case, amount, members, rule) => {
  expect((await paid(amount, members, { [rule]: true })).transaction.state).toBe('Completed');
});

it('counts for whatever a card is tried for: tokens, a verification, a renewal, a payment order', async () => {
  const issuer = await scriptedIssuer(kontor);
  const at = cardPaymentsShop(issuer.kontor);
  const approved = { outcome: 'Approved', responseCode: '000', approvalCode: 'A00002' } as const;
  const references = { retrievalReference: '1', schemeTransactionId: 'S-1' };
  const wrong: IssuerAnswer = { ...approved, references, cvcResult: 'N', addressResult: 'N' };
  const cards = { rejectCvcMismatch: true, rejectAddressMismatch: true };
  const ended = ({ transaction, ...others }: Members) => {
    const { state, problem } = transaction as { state: string; problem: { type: string } };
    return [state, problem.type.split('/').at(-1), ...Object.keys(others).filter((name) => /token/i.test(name))];
  };
  const tokens = { generateRecurrenceToken: true, generatePaymentToken: true, payerReference: 'anna' };

  const stored = await at.authorize(await at.purchase(100, tokens));
  const { recurrenceToken } = stored.body.authorization;
  issuer.answerNext(wrong, wrong, wrong);
  const made = await at.create({ ...tokens, payerReference: 'berit' }, { cards });
  expect(ended((await at.authorize(made.body.payment.id)).body.authorization)).toEqual(['Failed', 'checkfailed']);

  const verifying = { operation: 'Verify', intent: undefined, prices: undefined, ...tokens };
  const verify = await at.create(verifying, { cards });
  const verified = await at.verify(verify.body.payment.id);
  expect(ended(verified.body.verification)).toEqual(['Failed', 'checkfailed']);

  const renewal = { operation: 'Recur', amount: 250, vatAmount: 0, recurrenceToken, prices: undefined };
  const { id } = (await at.create(renewal, { cards })).body.payment;
  const { body } = await issuer.kontor.send('GET', `${id}/authorizations`);
  expect(body.authorizations.authorizationList.map(ended)).toEqual([['Failed', 'checkfailed']]);
  await issuer.stop();

  const orders = orderShop(kontor);
  const { order } = await orders.create(1_000, { terms: { cards: { no3DSecure: true, ...cards } } } as never);
  orders.answerNext(wrong);
  expect((await orders.payByCard(order.orderId)).transaction).toMatchObject({
    state: 'Failed',
    problem: 'checkfailed',
  });
});

it('why 3-D Secure has not authenticated a payer is shown, with its name at the directory server', async () => {
  const page = await payPage(kontor);
  await page.pay({ number: testCard('05') });
  const { body } = await kontor.send('GET', `${page.id}/authorizations`);
  expect(body.authorizations.authorizationList[0]).toMatchObject({
    authenticationStatus: 'R',
    transStatusReason: '11',
    dsTransactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});
