import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wrongCode } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';
import {
  type AccountsShop,
  accountsShop,
  type Members,
  newReference,
  type OpenedAccount,
  paid,
} from '../support/shop/accounts-shop.ts';

let kontor: TestService;
let shop: AccountsShop;
let account: OpenedAccount;
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
});
afterAll(() => kontor.stop());

/** A request with references of its own, to be sent more than once. */
const request = (members: Members = {}) => ({
  amount: 100,
  paymentOrderRef: newReference(),
  paymentTransactionRef: newReference(),
  description: 'Coffee',
  ...members,
});

describe('a reference that is known', () => {
  beforeAll(async () => {
    account = await shop.open(10_000);
  });

  it('answers a repeat with the payment as it is now, and anything else with DUPLICATE', async () => {
    const members = request();
    const first = await shop.pay('authorize', account, members);
    await shop.follow('capture', paid(account, first), { amount: 40 });
    const before = await shop.balance(account);

    const repeat = await shop.pay('authorize', account, { ...members, repeat: true });
    expect(repeat.body).toMatchObject({ state: 'OK', paymentId: first.body.paymentId, remainingCaptureAmount: 60 });
    const read = await kontor.send('GET', first.body.operations[0].href);
    expect(repeat.body).toEqual(read.body);
    for (const again of [{}, { repeat: false }]) {
      const duplicate = await shop.pay('authorize', account, { ...members, ...again });
      expect(duplicate.body).toEqual({ ...read.body, state: 'DUPLICATE' });
    }
    expect(await shop.balance(account)).toBe(before);
  });

  it('takes a repeat that comes first as the request', async () => {
    const answer = await shop.pay('authorize', account, request({ repeat: true }));
    expect(answer.body.state).toBe('OK');
  });

  it('keeps a decline, also when the money is there later', async () => {
    const poor = await shop.open(10);
    const members = request();
    const declined = await shop.pay('purchase', poor, members);
    expect(declined.body.state).toBe('FAILED');
    await shop.pay('deposit', poor, { amount: 1000 });
    const repeat = await shop.pay('purchase', poor, { ...members, repeat: true });
    expect(repeat.body).toMatchObject({ state: 'FAILED', paymentId: declined.body.paymentId });
    expect((await shop.pay('purchase', poor, members)).body.state).toBe('DUPLICATE');
    expect(await shop.balance(poor)).toBe(1010);
  });

  it.each<[string, Members]>([
    ['amount', { amount: 101 }],
    ['currency', { currency: 'SEK' }],
    ['order', { paymentOrderRef: 'another-order' }],
    ['description', { description: 'Tea' }],
    ['no description', { description: undefined }],
    ['additional data', { additionalData: 'more' }],
    ['merchant', { merchant: { merchantName: 'Bakery' } }],
    ['terminal', { merchant: { merchantName: 'Kiosk', terminalId: '7' } }],
    ['expiry', { expiry: '11/39' }],
  ])('is 422 with another %s, repeat or not', async (_, { expiry, ...other }) => {
    const members = request();
    const first = await shop.pay('authorize', account, members);
    const accountIdentifier = { accountKey: account.accountKey, ...(expiry !== undefined && { expiryDate: expiry }) };
    for (const repeat of [true, false]) {
      const answer = await shop.pay('authorize', account, { ...members, accountIdentifier, ...other, repeat });
      expect(answer.status).toBe(422);
      expect(answer.body.type).toMatch(/\/errordetail\/referencereused$/);
    }
    const read = await kontor.send('GET', first.body.operations[0].href);
    expect(read.body).toEqual(first.body);
  });

  it('compares neither cvc, security code, PIN nor stan: they are no oracle either', async () => {
    const members = request();
    const sent = (code: string, stan: string) => ({
      ...members,
      stan,
      accountIdentifier: { accountKey: shop.nok.accountKey, cvc: code, securityCode: code, encryptedPin: `00${code}` },
    });
    const first = await shop.pay('authorize', shop.nok, sent(shop.nok.cvc, '1'));
    expect(first.body.state).toBe('OK');
    const wrong = wrongCode(shop.nok.cvc);
    const again = await shop.pay('authorize', shop.nok, { ...sent(wrong, '2'), repeat: true });
    expect(again.body).toEqual(first.body);
  });

  it('is 422 for another operation, account, or a capture', async () => {
    const members = request();
    const first = await shop.pay('authorize', account, members);
    expect((await shop.pay('purchase', account, members)).status).toBe(422);
    expect((await shop.pay('authorize', await shop.open(500), members)).status).toBe(422);
    const { paymentTransactionRef } = members;
    expect((await shop.follow('capture', paid(account, first), { amount: 1, paymentTransactionRef })).status).toBe(422);
  });

  it('belongs to its payee alone', async () => {
    const other = await kontor.addPayee();
    const paymentTransactionRef = newReference();
    await shop.pay('authorize', account, { amount: 1, paymentTransactionRef });
    const path = `/api/payments/payment-account/transactions?paymentTransactionRef=${paymentTransactionRef}`;
    expect((await kontor.send('GET', path, other)).body).toEqual({ status: 'notSeen' });
    expect((await kontor.send('GET', path)).body.status).toBe('done');
  });
});

describe('a capture, cancel or reversal whose reference is known', () => {
  it('has one effect, and answers with what is left now', async () => {
    const own = await shop.open(1000);
    const payment = paid(own, await shop.pay('authorize', own, { amount: 500 }));
    const members = { amount: 100, paymentTransactionRef: newReference() };
    const first = await shop.follow('capture', payment, members);
    await shop.follow('capture', payment, { amount: 50 });
    const repeat = await shop.follow('capture', payment, { ...members, repeat: true });
    expect(repeat.body).toEqual({
      ...first.body,
      operations: repeat.body.operations,
      _links: repeat.body._links,
      remainingCaptureAmount: 350,
      remainingCancelAmount: 350,
      remainingReversalAmount: 150,
    });
    const duplicate = await shop.follow('capture', payment, members);
    expect(duplicate.body).toMatchObject({ state: 'DUPLICATE', transactionId: first.body.transactionId });
    expect((await shop.follow('capture', payment, { ...members, amount: 101 })).status).toBe(422);
    expect((await shop.follow('reversal', payment, members)).status).toBe(422);
    expect((await shop.follow('capture', payment, { ...members, cancelRemainingAuth: true })).status).toBe(422);
  });

  it('does not give back twice behind an error', async () => {
    const own = await shop.open(1000);
    const payment = paid(own, await shop.pay('purchase', own, { amount: 600 }));
    const members = { amount: 400, paymentTransactionRef: newReference() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.follow('reversal', payment, members)));
    expect(answers.map(({ body }) => body.state).sort()).toEqual([...Array(7).fill('DUPLICATE'), 'OK']);
    expect(await shop.balance(own)).toBe(800);
  });

  it('must name the order of its payment', async () => {
    const own = await shop.open(1000);
    const payment = paid(own, await shop.pay('authorize', own, { amount: 600 }));
    const other = { ...payment, paymentOrderRef: 'another-order' };
    expect((await shop.follow('capture', other, { amount: 1 })).status).toBe(422);
    expect((await shop.follow('cancel', other, {})).status).toBe(422);
  });
});

describe('twins at the same moment', () => {
  it('have one effect between them', async () => {
    const own = await shop.open(10_000);
    for (let round = 0; round < 5; round++) {
      const members = request();
      const answers = await Promise.all(Array.from({ length: 6 }, () => shop.pay('authorize', own, members)));
      expect(answers.map(({ body }) => body.state).sort()).toEqual([...Array(5).fill('DUPLICATE'), 'OK']);
      expect(new Set(answers.map(({ body }) => body.paymentId)).size).toBe(1);
    }
    expect(await shop.balance(own)).toBe(9500);
  });
});

describe('the look-up by reference', () => {
  const lookUp = (reference: string) =>
    kontor.send('GET', `/api/payments/payment-account/transactions?paymentTransactionRef=${reference}`);

  it('tells payments, captures and cancels apart', async () => {
    const own = await shop.open(1000);
    const refs = { pay: newReference(), capture: newReference(), cancel: newReference() };
    expect((await lookUp(refs.pay)).body).toEqual({ status: 'notSeen' });
    const first = await shop.pay('authorize', own, { amount: 600, paymentTransactionRef: refs.pay });
    const payment = paid(own, first);
    await shop.follow('capture', payment, { amount: 100, paymentTransactionRef: refs.capture });
    const cancelled = await shop.follow('cancel', payment, { paymentTransactionRef: refs.cancel });
    const read = await kontor.send('GET', first.body.operations[0].href);
    expect((await lookUp(refs.pay)).body).toEqual({ status: 'done', payment: read.body });
    expect((await lookUp(refs.capture)).body).toMatchObject({
      status: 'done',
      transaction: { operation: 'Capture', remainingReversalAmount: 100 },
    });
    expect((await lookUp(refs.cancel)).body).toEqual({ status: 'done', operation: cancelled.body });
    expect((await lookUp('not%20a%20reference')).status).toBe(400);
  });

  it('leaves the reference free for the request that comes after it', async () => {
    const reference = newReference();
    await lookUp(reference);
    const answer = await shop.pay('authorize', await shop.open(5), { amount: 5, paymentTransactionRef: reference });
    expect(answer.body.state).toBe('OK');
  });
});
