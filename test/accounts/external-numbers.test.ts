import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endCardHistory } from '../../src/payments/cards/end-card-history.ts';
import { freshCard } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, paid } from '../support/shop/accounts-shop.ts';

// A card that an issuer elsewhere decides on has an account, which is found by a digest of the card's number. The digest ends 45 days after
// the last use at most, and 30 at least.

let kontor: TestService;
let shop: AccountsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
});
afterAll(() => kontor.stop());

/** So many days pass for an account without a use. */
async function pass(days: number, paymentAccountId: string): Promise<void> {
  await kontor.database.asAdmin(
    `update account set number_ends_at = number_ends_at - interval '${days} days' where account_id = '${paymentAccountId}'`,
  );
  while (await kontor.database.transact(endCardHistory));
}
const keyOf = async (paymentAccountId: string) =>
  (
    await kontor.database.asAdmin(`select number_key_id as key from account where account_id = '${paymentAccountId}'`)
  )[0]?.['key'];
const states = async (...answers: readonly Promise<{ readonly body: { readonly state?: string } }>[]) =>
  (await Promise.all(answers)).map(({ body }) => body.state);

describe("the account of an issuer's card", () => {
  test('is found for 44 days, and after 45 another one is made; what was paid by the first one can be captured and refunded', async () => {
    const accountKey = freshCard('debit');
    const first = await shop.firstSight(accountKey);
    const made = await shop.pay('authorize', first, { amount: 500 });
    expect(made.body.state).toBe('OK');
    await pass(44, first.paymentAccountId);
    expect(await keyOf(first.paymentAccountId)).toBe('account-numbers-1');
    await pass(1, first.paymentAccountId);
    expect(await keyOf(first.paymentAccountId)).toBe('none');
    const second = await shop.firstSight(accountKey);
    expect(second.paymentAccountId).not.toBe(first.paymentAccountId);
    expect(await shop.firstSight(accountKey)).toEqual(second);
    // As any number that is not the account's.
    const declined = await shop.pay('authorize', first, { amount: 500 });
    expect([declined.body.state, declined.body.problem.type]).toEqual([
      'FAILED',
      expect.stringMatching(/carddeclined$/),
    ]);
    expect(await states(shop.pay('authorize', second, { amount: 500 }))).toEqual(['OK']);
    const captured = await shop.follow('capture', paid(first, made), { amount: 500 });
    expect(captured.body.state).toBe('OK');
    expect((await shop.follow('reversal', paid(first, made), { amount: 500 })).body.state).toBe('OK');
  });

  test.each(['a payment', 'a balance'])('is found for 30 days more after %s', async (use) => {
    const accountKey = freshCard('debit');
    const account = await shop.firstSight(accountKey);
    await pass(40, account.paymentAccountId);
    if (use === 'a balance') expect(await shop.firstSight(accountKey)).toEqual(account);
    else expect(await states(shop.pay('authorize', account, { amount: 500 }))).toEqual(['OK']);
    await pass(30, account.paymentAccountId);
    expect(await shop.firstSight(accountKey)).toEqual(account);
  });

  test('stays while the card is blocked: a block does not end with the digest', async () => {
    const accountKey = freshCard('debit');
    const { paymentAccountId } = await shop.firstSight(accountKey);
    await kontor.database.asAdmin(
      `update account set blocked_at = kontor_now() where account_id = '${paymentAccountId}'`,
    );
    await pass(100, paymentAccountId);
    expect(await keyOf(paymentAccountId)).toBe('account-numbers-1');
  });

  test('that is ours keeps its number', async () => {
    const account = await shop.open(1000);
    await pass(1000, account.paymentAccountId);
    expect(await shop.balance(account)).toBe(1000);
  });
});
