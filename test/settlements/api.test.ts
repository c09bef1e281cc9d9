import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { cardPaymentsShop, VISA } from '../support/shop/card-payments-shop.ts';
import { type Browser, signedIn, signedInAs } from '../support/shop/portal.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const idOf = (number: number) => `ffffffff-ffff-7fff-8fff-${String(number).padStart(12, '0')}`;

/** Adds a closed day to a payee. */
async function addDay(payeeId: string, number: number, day: string): Promise<void> {
  await kontor.database.asAdmin(`
    insert into settlement_day (payee_id, settlement_id, acquirer, agreement, merchant_id, currency, day, state, sales_number,
      sales_amount, sale_reversals_number, sale_reversals_amount, refunds_number, refunds_amount, refund_reversals_number,
      refund_reversals_amount, net, closed_at, updated_at, event_sequence)
    values ('${payeeId}', '${idOf(number)}', 'north', 'a${number}', '1', 'NOK', '${day}', 'Closed', 2, 500, 0, 0, 1, 200, 0,
      0, 300, kontor_now(), kontor_now(), 0)`);
}

async function addDispute(payeeId: string, number: number, paymentId = idOf(number)): Promise<void> {
  await kontor.database.asAdmin(`
    insert into dispute (payee_id, dispute_id, acquirer, agreement, case_id, attempt_id, payment_id, stage, state, amount,
      currency, opened_at, updated_at, event_sequence)
    values ('${payeeId}', '${idOf(number)}', 'north', 'a', 'C${number}', '${idOf(number)}', '${paymentId}', 'Chargeback',
      'Open', 900, 'NOK', kontor_now(), kontor_now(), 0)`);
}

describe('a payee', () => {
  beforeAll(async () => {
    await addDay(kontor.payeeId, 1, '2026-03-08');
    await addDay(kontor.payeeId, 2, '2026-03-09');
    await addDay(kontor.payeeId, 3, '2026-03-09');
    for (const number of [1, 2, 3]) await addDispute(kontor.payeeId, number);
  });

  test('reads closed days page by page, the latest first, each once', async () => {
    const agreements: string[] = [];
    let path: string | undefined = '/psp/settlements?limit=2';
    while (path !== undefined) {
      const { status, body } = await kontor.send('GET', path);
      expect(status).toBe(200);
      const { settlementList, hasMore } = body.settlements;
      agreements.push(...settlementList.map(({ agreement }: { agreement: string }) => agreement));
      const next = body.operations.find(({ rel }: { rel: string }) => rel === 'next');
      expect(next !== undefined).toBe(hasMore);
      path = next && new URL(next.href).pathname + new URL(next.href).search;
    }
    expect(agreements).toEqual(['a3', 'a2', 'a1']);
  });

  test('reads those of one day, and one with all of it', async () => {
    const { body } = await kontor.send('GET', '/psp/settlements?day=2026-03-08');
    expect(body.settlements.settlementList).toMatchObject([
      { day: '2026-03-08', state: 'Closed', totals: { sales: { number: 2, amount: 500 }, net: 300 } },
    ]);
    const [{ href }] = body.settlements.settlementList[0].operations;
    const one = await kontor.send('GET', new URL(href).pathname);
    expect(one.body.settlement).toMatchObject({ day: '2026-03-08', payouts: [], differences: [] });
    expect((await kontor.send('GET', '/psp/settlements?day=2026-03-07')).body.settlements.settlementList).toEqual([]);
  });

  test.each(['2026-02-30', '2026-3-9', 'yesterday', "2026-03-09'"])('is told that %s is no day', async (day) => {
    const { status, body } = await kontor.send('GET', `/psp/settlements?day=${encodeURIComponent(day)}`);
    expect(status).toBe(400);
    expect(body.problems[0].name).toBe('day');
  });

  test('reads disputes page by page, and of one state', async () => {
    const first = await kontor.send('GET', '/psp/disputes?limit=2&state=Open');
    expect(first.body.disputes.disputeList).toHaveLength(2);
    const next = new URL(first.body.operations[0].href);
    const second = await kontor.send('GET', next.pathname + next.search);
    expect(second.body.disputes).toMatchObject({ hasMore: false, disputeList: [{ state: 'Open' }] });
    expect((await kontor.send('GET', '/psp/disputes?state=Won')).body.disputes.disputeList).toEqual([]);
    expect((await kontor.send('GET', '/psp/disputes?state=Gone')).status).toBe(400);
  });

  test('sees nothing of another one, neither in lists nor by id nor after an id', async () => {
    const { accessToken } = await kontor.addPayee(['payments']);
    const as = { accessToken };
    for (const path of ['/psp/settlements', `/psp/settlements?after=${idOf(3)}`, '/psp/settlements?day=2026-03-09']) {
      expect((await kontor.send('GET', path, as)).body.settlements.settlementList).toEqual([]);
    }
    expect((await kontor.send('GET', '/psp/disputes', as)).body.disputes.disputeList).toEqual([]);
    for (const path of [`/psp/settlements/${idOf(1)}`, `/psp/disputes/${idOf(1)}`, '/psp/disputes/x']) {
      expect((await kontor.send('GET', path, as)).status).toBe(404);
    }
  });

  test('needs the scope payments', async () => {
    const accessToken = await kontor.addAccessToken(['events']);
    expect((await kontor.send('GET', '/psp/settlements', { accessToken })).status).toBe(403);
  });
});

test('what is disputed cannot be reversed; the rest can', async () => {
  const shop = cardPaymentsShop(kontor);
  const payment = await shop.purchase(1_000);
  await shop.authorize(payment, { cardNumber: VISA });
  const step = (name: string, amount: number, payeeReference: string) =>
    kontor.send('POST', `${payment}/${name}`, {
      body: { transaction: { amount, vatAmount: 0, description: name, payeeReference } },
    });
  expect((await step('captures', 1_000, 'disputed-1')).status).toBe(200);
  const paymentId = payment.split('/').at(-1) ?? '';
  await addDispute(kontor.payeeId, 9, paymentId);
  await kontor.database.asAdmin(`update card_payment set disputed = 900 where payment_id = '${paymentId}'`);
  expect(await step('reversals', 101, 'disputed-2')).toMatchObject({
    status: 403,
    body: { problems: [{ name: 'Reversal' }] },
  });
  expect((await step('reversals', 100, 'disputed-3')).status).toBe(200);
  expect((await step('reversals', 1, 'disputed-4')).status).toBe(403);
  await kontor.database.asAdmin(`update card_payment set disputed = 0 where payment_id = '${paymentId}'`);
  expect((await step('reversals', 900, 'disputed-5')).status).toBe(200);
});

describe('in the portal', () => {
  const here = () => `/portal/api/payees/${kontor.payeeId}`;
  const difference = idOf(70);
  let browser: Browser;
  beforeAll(async () => {
    browser = await signedIn(kontor);
    await addDay(kontor.payeeId, 71, '2026-04-01');
    await addDispute(kontor.payeeId, 72);
    await kontor.database.asAdmin(`
      insert into settlement_difference (payee_id, difference_id, kind, acquirer, agreement, currency, ours, theirs, opened_at)
      values ('${kontor.payeeId}', '${difference}', 'unknownToUs', 'north', 'a71', 'NOK', null, 12500, kontor_now())`);
  });
  const table = async (name: string) => {
    const { status, text } = await browser.get(`${here()}/${name}`);
    expect(status, name).toBe(200);
    return text
      .trim()
      .split('\n')
      .map((line) => line.split(','));
  };

  test('tables have days, differences and disputes, each with a heading; none has another payee’s', async () => {
    const days = await table('settlements.csv');
    expect(days[0]?.slice(10, 13)).toEqual(['owed', 'settled', 'missing']);
    expect(days.find((cells) => cells[0] === '2026-04-01')?.slice(6, 13)).toEqual([
      '5.00',
      '0.00',
      '2.00',
      '0.00',
      '3.00',
      '0.00',
      '3.00',
    ]);
    expect((await table('differences.csv')).find((cells) => cells[1] === 'unknownToUs')?.[7]).toBe('125.00');
    expect((await table('disputes.csv')).some((cells) => cells[1] === 'C72')).toBe(true);
    expect(await table('settlement-days/2026-04-01/items.csv')).toHaveLength(1);
    expect((await browser.get(`${here()}/settlement-days/2026-02-30/items.csv`)).status).toBe(400);
    const other = await kontor.addPayee();
    await addDay(other.payeeId, 73, '2026-04-02');
    expect((await table('settlements.csv')).some((cells) => cells[0] === '2026-04-02')).toBe(false);
  });

  test('a dispute takes the steps that it lists, by those who keep books; twice is as once', async () => {
    const steps = (number: number) => `${here()}/disputes/${idOf(number)}/steps`;
    const take = (who: Browser, number: number, step: string) => who.post(steps(number), { step });
    const accountants = await signedInAs(kontor, 'finance');
    for (const number of [74, 75]) await addDispute(kontor.payeeId, number);
    expect((await browser.get(steps(74))).body).toEqual({ steps: ['accept', 'represent', 'win', 'lose'] });
    expect((await take(await signedInAs(kontor, 'support'), 74, 'accept')).status).toBe(403);
    expect((await take(browser, 74, 'forget')).status).toBe(400);
    expect((await take(accountants, 74, 'represent')).body).toEqual({ steps: ['win', 'lose'], approval: null });
    expect(await take(browser, 74, 'accept')).toMatchObject({ status: 403, body: { problems: [{ name: 'Dispute' }] } });
    // Two people at once: one step is taken, and the other is as if it came later.
    const raced = await Promise.all([take(browser, 75, 'accept'), take(accountants, 75, 'represent')]);
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 403]);
    const doubled = await Promise.all([1, 2, 3].map(() => take(browser, 74, 'win')));
    expect(doubled.map(({ status, body }) => [status, body.steps])).toEqual([1, 2, 3].map(() => [200, []]));
    const audits = await kontor.database.asAdmin(`
      select details ->> 'state' as state, actor_kind = 'portal-user' as person from audit
      where action = 'change-dispute' and object_id = '${idOf(74)}' order by audit_id`);
    expect(audits).toEqual([
      { state: 'Represented', person: true },
      { state: 'Won', person: true },
    ]);
    const other = await kontor.addPayee();
    await addDispute(other.payeeId, 76);
    for (const number of [76, 77]) {
      expect([(await browser.get(steps(number))).status, (await take(browser, number, 'accept')).status]).toEqual([
        404, 404,
      ]);
    }
    expect((await take(browser, 72, 'lose')).body).toEqual({ steps: [], approval: null });
  });

  test('a difference is resolved with a reason, once, by those who keep books', async () => {
    const open = async () => (await browser.get(`${here()}/differences?state=Open`)).body.differences;
    expect(await open()).toMatchObject([{ differenceId: difference, kind: 'unknownToUs', day: null, theirs: 12_500 }]);
    const resolve = (who: Browser, reason: string) =>
      who.post(`${here()}/differences/${difference}/resolve`, { reason });
    expect((await resolve(await signedInAs(kontor, 'support'), 'no')).status).toBe(403);
    expect((await resolve(browser, ' ')).status).toBe(400);
    expect(await open()).toHaveLength(1);
    expect((await resolve(browser, 'It was a fee.')).status).toBe(200);
    expect(await open()).toEqual([]);
    expect((await resolve(browser, 'again')).status).toBe(404);
    const [audit] = await kontor.database.asAdmin(`
      select concat_ws(':', actor_kind, actor_id) as actor, details ->> 'reason' as reason from audit where action = 'resolve-difference'`);
    expect(audit).toMatchObject({ actor: expect.stringContaining('portal-user:'), reason: 'It was a fee.' });
  });
});

test('a dispute of an account payment leads to that payment', async () => {
  await kontor.database.asAdmin(`
    insert into account (payee_id, account_id, kind, instrument, issuer, number_digest, number_key_id, number_masked)
    values ('${kontor.payeeId}', '${idOf(80)}', 'External', 'creditcard', 'north', sha256('80'), 'fingerprint-1', '4925');
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled, reversed,
      payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    values ('${kontor.payeeId}', '${idOf(80)}', '${idOf(80)}', 'Purchase', 'OK', 900, 'NOK', 900, 0, 0, 'order', 'p80', '{}',
      kontor_now(), kontor_now(), 1)`);
  await addDispute(kontor.payeeId, 80);
  const { body } = await kontor.send('GET', `/psp/disputes/${idOf(80)}`);
  const { href } = body.operations.find(({ rel }: { rel: string }) => rel === 'get-payment');
  expect(new URL(href).pathname).toBe(`/api/payments/payment-account/${idOf(80)}/payment/${idOf(80)}`);
});
