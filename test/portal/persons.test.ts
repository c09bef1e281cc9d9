import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { ordersShop } from '../support/shop/orders-shop.ts';
import { type Browser, signedIn, signedInAs } from '../support/shop/portal.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';
import { openShop, type Shop } from '../support/shop/tokens-shop.ts';

// What people ask of a payee, by its administrator in the portal: what is stored of them, and to erase it.

let kontor: Shop;
let browser: Browser;
beforeAll(async () => {
  kontor = await openShop();
  browser = await signedIn(kontor);
});
afterAll(() => kontor.stop());

let persons = 0;

/** A person who is known by everything. */
async function known(name: string) {
  const payerReference = `portal-payer-${++persons}`;
  const email = `${name}@Example.com`;
  await ordersShop(kontor).create({ payer: { payerReference, firstName: name, email } });
  const payment = await cardPaymentsShop(kontor).purchase(1500, {
    payerReference,
    cardholder: { lastName: name, email },
  });
  await cardPaymentsShop(kontor).authorize(payment, { cardholderName: `${name} Nyhuus` });
  await kontor.store(cardLine(persons, { payerReference }));
  await cardSeller(kontor).issue(500, { email, msisdn: '+4799887766', payerReference });
  return { payerReference, email };
}

const post = (path: string, body: object, by = browser, payeeId: string = kontor.payeeId) =>
  by.post(`/portal/api/payees/${payeeId}/persons/${path}`, body);

test('shows all that is stored of a person, by reference and by e-mail address in any case', async () => {
  const { payerReference, email } = await known('Anna');
  const byReference = await post('find', { payerReference });
  expect(byReference.body.orders).toMatchObject([{ payer: { firstName: 'Anna', email } }]);
  expect(byReference.body.payments).toHaveLength(2);
  expect(JSON.stringify(byReference.body.payments)).toContain('Anna Nyhuus');
  expect([byReference.body.tokens.length, byReference.body.giftCards]).toMatchObject([1, [{ email }]]);
  const byEmail = await post('find', { email: 'aNNa@example.COM' });
  expect(byEmail.body.giftCards).toMatchObject([{ email, msisdn: '+4799887766' }]);
  expect([byEmail.body.orders.length, byEmail.body.payments.length, byEmail.body.tokens]).toEqual([1, 1, []]);
  const unknown = await post('find', { email: 'unknown@example.com' });
  expect([unknown.status, unknown.body]).toEqual([
    200,
    { orders: [], payments: [], tokens: [], giftCards: [], giftCardSums: [] },
  ]);
});

test('erases a person with a receipt, once, and the trail says who did it without a name', async () => {
  const { payerReference, email } = await known('Bodil');
  const other = await known('Carla');
  const erased = await post('erase', { payerReference });
  expect(Math.abs(Date.parse(erased.body.at) - Date.now())).toBeLessThan(60_000);
  expect(erased.body.erased).toEqual({ orders: 1, payments: 1, tokens: 1, tombstones: 1, giftCards: 1 });
  const byEmail = await post('erase', { email });
  expect(byEmail.body.erased).toEqual({ orders: 0, payments: 0, tokens: 0, tombstones: 0, giftCards: 0 });
  const never = (await post('erase', { payerReference: 'never-seen' })).body;
  expect([never.erased.orders, never.at]).toEqual([0, null]);
  expect(JSON.stringify((await post('find', { payerReference })).body)).not.toContain('Bodil');
  expect(JSON.stringify((await post('find', { payerReference: other.payerReference })).body)).toContain('Carla');
  const rows = await kontor.database.asAdmin(
    "select concat_ws(':', actor_kind, actor_id) as actor, details from audit where action = 'erase-payer' order by audit_id",
  );
  expect(rows.map(({ actor }) => String(actor).split(':')[0])).toEqual(['portal-user']);
  expect(JSON.stringify(rows)).not.toMatch(/Bodil|portal-payer/i);
});

test('refuses a request that names no payer, or one twice', async () => {
  for (const path of ['find', 'erase']) {
    for (const body of [{}, { payerReference: 'anna', email: 'anna@example.com' }]) {
      expect((await post(path, body)).status).toBe(400);
    }
  }
});

test('is for administrators and operators, and of their own payee', async () => {
  const { payerReference } = await known('Dina');
  for (const role of ['finance', 'support', 'integrator'] as const) {
    const by = await signedInAs(kontor, role);
    expect([
      (await post('find', { payerReference }, by)).status,
      (await post('erase', { payerReference }, by)).status,
    ]).toEqual([403, 403]);
  }
  const elsewhere = await kontor.addPayee();
  const operator = await signedIn(kontor, 'operator');
  const found = await post('find', { payerReference }, operator, elsewhere.payeeId);
  expect([found.status, found.body.orders]).toEqual([200, []]);
  await post('erase', { payerReference }, operator, elsewhere.payeeId);
  expect(JSON.stringify((await post('find', { payerReference })).body)).toContain('Dina');
  expect((await post('find', { payerReference }, browser, elsewhere.payeeId)).status).toBe(404);
});
