import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { names } from '../../locales/portal-names-en-US.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { type TestService, testService } from '../support/service.ts';
import { accountsShop, newReference } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';
import { type Business, openForBusiness } from '../support/shop/portal-seed.ts';

let kontor: TestService;
let business: Business;
let anna: Browser;
let bo: Browser;
let here: string;
beforeAll(async () => {
  kontor = await testService();
  business = await openForBusiness(kontor);
  here = `/portal/api/payees/${kontor.payeeId}`;
  [anna, bo] = [await signedInAs(kontor, 'finance'), await signedInAs(kontor, 'finance')];
});
afterAll(() => kontor.stop());
// Everything waits.
beforeEach(() =>
  kontor.database.asAdmin(`delete from giving; delete from giving_limit; delete from pending_change;
    insert into giving_limit values ('${kontor.payeeId}', '*', 0, 0)`),
);

const newCard = { path: '/api/payments/gift-card/get-new-gift-card', body: { amount: 20_000 } };

/** A request to the API as a person's page sends it, which has to wait. */
async function asks(person: Browser, path: string, body: object, key?: string) {
  await person.post('/portal/api/session/reauthenticate', { password: 'plenty of fish in the fjord' });
  const { accessToken, hmac } = (await person.post(`${here}/session-credentials`)).body;
  const headers = key === undefined ? {} : { headers: { 'idempotency-key': key } };
  return kontor.send('POST', path, { accessToken, hmac, body, ...headers });
}
const waits = async (...asked: Parameters<typeof asks>): Promise<string> => {
  const answer = await asks(...asked);
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  return answer.body.approval.changeId;
};
const listed = async (changeId: string) =>
  (await bo.get(`${here}/pending-changes`)).body.changes.find((one: { changeId: string }) => one.changeId === changeId);

/** A card payment of 1 000.00 that was captured whole. */
async function captured() {
  const shop = cardPaymentsShop(kontor);
  const id = await shop.purchase(100_000, {
    payerReference: 'anna-andersson',
    payeeInfo: { orderReference: 'order-4711' },
  });
  await shop.authorize(id);
  await shop.follow(id, 'captures', {
    amount: 100_000,
    vatAmount: 0,
    description: 'All',
    payeeReference: newReference(),
  });
  return { id, paymentId: id.split('/').at(-1) ?? '', refund: `${id}/reversals` };
}
const half = (payeeReference = newReference(), amount = 50_000) => ({
  transaction: { amount, vatAmount: 0, description: 'The blue one was broken', payeeReference },
});

describe('what the second person sees', () => {
  test('of a refund: the payment, its payer and reference, why, and what stays', async () => {
    const { paymentId, refund } = await captured();
    const change = await listed(await waits(anna, refund, half()));
    expect(change).toMatchObject({
      object: {
        kind: 'payment',
        id: paymentId,
        reference: 'order-4711',
        payerReference: 'anna-andersson',
        left: 100_000,
      },
      into: null,
      reason: 'The blue one was broken',
      afterwards: 50_000,
      waitingBeside: 0,
    });
    expect(change.object.name).toMatch(/^\d+$/);
  });

  test('of a second one for the same payment: that another waits, on the payment too', async () => {
    const { paymentId, refund } = await captured();
    const [first, second] = [
      await waits(anna, refund, half()),
      await waits(anna, refund, half(newReference(), 60_000)),
    ];
    expect(await listed(second)).toMatchObject({ afterwards: 40_000, waitingBeside: 50_000 });
    expect(await listed(first)).toMatchObject({ afterwards: 50_000, waitingBeside: 60_000 });
    const { waiting } = (await anna.get(`${here}/payments/${paymentId}`)).body;
    expect(waiting.map(({ changeId }: { changeId: string }) => changeId)).toEqual([second, first]);
    // Decided, it waits no more; and that too little is left for the other one is seen before it is approved.
    await bo.post('/portal/api/session/reauthenticate', { password: 'plenty of fish in the fjord' });
    expect((await bo.post(`${here}/pending-changes/${first}/approve`)).body).toMatchObject({
      state: 'Done',
      afterwards: null,
    });
    expect(await listed(second)).toMatchObject({ afterwards: -10_000, waitingBeside: 0 });
    await bo.post(`${here}/pending-changes/${second}/refuse`);
    expect((await anna.get(`${here}/payments/${paymentId}`)).body.waiting).toEqual([]);
  });

  test('of a refund of an order, and of an account payment', async () => {
    const { orders, bought, account } = business;
    const ofOrder = await waits(anna, `/psp/paymentorders/${orders.split}/reversals`, half(newReference(), 100));
    expect(await listed(ofOrder)).toMatchObject({
      object: { kind: 'order', id: orders.split },
      afterwards: expect.any(Number),
    });
    expect((await anna.get(`${here}/orders/${orders.split}`)).body.waiting).toMatchObject([{ changeId: ofOrder }]);
    const reversal = `/api/payments/payment-account/${account.paymentAccountId}/payment/${bought}/reversal`;
    const body = {
      amount: 500,
      paymentOrderRef: newReference(),
      paymentTransactionRef: newReference(),
      description: 'Late',
    };
    const ofAccount = await listed(await waits(anna, reversal, body));
    expect(ofAccount).toMatchObject({
      object: { kind: 'payment', id: bought, left: 12_500 },
      reason: 'Late',
      afterwards: 12_000,
    });
  });

  test('of a new gift card its product, of a deposit the card and what is on it then', async () => {
    const { productId } = business;
    expect(await listed(await waits(anna, newCard.path, newCard.body, crypto.randomUUID()))).toMatchObject({
      object: { kind: 'product', id: productId, name: expect.any(String), left: null },
      afterwards: null,
    });
    const card = await cardSeller(kontor).issue(50_000);
    const deposit = {
      ...{ amount: 7_000, currency: 'NOK', orderRef: newReference(), description: 'A present' },
      SimpleAccountIdentifier: { accountKey: card.accountKey },
    };
    const changeId = await waits(anna, '/api/payments/gift-card/pre-deposit', deposit);
    expect(await listed(changeId)).toMatchObject({
      object: { kind: 'gift-card', id: card.paymentAccountId, name: expect.stringContaining('*'), left: 50_000 },
      reason: 'A present',
      afterwards: 57_000,
    });
    const { waiting } = (await anna.get(`${here}/gift-cards/${card.paymentAccountId}`)).body;
    expect(waiting).toMatchObject([{ changeId }]);
    const unknown = {
      ...deposit,
      orderRef: newReference(),
      SimpleAccountIdentifier: { accountKey: '9578010000999120' },
    };
    expect((await asks(anna, '/api/payments/gift-card/pre-deposit', unknown)).status).toBe(404);
  });

  test('of cards that are replaced or merged: which, into which, why and what is on it then', async () => {
    const seller = cardSeller(kontor);
    const [lost, other] = [await seller.issue(30_000), await seller.issue(12_000)];
    const path = (id: string, verb: string) => `/api/payments/gift-card/${id}/${verb}`;
    const step = () => ({ transactionRef: newReference(), reason: 'Lost in the post' });
    const replaced = await waits(anna, path(lost.paymentAccountId, 'replace'), step());
    expect(await listed(replaced)).toMatchObject({
      object: { kind: 'gift-card', id: lost.paymentAccountId },
      reason: 'Lost in the post',
      afterwards: 30_000,
    });
    const merging = { ...step(), into: other.paymentAccountId };
    const merged = await waits(anna, path(lost.paymentAccountId, 'merge'), merging);
    expect(await listed(merged)).toMatchObject({
      object: { kind: 'gift-card', id: lost.paymentAccountId },
      into: { kind: 'gift-card', id: other.paymentAccountId },
      afterwards: 42_000,
      waitingBeside: 30_000,
    });
    for (const id of [lost.paymentAccountId, other.paymentAccountId]) {
      const { waiting } = (await anna.get(`${here}/gift-cards/${id}`)).body;
      expect(waiting.map(({ changeId }: { changeId: string }) => changeId)).toContain(merged);
    }
  });

  test('is told as words: each operation that may wait has a name', async () => {
    const { apiRoutes } = describeRoutes();
    const giving = apiRoutes.filter(({ gives }) => gives !== undefined).map(({ operationId }) => operationId);
    const acts = ['resolveDifference', 'withdrawBatch', 'changeDispute', 'sweepGiftCards'];
    expect(Object.keys(names.operation).toSorted()).toEqual([...giving, ...acts].toSorted());
  });
});

describe('a change that waits', () => {
  test('is found by its reference and its object, and not with another amount', async () => {
    const [one, other] = [await captured(), await captured()];
    const reference = newReference();
    const first = await waits(anna, one.refund, half(reference));
    expect(await waits(anna, one.refund, half(reference))).toBe(first);
    expect(await waits(anna, other.refund, half(reference))).not.toBe(first);
    const changed = await asks(anna, one.refund, half(reference, 40_000));
    expect([changed.status, changed.body.type]).toEqual([422, expect.stringContaining('referencereused')]);
  });

  test.each(['merge', 'replace'])(
    'of a card to %s moves no more than was agreed to, and less where less is left',
    async (verb) => {
      const seller = cardSeller(kontor);
      const [lost, other] = [await seller.issue(30_000), await seller.issue(12_000)];
      const into = verb === 'merge' ? { into: other.paymentAccountId } : {};
      const ask = () =>
        waits(anna, `/api/payments/gift-card/${lost.paymentAccountId}/${verb}`, {
          transactionRef: newReference(),
          ...into,
        });
      const agree = async (changeId: string) => {
        await bo.post('/portal/api/session/reauthenticate', { password: 'plenty of fish in the fjord' });
        return (await bo.post(`${here}/pending-changes/${changeId}/approve`)).body;
      };
      const moved = async () => {
        const sums = `select sum(available)::int as sum from account where payee_id = '${kontor.payeeId}' and closed_at is null`;
        const [card] = await kontor.database.asAdmin(
          `select available::int, closed_at is not null as "isOver" from account where account_id = '${lost.paymentAccountId}'`,
        );
        const [all] = await kontor.database.asAdmin(sums);
        return { ...card, all: all?.['sum'] };
      };
      const asked = await ask();
      expect((await seller.deposit(lost, { amount: 9_000 })).status).toBe(200);
      expect(await listed(asked)).toMatchObject({ amount: 30_000, object: { left: 39_000 }, afterwards: -9_000 });
      const before = await moved();
      expect(await agree(asked)).toMatchObject({ state: 'Impossible', problem: 'forbidden' });
      expect(await moved()).toEqual({ ...before, available: 39_000, isOver: false });
      // Asked for anew, with less on the card by then.
      const again = await ask();
      const spent = await accountsShop(kontor).pay('purchase', lost, {
        amount: 10_000,
        cvc: lost.cvc,
        expiryDate: lost.expiryDate,
      });
      expect(spent.status, spent.text).toBe(200);
      expect(await listed(again)).toMatchObject({ amount: 39_000, afterwards: verb === 'merge' ? 41_000 : 29_000 });
      expect(await agree(again)).toMatchObject({ state: 'Done' });
      expect(await moved()).toEqual({ available: 0, isOver: true, all: Number(before.all) - 10_000 });
    },
  );

  test('of a new gift card makes one of the product that was shown, or none', async () => {
    const agree = async (changeId: string) => {
      await bo.post('/portal/api/session/reauthenticate', { password: 'plenty of fish in the fjord' });
      return (await bo.post(`${here}/pending-changes/${changeId}/approve`)).body;
    };
    const ask = () => waits(anna, newCard.path, newCard.body, crypto.randomUUID());
    const [first, second] = [await ask(), await ask()];
    const [before] = await kontor.database.asAdmin(
      `select product_id as id from gift_card_product where payee_id = '${kontor.payeeId}' and is_default`,
    );
    const becomesDefault = (id: unknown) =>
      kontor.database.asAdmin(`
        update gift_card_product set is_default = false where payee_id = '${kontor.payeeId}';
        update gift_card_product set is_default = true where payee_id = '${kontor.payeeId}' and product_id = '${id}'`);
    await kontor.database.asAdmin(`
      insert into gift_card_product select (jsonb_populate_record(p, '{"product_id": "other", "is_default": false}')).*
      from gift_card_product p where payee_id = '${kontor.payeeId}' and product_id = '${before?.['id']}'`);
    expect(await agree(first)).toMatchObject({ state: 'Done' });
    await becomesDefault('other');
    expect(await agree(second)).toMatchObject({ state: 'Impossible', problem: 'forbidden' });
    // What was made is seen all the same.
    expect((await anna.post(`${here}/pending-changes/${first}/collect`)).status).toBe(200);
    await becomesDefault(before?.['id']);
  });

  test('is counted for those who may agree to it, and not for the person who asked', async () => {
    const count = async (person: Browser) => (await person.get(`${here}/pending-change-count`)).body.count;
    const support = await signedInAs(kontor, 'support');
    const integrator = await signedInAs(kontor, 'integrator');
    const changeId = await waits(anna, newCard.path, newCard.body, crypto.randomUUID());
    const { refund } = await captured();
    await waits(bo, refund, half());
    expect([await count(anna), await count(bo), await count(support)]).toEqual([1, 1, 1]);
    expect((await integrator.get(`${here}/pending-change-count`)).status).toBe(403);
    await kontor.database.asAdmin(`
      update pending_change set asked_at = asked_at - interval '1 day', expires_at = expires_at - interval '1 day'
      where change_id = '${changeId}'`);
    expect(await count(bo)).toBe(0);
  });
});
