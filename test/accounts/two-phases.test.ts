import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, newReference, paid } from '../support/shop/accounts-shop.ts';

let kontor: TestService;
let shop: AccountsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
});
afterAll(() => kontor.stop());

const remaining = (capture: number, cancel: number, reversal: number) => ({
  remainingCaptureAmount: capture,
  remainingCancelAmount: cancel,
  remainingReversalAmount: reversal,
});

/** The names of what an answer says can be done. */
const rels = (body: { operations: { rel: string }[] }) => body.operations.map(({ rel }) => rel);

describe('the amounts of an account payment', () => {
  it('holds, captures in parts, cancels the rest and gives back', async () => {
    const account = await shop.open(10_000);
    const authorized = await shop.pay('authorize', account, { amount: 1000, description: 'Coffee' });
    expect(authorized).toMatchObject({ status: 200, body: { state: 'OK', amount: 1000, ...remaining(1000, 1000, 0) } });
    expect(rels(authorized.body)).toEqual(['get-payment', 'create-capture', 'create-cancellation']);
    expect(await shop.balance(account)).toBe(9000);

    const payment = paid(account, authorized);
    const first = await shop.follow('capture', payment, { amount: 300 });
    expect(first.body).toMatchObject({ state: 'OK', operation: 'Capture', amount: 300, ...remaining(700, 700, 300) });
    expect(rels(first.body)).toEqual(['get-payment', 'create-capture', 'create-cancellation', 'create-reversal']);
    const second = await shop.follow('capture', payment, { amount: 200 });
    expect(second.body).toMatchObject(remaining(500, 500, 500));

    const cancelled = await shop.follow('cancel', payment, {});
    expect(cancelled.body).toMatchObject({ operation: 'Cancel', amount: 500, state: 'OK', ...remaining(0, 0, 500) });
    expect(cancelled.body.operationId).toEqual(expect.any(String));
    expect(await shop.balance(account)).toBe(9500);

    const part = await shop.follow('reversal', payment, { amount: 100 });
    expect(part.body).toMatchObject({ operation: 'Reversal', state: 'OK', ...remaining(0, 0, 400) });
    const rest = await shop.follow('reversal', { ...payment, paymentId: first.body.transactionId }, { amount: 400 });
    expect(rest.body).toMatchObject(remaining(0, 0, 0));
    expect(rels(rest.body)).toEqual(['get-payment']);
    expect(await shop.balance(account)).toBe(10_000);

    const href = authorized.body.operations[0].href;
    const read = await kontor.send('GET', `${href}?$expand=Transactions,cancellations`);
    expect(read.body).toMatchObject({ state: 'REVERSED', paymentId: payment.paymentId, ...remaining(0, 0, 0) });
    expect(read.body.transactions.map(({ operation, amount }: never) => [operation, amount])).toEqual([
      ['Capture', 300],
      ['Capture', 200],
      ['Reversal', 100],
      ['Reversal', 400],
    ]);
    expect(read.body.cancellations).toHaveLength(1);
    expect(Array.isArray(read.body.operations)).toBe(true);
  });

  it('releases the rest with the last capture where it is asked to', async () => {
    const account = await shop.open(500);
    const authorized = await shop.pay('authorize', account, { amount: 500 });
    const answer = await shop.follow('capture', paid(account, authorized), { amount: 200, cancelRemainingAuth: true });
    expect(answer.body).toMatchObject({ amount: 200, ...remaining(0, 0, 200) });
    expect(await shop.balance(account)).toBe(300);
  });

  it.each([
    ['purchase', 'Purchase', -700],
    ['deposit', 'Deposit', 700],
    ['credit', 'Credit', 700],
  ] as const)('%s moves the money at once, and a reversal moves it back', async (verb, operation, change) => {
    const account = await shop.open(1000);
    const answer = await shop.pay(verb, account, { amount: 700 });
    expect(answer.body).toMatchObject({ operation, state: 'OK', ...remaining(0, 0, 700) });
    expect(rels(answer.body)).toEqual(['get-payment', 'create-reversal']);
    expect(await shop.balance(account)).toBe(1000 + change);
    const back = await shop.follow('reversal', paid(account, answer), { amount: 700 });
    expect(back.body).toMatchObject({ state: 'OK', ...remaining(0, 0, 0) });
    expect(await shop.balance(account)).toBe(1000);
    const read = await kontor.send('GET', answer.body.operations[0].href);
    expect(read.body.state).toBe('REVERSED');
  });

  it('checks the card and holds nothing with an authorize of 0; the others refuse 0', async () => {
    const account = await shop.open(100);
    const answer = await shop.pay('authorize', account, { amount: 0 });
    expect(answer.body).toMatchObject({ state: 'OK', amount: 0, ...remaining(0, 0, 0) });
    for (const verb of ['purchase', 'deposit', 'credit'] as const) {
      const refused = await shop.pay(verb, account, { amount: 0 });
      expect(refused).toMatchObject({ status: 400, body: { problems: [{ name: 'amount' }] } });
    }
    for (const verb of ['capture', 'reversal'] as const) {
      const refused = await shop.follow(verb, paid(account, answer), { amount: 0 });
      expect(refused).toMatchObject({ status: 400, body: { problems: [{ name: 'amount' }] } });
    }
  });

  it('carries the largest amount exactly', async () => {
    const account = await shop.open(999_999_999_999);
    const answer = await shop.pay('purchase', account, { amount: 999_999_999_999 });
    expect(answer.body).toMatchObject({ state: 'OK', ...remaining(0, 0, 999_999_999_999) });
    expect(await shop.balance(account)).toBe(0);
    const tooMuch = await shop.pay('deposit', account, { amount: 1_000_000_000_000 });
    expect(tooMuch.status).toBe(400);
  });
});

describe('what is impossible', () => {
  it.each([
    ['capture', 'Capture', { amount: 501 }],
    ['reversal', 'Reversal', { amount: 1 }],
  ] as const)('%s above what is left is 403 and leaves the reference free', async (verb, name, members) => {
    const account = await shop.open(500);
    const payment = paid(account, await shop.pay('authorize', account, { amount: 500 }));
    const paymentTransactionRef = newReference();
    const refused = await shop.follow(verb, payment, { ...members, paymentTransactionRef });
    expect(refused).toMatchObject({ status: 403, body: { problems: [{ name }] } });
    const captured = await shop.follow('capture', payment, { amount: 500, paymentTransactionRef });
    expect(captured).toMatchObject({ status: 200, body: { state: 'OK' } });
  });

  it('refuses to cancel what was captured, and to cancel twice', async () => {
    const account = await shop.open(500);
    const captured = paid(account, await shop.pay('purchase', account, { amount: 100 }));
    expect(await shop.follow('cancel', captured, {})).toMatchObject({
      status: 403,
      body: { problems: [{ name: 'Cancel' }] },
    });
    const payment = paid(account, await shop.pay('authorize', account, { amount: 100 }));
    expect((await shop.follow('cancel', payment, {})).status).toBe(200);
    expect((await shop.follow('cancel', payment, {})).status).toBe(403);
    expect((await shop.follow('capture', payment, { amount: 1 })).body.problems[0].name).toBe('Capture');
    expect(await shop.balance(account)).toBe(400);
  });

  it('refuses what the account may not hold, and to take back what is spent', async () => {
    const account = await shop.open(100, { largestBalance: 1000 as never });
    for (const verb of ['deposit', 'credit'] as const) {
      const refused = await shop.pay(verb, account, { amount: 901 });
      expect(refused).toMatchObject({
        status: 403,
        body: { problems: [{ name: verb === 'deposit' ? 'Deposit' : 'Credit' }] },
      });
    }
    const deposit = paid(account, await shop.pay('deposit', account, { amount: 900 }));
    await shop.pay('purchase', account, { amount: 500 });
    const refused = await shop.follow('reversal', deposit, { amount: 501 });
    expect(refused).toMatchObject({ status: 403, body: { problems: [{ name: 'Reversal' }] } });
    expect((await shop.follow('reversal', deposit, { amount: 500 })).status).toBe(200);
  });

  it('does not follow a declined payment up', async () => {
    const account = await shop.open(10);
    const declined = await shop.pay('authorize', account, { amount: 11 });
    expect(declined.body.state).toBe('FAILED');
    expect(rels(declined.body)).toEqual(['get-payment']);
    for (const verb of ['capture', 'reversal'] as const) {
      expect((await shop.follow(verb, paid(account, declined), { amount: 1 })).status).toBe(403);
    }
    expect((await shop.follow('cancel', paid(account, declined), {})).status).toBe(403);
  });

  it('answers 404 for an unknown account or payment, whatever the body', async () => {
    const account = await shop.open(10);
    const nowhere = { ...account, paymentAccountId: 'no-account' };
    expect((await shop.pay('authorize', nowhere, { amount: 'x' })).status).toBe(404);
    const foreign = { paymentAccountId: account.paymentAccountId, paymentId: 'x', paymentOrderRef: 'o' };
    expect((await shop.follow('capture', foreign, { amount: 'x' })).status).toBe(404);
    const other = await shop.open(10);
    const payment = paid(account, await shop.pay('authorize', account, { amount: 5 }));
    const moved = { ...payment, paymentAccountId: other.paymentAccountId };
    expect((await shop.follow('capture', moved, { amount: 5 })).status).toBe(404);
  });
});
