import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_LINE, type PayeeState } from '../../src/kit/caller.ts';
import { OPERATOR } from '../../src/kit/ids.ts';
import { changePayeeState } from '../../src/merchants/payees/payee-states.ts';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import { orderPayer } from '../support/payer/order-payer.ts';
import { payPage } from '../support/payer/pay-page.ts';
import type { Answer, TestService } from '../support/service.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { hrefOf, ordersShop } from '../support/shop/orders-shop.ts';
import { type Browser, openBrowser, PASSWORD, signedIn } from '../support/shop/portal.ts';
import { until } from '../support/until.ts';

let both: TwoInstances;
let kontor: TestService;
beforeAll(async () => {
  both = await twoInstances();
  kontor = both.kontor;
}, 60_000);
afterAll(() => both.stop());

/** Says what holds for the demo payee, and waits until every instance knows: a second at most. */
async function set(state: PayeeState): Promise<void> {
  const command = { payeeId: kontor.payeeId, state, reason: 'Goods were never sent', actor: COMMAND_LINE };
  await kontor.database.transact((transaction) => changePayeeState(transaction, kontor.service, command));
  const expected = state === 'Active' ? 400 : 403;
  for (const instance of instances()) {
    await until(async () => (await instance.send('POST', CARD_PAYMENTS, { body: {} })).status === expected, 1_000);
  }
}

const CARD_PAYMENTS = '/psp/creditcard/payments';

afterEach(() => set('Active'));

const refusal = ({ status, body }: Answer) => [status, body.problems?.[0]?.name];
const instances = () => [kontor, both.other];

/** Card payments that are held, each to be captured, cancelled or read. */
async function held(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const page = await payPage(kontor);
    expect((await page.pay()).status).toBeLessThan(400);
    ids.push(page.id);
  }
  return ids;
}

describe('a payee that the operator suspends', () => {
  test('is refused on every instance within a second, and goes on when it is resumed', async () => {
    const [id = ''] = await held(1);
    await set('Suspended');
    for (const instance of instances()) {
      expect(refusal(await instance.send('GET', id))).toEqual([403, 'payee']);
      expect(refusal(await cardPaymentsShop(instance).create())).toEqual([403, 'payee']);
      // Signed, and of another scope.
      const account = `/api/payments/payment-account/A-1/payment/${crypto.randomUUID()}`;
      expect(refusal(await instance.send('GET', account))).toEqual([403, 'payee']);
    }
    await set('Active');
    for (const instance of instances()) {
      expect((await instance.send('GET', id)).status).toBe(200);
      expect((await cardPaymentsShop(instance).create()).status).toBe(200);
    }
  });

  test('is paid on no page, also where the form was open before', async () => {
    const page = await payPage(kontor);
    const attempt = /name="attempt" value="([^"]+)"/.exec((await page.open()).text)?.[1];
    await set('Suspended');
    const sent = await page.post('', { attempt, number: '4925000000000004', expiry: '12/39', cvc: '123' });
    expect(sent.status).toBe(404);
    expect((await page.open()).text).not.toContain('id="pay"');
    await set('Active');
    const { body } = await page.payment();
    expect(body.payment.state).toBe('Ready');
    expect((await page.pay()).status).toBeLessThan(400);
  });

  test('is paid with no gift card either, on the page of an order', async () => {
    const made = await ordersShop(kontor).create({ amount: 500, vatAmount: 0 }, { version: '3.1' });
    const payer = orderPayer(kontor, hrefOf(made, 'redirect-'));
    await payer.open();
    const [one, other] = [await cardSeller(kontor).issue(300), await cardSeller(kontor).issue(200)];
    await payer.add(one);
    await payer.add(other);
    await set('FollowUpsOnly');
    expect((await payer.payByGiftCards()).status).toBe(404);
    expect((await payer.add(one)).status).toBe(404);
    await set('Active');
    expect((await payer.payByGiftCards()).status).toBeLessThan(400);
  });

  test('has no portal: its sessions are over for good, and its users cannot sign in', async () => {
    const browser = await signedIn(kontor);
    await set('Suspended');
    const over = await browser.get('/portal/api/session');
    expect(over.status).toBe(401);
    expect(over.body.problems[0].name).toBe('suspended');
    const { email, password } = kontor.portal;
    const refused = await openBrowser(kontor.baseUrl).signIn({ email, password });
    expect(refused.status).toBe(403);
    expect(refused.body.problems[0].name).toBe('payee');
    // Operators look after it.
    const operator = await signedIn(kontor, 'operator');
    expect((await operator.get(`/portal/api/payees/${kontor.payeeId}/payments`)).status).toBe(200);
    await set('Active');
    expect((await browser.get('/portal/api/session')).status).toBe(401);
    expect((await openBrowser(kontor.baseUrl).signIn({ email, password })).status).toBe(200);
  });

  test('may be let to end what it began, and begins nothing', async () => {
    const [toCapture = '', toCancel = ''] = await held(2);
    await set('FollowUpsOnly');
    for (const instance of instances()) {
      expect(refusal(await cardPaymentsShop(instance).create())).toEqual([403, 'payee']);
      expect((await instance.send('GET', toCapture)).status).toBe(200);
    }
    const shop = cardPaymentsShop(both.other);
    expect((await shop.follow(toCapture, 'captures', { amount: 100 })).status).toBe(200);
    expect((await shop.follow(toCapture, 'reversals', { amount: 100 })).status).toBe(200);
    expect((await cardPaymentsShop(kontor).follow(toCancel, 'cancellations')).status).toBe(200);
  });
});

test('a payee that is stopped under load loses nothing that was acknowledged, and others notice nothing', async () => {
  const other = await kontor.addPayee(['payments']);
  let isOver = false;
  const sent = { own: [] as { begunAt: number; status: number; id: string }[], others: [] as number[] };
  const shops = instances().flatMap((instance) => [instance, instance]);
  const load = shops.map(async (instance) => {
    while (!isOver) {
      const begunAt = performance.now();
      const answer = await cardPaymentsShop(instance).create();
      sent.own.push({ begunAt, status: answer.status, id: answer.body?.payment?.id });
      const theirs = await instance.send('GET', `${CARD_PAYMENTS}/${crypto.randomUUID()}`, {
        accessToken: other.accessToken,
      });
      sent.others.push(theirs.status);
    }
  });
  await until(() => sent.own.length >= 20);
  await set('Suspended');
  const stoppedAt = performance.now();
  const before = sent.own.length;
  await until(() => sent.own.length >= before + 20);
  isOver = true;
  await Promise.all(load);
  const late = sent.own.filter(({ begunAt }) => begunAt > stoppedAt);
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set([403]));
  expect(new Set(sent.others)).toEqual(new Set([404]));
  await set('Active');
  const made = sent.own.filter(({ status }) => status === 200);
  expect(made.length).toBeGreaterThan(10);
  for (const { id } of made) expect((await kontor.send('GET', id)).status).toBe(200);
});

describe('in the portal', () => {
  const stop = (operator: Browser, state: PayeeState) =>
    operator.post(`/portal/api/payees/${kontor.payeeId}/state`, { state, reason: 'Goods were never sent' });

  test('one operator stops a payee, and another one opens it again or closes it', async () => {
    const first = await signedIn(kontor, 'operator');
    const second = await anotherOperator(first);
    expect(refusal(await stop(first, 'Closed'))).toEqual([403, 'payee']);
    expect((await stop(first, 'FollowUpsOnly')).body).toEqual({ state: 'FollowUpsOnly', isNew: true });
    expect((await stop(first, 'Suspended')).body).toEqual({ state: 'Suspended', isNew: true });
    expect((await stop(first, 'Suspended')).body).toEqual({ state: 'Suspended', isNew: false });
    for (const state of ['Active', 'FollowUpsOnly', 'Closed'] as const) {
      expect(refusal(await stop(first, state))).toEqual([403, 'person']);
    }
    const { payees } = (await second.get('/portal/api/payees')).body;
    expect(payees).toContainEqual(
      expect.objectContaining({ payeeId: kontor.payeeId, state: 'Suspended', stateReason: 'Goods were never sent' }),
    );
    expect((await stop(second, 'Active')).body).toEqual({ state: 'Active', isNew: true });
    const trail = await kontor.database.asAdmin(
      `select action, details ->> 'state' as state, details ->> 'reason' as reason from audit
       where payee_id = '${kontor.payeeId}' and action in ('suspend-payee', 'resume-payee') order by happened_at desc limit 3`,
    );
    expect(trail).toEqual([
      { action: 'resume-payee', state: 'Active', reason: 'Goods were never sent' },
      { action: 'suspend-payee', state: 'Suspended', reason: 'Goods were never sent' },
      { action: 'suspend-payee', state: 'FollowUpsOnly', reason: 'Goods were never sent' },
    ]);
  });

  test('no user of the payee can, and the operator itself cannot be stopped', async () => {
    const administrator = await signedIn(kontor);
    expect((await stop(administrator, 'Suspended')).status).toBe(403);
    const operator = await signedIn(kontor, 'operator');
    const own = await operator.post(`/portal/api/payees/${OPERATOR}/state`, { state: 'Suspended', reason: 'x' });
    expect(own.status).toBe(404);
    const without = await operator.post(`/portal/api/payees/${kontor.payeeId}/state`, { state: 'Suspended' });
    expect(without.status).toBe(400);
  });

  test('a payee that is closed stays so, without credentials', async () => {
    const { payeeId, accessToken } = await kontor.addPayee(['payments']);
    const operator = await signedIn(kontor, 'operator');
    const other = await anotherOperator(operator);
    const set = (by: Browser, state: PayeeState) =>
      by.post(`/portal/api/payees/${payeeId}/state`, { state, reason: 'The contract has ended' });
    expect((await set(operator, 'Suspended')).status).toBe(200);
    expect((await set(other, 'Closed')).status).toBe(200);
    expect(refusal(await set(operator, 'Active'))).toEqual([403, 'payee']);
    await until(async () => (await kontor.send('GET', CARD_PAYMENTS, { accessToken })).status === 401, 1_000);
  });
});

async function anotherOperator(by: Browser): Promise<Browser> {
  const email = `operator-${crypto.randomUUID()}@example.com`;
  const { body } = await by.post(`/portal/api/payees/${OPERATOR}/users`, { email, name: 'Eva', role: 'operator' });
  const browser = openBrowser(kontor.baseUrl);
  const invitation = new URL(body.invitation.link).hash.slice(1);
  await browser.post('/portal/api/invitations/accept', { invitation, password: PASSWORD });
  return browser;
}
