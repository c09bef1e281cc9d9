import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Issuer } from '../../src/issuers/issuers.types.ts';
import { endCardAuthorization } from '../../src/payments/changes/end-authorization.flow.ts';
import { findDue } from '../../src/payments/find-payment.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop, type Members, relsOf } from '../support/shop/card-payments-shop.ts';
import { DECLINED } from '../support/shop/order-shop.ts';

// The end of an acquirer's authorization, of card payments that stand for themselves.

let base: TestService;
let shop: CardPaymentsShop;
let issuer: ScriptedIssuer;
/** What the acquirer is, beside what it is in the sandbox. */
let terms: Partial<Issuer> = {};
beforeAll(async () => {
  base = await serviceWithoutJobs();
  issuer = await scriptedIssuer(base, { termsOf: () => terms });
  shop = cardPaymentsShop(issuer.kontor);
});
afterAll(async () => {
  await issuer.stop();
  await base.stop();
});
beforeEach(() => {
  terms = { holdSeconds: 3 * 86_400 };
});
afterEach(async () => {
  expect(await refuteBooks(base)).toEqual([]);
});

const uuid = (id: string) => id.slice(id.lastIndexOf('/') + 1);

async function authorized(members: Members = {}): Promise<string> {
  const id = await shop.purchase(1000, members);
  await shop.authorize(id);
  return id;
}

/** Days from the approval to the end; null where there is none. */
async function daysLeft(id: string): Promise<number | null> {
  const [row] = await base.database.asAdmin(
    `select round(extract(epoch from authorized_until - created_at) / 86400)::int as days
     from card_payment where payment_id = '${uuid(id)}'`,
  );
  return row?.['days'] as number | null;
}

const makeOver = (id: string) =>
  base.database.asAdmin(`
    update card_payment set authorized_until = kontor_now(),
      created_at = kontor_now() - interval '1 day', updated_at = kontor_now() - interval '1 day'
    where payment_id = '${uuid(id)}'`);

/** A round of the job: how many it found. */
async function round(): Promise<number> {
  const context = { ...base.service.slices.payments.context, issuers: issuer.issuers };
  const due = await findDue(context, 'end-card-authorizations');
  for (const payment of due) {
    await endCardAuthorization({ transact: base.service.database.transact, context }, payment);
  }
  return due.length;
}

const followed = (id: string, what: 'captures' | 'cancellations' | 'reversals', amount?: number) =>
  shop.follow(id, what, {
    ...(amount !== undefined && { amount, vatAmount: 0 }),
    description: what,
    payeeReference: `${what}-${uuid(id)}-${amount}`,
  });

/** The cancellations, oldest first. */
const cancellations = async (id: string) =>
  (await issuer.kontor.send('GET', `${id}/cancellations`)).body.cancellations.cancellationList.map(
    ({ transaction }: { transaction: Members }) => transaction,
  );

test('comes at once also where something was given back just before', async () => {
  const id = await authorized();
  await followed(id, 'captures', 300);
  await makeOver(id);
  expect((await followed(id, 'reversals', 100)).status).toBe(200);
  expect(await round()).toBe(1);
  expect(await cancellations(id)).toMatchObject([{ state: 'Completed', amount: 700 }]);
});

test('is as long after the approval as the acquirer holds; what nothing is held of has none', async () => {
  expect(await daysLeft(await authorized())).toBe(3);
  expect(await daysLeft(await authorized({ intent: 'AutoCapture' }))).toBeNull();
  expect(await daysLeft(await shop.purchase(1000))).toBeNull();
  const captured = await authorized();
  await followed(captured, 'captures', 400);
  expect(await daysLeft(captured)).toBe(3);
  await followed(captured, 'captures', 600);
  await makeOver(captured);
  expect(await round()).toBe(0);
});

test('lets nothing be captured any more, and cancels what is left, with its event and in the audit trail', async () => {
  const id = await authorized();
  await followed(id, 'captures', 400);
  expect(await round()).toBe(0);
  await makeOver(id);
  const over = await shop.get(id);
  expect(relsOf(over)).toEqual(['create-cancellation', 'create-reversal', 'paid-payment']);
  expect(over.body.payment.remainingCaptureAmount ?? 0).toBe(0);
  const refused = await followed(id, 'captures', 100);
  expect(refused).toMatchObject({ status: 403, body: { problems: [{ name: 'Capture' }] } });
  expect(await round()).toBe(1);
  expect(await cancellations(id)).toMatchObject([
    { state: 'Completed', amount: 600, description: 'AuthorizationExpired' },
  ]);
  expect(issuer.questions.at(-1)).toMatchObject({ operation: 'Cancel', amount: 600 });
  expect(relsOf(await shop.get(id))).toEqual(['create-reversal', 'paid-payment']);
  expect(
    await base.database.asAdmin(`
      select e.type, a.action, concat_ws(':', a.actor_kind, a.actor_id) as actor from event e
      join audit a on a.object_id = e.resource_id and a.action = 'cancel-card-payment'
      where e.resource_id = '${uuid(id)}' and e.type = 'card-payment.cancelled'`),
  ).toMatchObject([{ action: 'cancel-card-payment' }]);
  expect(await round()).toBe(0);
});

test('has nothing to do where another change takes the rest between its look and its write', async () => {
  const id = await authorized();
  await makeOver(id);
  const context = { ...base.service.slices.payments.context, issuers: issuer.issuers };
  const submit: typeof context.submit = async (kind, command) => {
    const members = { amount: 1000, vatAmount: 0, description: 'all', payeeReference: `taken-${uuid(id)}` };
    expect((await shop.follow(id, 'cancellations', members)).status).toBeLessThan(300);
    return context.submit(kind, command);
  };
  const key = { payeeId: base.payeeId, paymentId: uuid(id) as never };
  await endCardAuthorization({ transact: base.service.database.transact, context: { ...context, submit } }, key);
  expect(await cancellations(id)).toHaveLength(1);
});

test('that the acquirer declines is asked for hourly for a day, and then given up', async () => {
  const id = await authorized();
  await makeOver(id);
  for (let times = 0; times < 24; times++) {
    issuer.answerNext(DECLINED);
    expect(await round()).toBe(1);
    // Not before an hour has passed.
    expect(await round()).toBe(0);
    await base.database.asAdmin(
      `update card_payment set updated_at = kontor_now() - interval '1 hour',
        created_at = kontor_now() - interval '1 day' where payment_id = '${uuid(id)}'`,
    );
  }
  const asked = issuer.questions.length;
  expect(await round()).toBe(1);
  expect(issuer.questions).toHaveLength(asked);
  expect((await cancellations(id)).at(-1)).toMatchObject({ state: 'Completed', amount: 1000 });
  expect(await round()).toBe(0);
});

test('is given up at once where the acquirer takes no cancellation', async () => {
  const id = await authorized();
  await makeOver(id);
  terms = { operations: ['Authorize', 'Purchase', 'Verify', 'Capture', 'Reversal'] } as Partial<Issuer>;
  const asked = issuer.questions.length;
  expect(await round()).toBe(1);
  expect(issuer.questions).toHaveLength(asked);
  expect(await cancellations(id)).toMatchObject([{ state: 'Completed', amount: 1000 }]);
});

test('there is none of payments of before, which stand as they do', async () => {
  const id = await authorized();
  await base.database.asAdmin(`update card_payment set authorized_until = null where payment_id = '${uuid(id)}'`);
  expect(await round()).toBe(0);
  expect((await followed(id, 'captures', 1000)).status).toBe(200);
});
