import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wrongCode } from '../support/numbers.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import {
  type AccountsShop,
  accountsShop,
  type Members,
  newReference,
  ownNumber,
} from '../support/shop/accounts-shop.ts';

let kontor: TestService;
let shop: AccountsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
});
afterAll(() => kontor.stop());

/** Expects a decline with this code, and that it moved nothing. */
function expectDecline(answer: Answer, code: string, amount: number): void {
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    state: 'FAILED',
    amount,
    remainingCaptureAmount: 0,
    remainingCancelAmount: 0,
    remainingReversalAmount: 0,
    problem: { type: `${kontor.baseUrl}/errordetail/creditcard/${code}` },
  });
}

describe('a decline', () => {
  it.each<[string, string, Members]>([
    ['another currency', 'carddeclined', { currency: 'SEK' }],
    ['too little money', 'acquirerinsufficientfunds', { amount: 1001 }],
  ])('for %s', async (_, code, members) => {
    const account = await shop.open(1000);
    expectDecline(
      await shop.pay('purchase', account, { amount: 10, ...members }),
      code,
      Number(members['amount'] ?? 10),
    );
    expect(await shop.balance(account)).toBe(1000);
  });

  it('explains itself at the address of its type', async () => {
    const answer = await shop.pay('authorize', await shop.open(1), { amount: 2 });
    const page = await kontor.send('GET', answer.body.problem.type, { accessToken: null });
    expect(page).toMatchObject({
      status: 200,
      body: { title: answer.body.problem.title, type: answer.body.problem.type },
    });
    expect((await kontor.send('GET', '/errordetail/creditcard/nothing', { accessToken: null })).status).toBe(404);
  });

  it('for a number that is not the account’s, as for an unknown card', async () => {
    const account = await shop.open(1000);
    const other = await shop.open(1000);
    for (const accountKey of [other.accountKey, ownNumber(), '4925000000000004']) {
      expectDecline(
        await shop.pay('authorize', account, { amount: 1, accountIdentifier: { accountKey } }),
        'carddeclined',
        1,
      );
    }
  });

  it('for a product that the account must not be spent on', async () => {
    const account = await shop.open(1000, { allowedProductIds: ['food', '17'] });
    const buy = (productId: unknown) =>
      shop.pay('purchase', account, { amount: 10, products: [{ productId, amount: 10 }] });
    expectDecline(await buy('wine'), 'carddeclined', 10);
    const bought = await buy(17);
    expect(bought.body).toMatchObject({
      state: 'OK',
      allowedProductIds: ['food', '17'],
      products: [{ productId: '17' }],
    });
  });

  it('but not where no product is named: the answer says what the account is for', async () => {
    const account = await shop.open(1000, { allowedProductIds: ['food'] });
    for (const verb of ['purchase', 'authorize'] as const) {
      const { body } = await shop.pay(verb, account, { amount: 10 });
      expect(body).toMatchObject({ state: 'OK', allowedProductIds: ['food'] });
    }
  });

  it('for a card that has expired, and for a missing cvc where one is needed', async () => {
    const expired = await shop.open(1000, { expiresOn: '2020-01-31' });
    expectDecline(await shop.pay('authorize', expired, { amount: 1 }), 'acquirercardexpired', 1);
    const needy = await shop.open(1000, { cvcRequired: true, expiresOn: '2039-12-31' });
    expectDecline(await shop.pay('authorize', needy, { amount: 1 }), 'carddeclined', 1);
    const body = { accountIdentifier: { accountKey: needy.accountKey } };
    expect((await kontor.send('POST', '/api/payments/payment-account/balance', { body })).status).toBe(404);
  });

  it('for a wrong cvc or expiry, of the same looks', async () => {
    const { accountKey, cvc, expiryDate } = shop.sek;
    const pay = (accountIdentifier: Members) =>
      shop.pay('authorize', shop.sek, {
        amount: 1,
        currency: 'SEK',
        accountIdentifier: { accountKey, ...accountIdentifier },
      });
    expect((await pay({ cvc, expiryDate })).body.state).toBe('OK');
    expect((await pay({ cvc: Number(cvc), securityCode: cvc })).body.state).toBe('OK');
    const problems = [];
    for (const wrong of [{ cvc: wrongCode(cvc) }, { securityCode: wrongCode(cvc) }, { cvc, expiryDate: '11/39' }]) {
      const answer = await pay(wrong);
      expectDecline(answer, 'carddeclined', 1);
      problems.push(answer.body.problem);
    }
    expect(new Set(problems.map((problem) => JSON.stringify(problem))).size).toBe(1);
  });
});

describe('five wrong values', () => {
  it('block the card, whether sent to pay or to ask, and however many at once', async () => {
    const { accountKey, cvc } = shop.nok;
    const wrong = { accountKey, cvc: wrongCode(cvc) };
    const balance = (accountIdentifier: Members) =>
      kontor.send('POST', '/api/payments/payment-account/balance', { body: { accountIdentifier } });
    expect((await balance({ accountKey, cvc })).status).toBe(200);
    expect((await balance(wrong)).status).toBe(404);
    const pay = (accountIdentifier: Members) => shop.pay('authorize', shop.nok, { amount: 1, accountIdentifier });
    await Promise.all(Array.from({ length: 3 }, () => pay(wrong)));
    expect((await pay({ accountKey, cvc })).body.state).toBe('OK');
    expectDecline(await pay(wrong), 'carddeclined', 1);
    expectDecline(await pay({ accountKey, cvc }), 'carddeclined', 1);
    expect((await balance({ accountKey, cvc })).status).toBe(404);

    // For this caller alone: another caller with the right code is not kept from the card.
    const accessToken = await kontor.addAccessToken(['accounts']);
    const other = { body: { accountIdentifier: { accountKey, cvc } }, accessToken };
    expect((await kontor.send('POST', '/api/payments/payment-account/balance', other)).status).toBe(200);
    const closed = `select payee_id, account_id, key as caller, value from account, jsonb_each(strikers)
      where value ->> 'blockedUntil' is not null`;
    const [row] = await kontor.database.asAdmin(
      `select (value ->> 'blockedUntil')::timestamptz - kontor_now() between interval '23 hours' and interval '24 hours' as day
       from (${closed}) closed`,
    );
    expect(row).toEqual({ day: true });
    await kontor.database.asAdmin(
      `update account a set strikers = jsonb_build_object(closed.caller,
         closed.value || jsonb_build_object('blockedUntil', to_char(kontor_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
       from (${closed}) closed where a.payee_id = closed.payee_id and a.account_id = closed.account_id`,
    );
    expect((await pay({ accountKey, cvc })).body.state).toBe('OK');
  });

  it('count once for each reference', async () => {
    const { accountKey, cvc } = shop.sek;
    await kontor.database.asAdmin('update account set strikes = 0, strikes_end_at = null, strikers = null');
    const members = {
      amount: 1,
      currency: 'SEK',
      paymentOrderRef: 'o',
      paymentTransactionRef: newReference(),
      accountIdentifier: { accountKey, cvc: wrongCode(cvc) },
    };
    for (let time = 0; time < 7; time++) await shop.pay('authorize', shop.sek, members);
    const [row] = await kontor.database.asAdmin('select max(strikes) as strikes from account');
    expect(row).toEqual({ strikes: 1 });
  });
});

describe('an identifier that contradicts itself', () => {
  it.each<[string, (key: string, id: string) => Members, string]>([
    ['accountId of another account', (accountKey) => ({ accountKey, accountId: '12345' }), 'accountId'],
    ['accountId as a number', (accountKey) => ({ accountKey, accountId: 12345 }), 'accountId'],
    [
      'accountId of the account with another number',
      (_, accountId) => ({ accountKey: ownNumber(), accountId }),
      'accountId',
    ],
    ['track 2 of another card', (accountKey) => ({ accountKey, track2: `${ownNumber()}=39121010000` }), 'track2'],
    [
      'track 2 with another expiry',
      (accountKey) => ({ accountKey, expiryDate: '11/39', track2: `${accountKey}=3912` }),
      'track2',
    ],
    ['neither accountKey nor track 2', (_, accountId) => ({ accountId }), 'accountKey'],
  ])('%s is 400', async (_, identifier, member) => {
    const account = await shop.open(100);
    const accountIdentifier = identifier(account.accountKey, account.paymentAccountId);
    const answer = await shop.pay('authorize', account, { amount: 1, accountIdentifier });
    expect(answer).toMatchObject({ status: 400, body: { problems: [{ name: `accountIdentifier.${member}` }] } });
  });

  it('takes track 2 alone', async () => {
    const account = await shop.open(100);
    const accountIdentifier = { track2: `${account.accountKey}=39121011234500000` };
    const answer = await shop.pay('authorize', account, { amount: 1, accountIdentifier });
    expect(answer.body).toMatchObject({ state: 'OK', accountIdentifier: { track2: '***' } });
  });
});
