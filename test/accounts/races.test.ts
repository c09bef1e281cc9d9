import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import { refuteLedger } from '../support/issuer/accounts-ledger.ts';
import type { Answer, TestService } from '../support/service.ts';
import {
  type AccountsShop,
  accountsShop,
  type Members,
  type NewPaymentVerb,
  newReference,
  type OpenedAccount,
  type Paid,
  type PayableAccount,
  paid,
} from '../support/shop/accounts-shop.ts';

let instances: TwoInstances;
let kontor: TestService;
/** The same shop at two instances of the service on one database, in processes of their own. */
let shops: readonly [AccountsShop, AccountsShop];
beforeAll(async () => {
  instances = await twoInstances();
  kontor = instances.kontor;
  shops = [accountsShop(kontor), accountsShop(instances.other)];
});
afterAll(async () => {
  expect(await refuteLedger(kontor.database)).toEqual([]);
  await instances.stop();
});

const shopOf = (index: number): AccountsShop => shops[index % 2 === 0 ? 0 : 1];
const pay = (index: number, verb: NewPaymentVerb, account: PayableAccount, members: Members) =>
  shopOf(index).pay(verb, account, members);
const many = (count: number, send: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));
const succeeded = (answers: readonly Answer[]) => answers.filter(({ body }) => body.state === 'OK').length;

describe('concurrent spends of one account', () => {
  it.each([2, 3, 10, 50, 200])(
    '%i at two instances: as many succeed as the balance pays for',
    async (count) => {
      const amount = 70;
      const pays = Math.ceil(count / 2);
      const account = await shops[0].open(pays * amount + 69);
      const answers = await many(count, (index) =>
        pay(index, index % 3 === 0 ? 'purchase' : 'authorize', account, { amount }),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(200));
      expect(succeeded(answers)).toBe(pays);
      const declined = answers.filter(({ body }) => body.state === 'FAILED');
      for (const { body } of declined) expect(body.problem.type).toMatch(/acquirerinsufficientfunds$/);
      expect(await shops[0].balance(account)).toBe(69);
    },
    30_000,
  );

  it('counts holds at once: what is held cannot be spent', async () => {
    const account = await shops[0].open(100);
    expect((await pay(0, 'authorize', account, { amount: 80 })).body.state).toBe('OK');
    expect((await pay(1, 'purchase', account, { amount: 30 })).body.state).toBe('FAILED');
    expect((await pay(1, 'purchase', account, { amount: 20 })).body.state).toBe('OK');
  });
});

describe('races on one authorization', () => {
  const authorized = async (amount: number): Promise<{ account: OpenedAccount; payment: Paid }> => {
    const account = await shops[0].open(amount);
    return { account, payment: paid(account, await pay(0, 'authorize', account, { amount })) };
  };

  it('partial captures never go above it', async () => {
    const { account, payment } = await authorized(1000);
    const answers = await many(16, (index) => shopOf(index).follow('capture', payment, { amount: 150 }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
    const rest = await shops[0].follow('cancel', payment, {});
    expect(rest.body).toMatchObject({ amount: 100, remainingReversalAmount: 900 });
    expect(await shops[0].balance(account)).toBe(100);
  });

  it('a hold is released once, by whichever comes first', async () => {
    const { account, payment } = await authorized(500);
    const answers = await many(8, (index) => shopOf(index).follow('cancel', payment, {}));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await shops[0].balance(account)).toBe(500);
  });

  it('a capture and a cancel share it, in either order', async () => {
    for (let round = 0; round < 10; round++) {
      const { account, payment } = await authorized(100);
      const [capture, cancel] = await Promise.all([
        shopOf(round).follow('capture', payment, { amount: 60 }),
        shopOf(round + 1).follow('cancel', payment, {}),
      ]);
      const captured = capture.status === 200 ? 60 : 0;
      expect(cancel.status).toBe(200);
      expect(captured + cancel.body.amount).toBe(100);
      expect(await shops[0].balance(account)).toBe(100 - captured);
    }
  });

  it('reversals never give back more than was captured', async () => {
    const account = await shops[0].open(1000);
    const payment = paid(account, await pay(0, 'purchase', account, { amount: 1000 }));
    const answers = await many(12, (index) => shopOf(index).follow('reversal', payment, { amount: 300 }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await shops[0].balance(account)).toBe(900);
  });
});

describe('races on a card of an external issuer', () => {
  const cardOf = (): PayableAccount => {
    const [card] = shops[0].testCards;
    if (card === undefined) throw new Error('the sandbox has test cards');
    return card;
  };
  const left = async (payment: Paid) => {
    const path = `/api/payments/payment-account/${payment.paymentAccountId}/payment/${payment.paymentId}`;
    const { remainingCaptureAmount, remainingReversalAmount } = (await kontor.send('GET', path)).body;
    return [remainingCaptureAmount, remainingReversalAmount];
  };

  it('partial captures never go above it, while each waits for its issuer', async () => {
    const payment = paid(cardOf(), await pay(0, 'authorize', cardOf(), { amount: 3_000_000 }));
    // Each is answered after a second, so that they wait at once.
    const answers = await many(8, (index) => shopOf(index).follow('capture', payment, { amount: 900305 }));
    expect(succeeded(answers)).toBe(3);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
    expect(await left(payment)).toEqual([3_000_000 - 3 * 900305, 3 * 900305]);
  });

  it('captures and cancels share it, reversals share what was captured', async () => {
    for (let round = 0; round < 5; round++) {
      const payment = paid(cardOf(), await pay(0, 'authorize', cardOf(), { amount: 100 }));
      const answers = await many(6, (index) =>
        index % 3 === 2
          ? shopOf(round + index).follow('cancel', payment, {})
          : shopOf(round + index).follow('capture', payment, { amount: 40 }),
      );
      const good = answers.filter(({ status }) => status === 200).map(({ body }) => body);
      const captured = 40 * good.filter(({ operation }) => operation === 'Capture').length;
      const cancelled = good.find(({ operation }) => operation === 'Cancel')?.amount;
      expect(captured + cancelled).toBe(100);
      const back = await many(5, (index) => shopOf(index).follow('reversal', payment, { amount: 30 }));
      const given = 30 * back.filter(({ status }) => status === 200).length;
      expect(given).toBe(captured - (captured % 30));
      expect(await left(payment)).toEqual(captured > 0 && given === captured ? [0, 0] : [0, captured - given]);
    }
  });

  it('one reference is asked of the issuer once, however often it is sent', async () => {
    const payment = paid(cardOf(), await pay(0, 'authorize', cardOf(), { amount: 1_000_000 }));
    const members = { amount: 900305, paymentTransactionRef: newReference(), repeat: true };
    const answers = await many(6, (index) => shopOf(index).follow('capture', payment, members));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.transactionId}`)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ state: 'OK', remainingReversalAmount: 900305 });
    const attempts = await kontor.database.asAdmin(
      `select from issuer_attempt where payment_id = '${payment.paymentId}' and transaction_id is not null`,
    );
    expect(attempts).toHaveLength(1);
  });
});

describe('one reference at two instances', () => {
  it('has one effect, also over two accounts', async () => {
    const [a, b] = [await shops[0].open(1000), await shops[0].open(1000)];
    for (let round = 0; round < 10; round++) {
      const members = { amount: 10, paymentTransactionRef: newReference(), paymentOrderRef: 'o' };
      const answers = await Promise.all([
        pay(0, 'purchase', a, members),
        pay(1, 'purchase', b, members),
        pay(0, 'purchase', b, { amount: 1 }),
        pay(1, 'purchase', a, { amount: 1 }),
      ]);
      expect(
        answers
          .slice(0, 2)
          .map(({ status }) => status)
          .sort(),
      ).toEqual([200, 422]);
      expect(succeeded(answers.slice(2))).toBe(2);
    }
    expect((await shops[0].balance(a)) + (await shops[0].balance(b))).toBe(2000 - 10 * 12);
  });

  it('a retry under another reference is another payment: both are there to be seen', async () => {
    const account = await shops[0].open(100);
    const first = await pay(0, 'purchase', account, { amount: 60 });
    const retry = await pay(1, 'purchase', account, { amount: 60 });
    expect([first.body.state, retry.body.state]).toEqual(['OK', 'FAILED']);
    expect(await shops[1].balance(account)).toBe(40);
  });
});
