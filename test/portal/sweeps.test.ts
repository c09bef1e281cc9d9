import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuteBooks } from '../support/crash/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardLife } from '../support/shop/card-life.ts';
import { type CardShop, cardShop } from '../support/shop/card-shop.ts';
import { type Browser, PASSWORD, signedInAs } from '../support/shop/portal.ts';

// What is left on expired gift cards is booked to the payee by a person, and another one agrees.

let kontor: TestService;
let cards: CardShop;
let anna: Browser;
let bo: Browser;
let here: string;
beforeAll(async () => {
  kontor = await testService();
  cards = cardShop(kontor);
  here = `/portal/api/payees/${kontor.payeeId}`;
  [anna, bo] = [await signedInAs(kontor, 'finance'), await signedInAs(kontor, 'finance')];
  for (const person of [anna, bo]) await person.post('/portal/api/session/reauthenticate', { password: PASSWORD });
});
afterAll(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
  await kontor.stop();
});

const limit = (second: number | null) =>
  kontor.database.asAdmin(`delete from giving_limit;
    insert into giving_limit values ('${kontor.payeeId}', '*', null, ${second})`);
/** Where the payee is. */
const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo', dateStyle: 'short' }).format(Date.now());
async function expired(productId: string, ...amounts: number[]) {
  const product = await cards.product({ productId: productId as never });
  const made = await Promise.all(amounts.map((amount) => cards.issue(amount, product)));
  await cards.expire(...made);
  return made;
}
const states = (made: Awaited<ReturnType<typeof expired>>) =>
  Promise.all(made.map(async (card) => (await cards.show(card)).body.giftCard.state));

test('it is looked at, asked for, and done once another person agrees', async () => {
  await limit(1_000_000);
  const made = await expired('sweep-1', 100, 20, 0);
  const others = await expired('sweep-2', 5);
  const look = (query: string) => anna.get(`${here}/gift-card-sweep?${query}`);
  expect((await look(`productId=sweep-1&expiredBefore=${today}`)).body).toEqual({
    cards: 2,
    amount: 120,
    currency: 'NOK',
    needsSecondPerson: true,
  });
  expect((await look('productId=sweep-1&expiredBefore=2020-01-01')).body).toEqual({
    cards: 0,
    amount: 0,
    currency: null,
    needsSecondPerson: false,
  });
  expect((await look('productId=sweep-1&expiredBefore=today')).status).toBe(400);
  const body = { productId: 'sweep-1', expiredBefore: today, reason: 'Year 2025' };
  const { approval } = (await anna.post(`${here}/gift-card-sweep`, body)).body;
  expect(approval).toMatchObject({ amount: 120, currency: 'NOK' });
  expect(await states(made)).toEqual(['Expired', 'Expired', 'Expired']);
  const waiting = (await bo.get(`${here}/pending-changes`)).body.changes[0];
  expect(waiting).toMatchObject({
    operationId: 'sweepGiftCards',
    object: { kind: 'product', id: 'sweep-1' },
    cards: 2,
    amount: 120,
    reason: 'Year 2025',
    state: 'Pending',
  });
  const decide = (person: Browser) => person.post(`${here}/pending-changes/${approval.changeId}/approve`);
  expect((await decide(anna)).status).toBe(403);
  expect((await decide(bo)).body.state).toBe('Done');
  expect(await states([...made, ...others])).toEqual(['Swept', 'Swept', 'Expired', 'Expired']);
  const rows = await kontor.database.asAdmin(`
    select concat_ws(':', actor_kind, actor_id) as actor, details from audit where action = 'sweep-gift-card' and object_id = '${made[0]?.paymentAccountId}'`);
  expect(rows).toEqual([
    {
      actor: expect.stringMatching(/^portal-user:/),
      details: expect.objectContaining({ amount: 100, currency: 'NOK' }),
    },
  ]);
});

test('no more is swept than the other person was told of: the day has begun, so no card joins meanwhile', async () => {
  await limit(1_000_000);
  const made = await expired('sweep-4', 100);
  const [late] = await expired('sweep-4b', 5_000);
  const ask = (expiredBefore: string) => anna.post(`${here}/gift-card-sweep`, { productId: 'sweep-4', expiredBefore });
  const refused = await ask('2099-01-01');
  expect([refused.status, refused.body.problems?.[0]?.name]).toEqual([400, 'expiredBefore']);
  expect((await anna.get(`${here}/gift-card-sweep?productId=sweep-4&expiredBefore=2099-01-01`)).status).toBe(400);
  const { approval } = (await ask(today)).body;
  // Its last day was today, and is over before the other person agrees.
  await kontor.database.asAdmin(`
    update account set expires_on = '${today}' where account_id = '${late?.paymentAccountId}';
    update gift_card set product_id = 'sweep-4' where account_id = '${late?.paymentAccountId}'`);
  expect((await bo.post(`${here}/pending-changes/${approval.changeId}/approve`)).body).toMatchObject({
    state: 'Done',
    amount: 100,
  });
  expect(await states(made)).toEqual(['Swept']);
  expect((await cards.show(late as never)).body.giftCard.state).toBe('Expired');
});

test.each([
  ['ends by the job', true],
  ['ends as the sweep takes the card', false],
])('a hold that %s enlarges no sweep that was asked for before', async (how, isReleased) => {
  await limit(1_000_000);
  const productId = `sweep-${how.length}`;
  const product = await cards.product({ productId: productId as never });
  const [card, quiet] = [await cards.issue(100, product), await cards.issue(30, product)];
  const life = cardLife(kontor);
  const held = await life.hold(card, 60);
  await cards.expire(card, quiet);
  const ask = () => anna.post(`${here}/gift-card-sweep`, { productId, expiredBefore: today });
  const { approval } = (await ask()).body;
  expect(approval.amount).toBe(70);
  await kontor.database.asAdmin(`
    update payment set hold_expires_at = kontor_now() - interval '1 second' where payment_id = '${held.paymentId}';
    update account set next_hold_expires_at = kontor_now() - interval '1 second', version = version + 1
    where account_id = '${card.paymentAccountId}'`);
  if (isReleased) {
    await expect.poll(async () => Number((await life.stored(card))?.['available']), { timeout: 20_000 }).toBe(100);
  }
  const agreed = await bo.post(`${here}/pending-changes/${approval.changeId}/approve`);
  expect(agreed.body).toMatchObject({ state: 'Done', cards: 2 });
  expect(await states([card, quiet])).toEqual(['Expired', 'Swept']);
  // What came later waits for the next sweep.
  await expect.poll(async () => (await ask()).body.approval?.amount, { timeout: 20_000 }).toBe(100);
});

test('a payee without a limit has no second person, and support may not ask', async () => {
  await limit(null);
  const made = await expired('sweep-3', 7);
  const body = { productId: 'sweep-3', expiredBefore: today };
  const support = await signedInAs(kontor, 'support');
  expect((await support.post(`${here}/gift-card-sweep`, body)).status).toBe(403);
  const query = `productId=sweep-3&expiredBefore=${today}`;
  expect((await anna.get(`${here}/gift-card-sweep?${query}`)).body).toMatchObject({
    cards: 1,
    needsSecondPerson: false,
  });
  expect((await anna.post(`${here}/gift-card-sweep`, body)).body).toEqual({ approval: null });
  expect(await states(made)).toEqual(['Swept']);
});
