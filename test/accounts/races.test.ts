import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuteLedger } from '../support/accounts-ledger.ts';
import {
  type AccountsShop,
  accountsShop,
  type Members,
  newReference,
  type OpenedAccount,
  type OpeningVerb,
  type Paid,
  paid,
} from '../support/accounts-shop.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';

let kontor: TestService;
let other: ServiceProcess;
/** The same shop at two instances of the service on one database, in processes of their own. */
let shops: readonly [AccountsShop, AccountsShop];
beforeAll(async () => {
  kontor = await testService();
  const { appUrl, ownerUrl } = kontor.database;
  other = await startService({
    KONTOR_DATABASE_URL: appUrl,
    KONTOR_DATABASE_OWNER_URL: ownerUrl,
    KONTOR_DATA_DIR: kontor.config.dataDir,
    KONTOR_PORT: '0',
    KONTOR_LOG_LEVEL: 'silent',
  });
  const second: TestService = {
    ...kontor,
    send: (method, path, options) =>
      kontor.send(method, path.startsWith('http') ? path : `${other.baseUrl}${path}`, options),
  };
  shops = [accountsShop(kontor), accountsShop(second)];
});
afterAll(async () => {
  expect(await refuteLedger(kontor.database)).toEqual([]);
  await other.stop();
  await kontor.stop();
});

const shopOf = (index: number): AccountsShop => shops[index % 2 === 0 ? 0 : 1];
const pay = (index: number, verb: OpeningVerb, account: OpenedAccount, members: Members) =>
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

  it('a hold is released once, by whoever comes first', async () => {
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
