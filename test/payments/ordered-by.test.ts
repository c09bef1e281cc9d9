import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { externalAuthentication } from '../support/issuer/three-ds.ts';
import { payPage } from '../support/payer/pay-page.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { type OrdersShop, ordersShop } from '../support/shop/orders-shop.ts';

// Mail and telephone orders: the payee types the card of a payer who is not there. What goes over the wire is in
// test/acquirers/descriptors.test.ts.

let base: TestService;
let kontor: TestService;
let issuer: ScriptedIssuer;
let shop: CardPaymentsShop;
let orders: OrdersShop;
beforeAll(async () => {
  base = await serviceWithoutJobs();
  issuer = await scriptedIssuer(base);
  kontor = issuer.kontor;
  shop = cardPaymentsShop(kontor);
  orders = ordersShop(base);
});
afterAll(async () => {
  await issuer.stop();
  await base.stop();
});

/** A card that would be challenged on the web. */
const CARD = { cardNumber: VISA_WITH_3D_SECURE };
const asked = () => issuer.questions.at(-1);
const byPayer = (channel: string) => ({
  initiator: { by: 'Customer', channel, credential: 'None' },
  authentication: undefined,
  device: {},
});
const create = (orderedBy: string, members = {}) => shop.create(members, { cards: { orderedBy } });

describe('no payer is asked to authenticate, and the acquirer is told how the card came', () => {
  it.each(['Mail', 'Phone'])('by the API: %s', async (orderedBy) => {
    const { body } = await create(orderedBy, { userAgent: 'Firefox' });
    const tried = await shop.authorize(body.payment.id, CARD);
    expect(tried.body.authorization.transaction.state).toBe('Completed');
    expect(asked()).toMatchObject(byPayer(orderedBy));
  });

  it('on the page, where the payee types the card', async () => {
    const page = await payPage(kontor, {}, { orderedBy: 'Phone' });
    await page.pay({ number: VISA_WITH_3D_SECURE });
    expect((await page.payment()).body.payment).toMatchObject({ state: 'Ready', amount: 1500 });
    expect(asked()).toMatchObject(byPayer('Phone'));
  });

  it('of a payment order', async () => {
    const made = await orders.create({ items: [{ creditCard: { orderedBy: 'Mail' } }] });
    await orders.pay(made, { number: VISA_WITH_3D_SECURE });
    expect((await orders.get(made.body.paymentOrder.id)).body.paymentOrder).toMatchObject({ amount: 10_000 });
    const sent = 'select terminal_id, point_of_service from acquirer_exchange where amount = 10000';
    expect(await base.database.asAdmin(sent)).toEqual([{ terminal_id: 'SANDBOX2', point_of_service: '100020100110' }]);
  });
});

it('an issuer that wants 3-D Secure has declined', async () => {
  issuer.answerNext({ outcome: 'AuthenticationRequired', responseCode: '180' });
  const { body } = await create('Phone');
  const { transaction } = (await shop.authorize(body.payment.id, CARD)).body.authorization;
  expect(transaction).toMatchObject({ state: 'Failed' });
  expect(transaction.problem.type).toMatch(/authenticationrequired$/);
});

describe('refused, with no effect', () => {
  it.each(['authentication', 'exemption'])('beside transaction.%s', async (member) => {
    const { body } = await create('Phone');
    const before = issuer.questions.length;
    const vouched = { authentication: externalAuthentication(), exemption: 'LowValue' };
    const refused = await shop.authorize(body.payment.id, { ...CARD, [member]: vouched[member as 'exemption'] });
    expect([refused.status, refused.body.problems[0].name]).toEqual([400, `transaction.${member}`]);
    expect(issuer.questions).toHaveLength(before);
  });

  it('where the payee charges a stored card', async () => {
    const id = await shop.purchase(100, { payerReference: 'anna', generateRecurrenceToken: true });
    const { recurrenceToken } = (await shop.authorize(id)).body.authorization;
    const recur = { operation: 'Recur', amount: 250, vatAmount: 0, recurrenceToken, prices: undefined };
    const refused = await create('Phone', recur);
    expect([refused.status, refused.body.problems[0].name]).toEqual([400, 'creditCard.orderedBy']);
  });

  it('with another word', async () => {
    expect((await create('Fax')).status).toBe(400);
  });
});
