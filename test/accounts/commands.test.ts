import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountCommands } from '../../src/accounts/opening/accounts.cli.ts';
import { whichPayee } from '../../src/merchants/payees/which-payee.ts';
import { issuerCommands } from '../../src/portal/installation/issuers.cli.ts';
import { runCommand, serviceOf } from '../support/run-command.ts';
import { type TestService, testService } from '../support/service.ts';
import { accountsShop } from '../support/shop/accounts-shop.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

/** Runs a command line and returns what it prints. */
async function run(...words: string[]): Promise<string> {
  const { database, accounts } = kontor.service;
  const [group, ...behind] = words;
  if (group === 'issuers') {
    const runtime = serviceOf({ report: database.report, issuers: accounts.issuers });
    return (await runCommand(issuerCommands, runtime, behind)).join('\n');
  }
  const runtime = serviceOf({
    transact: database.background.transact,
    maker: kontor.service,
    whichPayee: (payee: string | undefined) => database.transact((transaction) => whichPayee(transaction, payee)),
  });
  return (await runCommand(accountCommands, runtime, behind)).join('\n');
}

describe('kontor accounts', () => {
  test('create opens one that can be paid with, writes it down, and shows number and code this once', async () => {
    const made = await run('accounts', 'create', '--currency', 'NOK', '--balance', '5000', '--cvc-required', '--json');
    const account = JSON.parse(made);
    expect(account).toEqual({
      paymentAccountId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      accountKey: expect.stringMatching(/^957801\d{10}$/),
      cvc: expect.stringMatching(/^\d{3}$/),
      expiryDate: expect.stringMatching(/^\d\d\/\d\d$/),
      currency: 'NOK',
      balance: 5000,
      instrument: 'prepaid',
    });
    const { accountKey, cvc, expiryDate, paymentAccountId } = account;
    const shop = accountsShop(kontor);
    const identifier = { accountKey, cvc, expiryDate };
    const held = await shop.pay('authorize', account, { amount: 1200, accountIdentifier: identifier });
    expect(held.body).toMatchObject({ state: 'OK', remainingCaptureAmount: 1200 });
    const wrong = { ...identifier, cvc: cvc === '000' ? '001' : '000' };
    const declined = await shop.pay('authorize', account, { amount: 1200, accountIdentifier: wrong });
    expect(declined.body.state).toBe('FAILED');
    const listed = await run('accounts', 'list', '--json');
    expect(JSON.parse(listed)[0]).toMatchObject({
      paymentAccountId,
      numberMasked: `957801******${accountKey.slice(-4)}`,
      available: 3800,
      held: 1200,
      currency: 'NOK',
    });
    for (const text of [listed, await run('accounts', 'list')]) {
      expect(text).toContain(paymentAccountId);
      expect(text).not.toContain(accountKey);
    }
    const audit = await kontor.database.asAdmin(
      `select action, concat_ws(':', actor_kind, actor_id) as actor, details from audit where object_id = '${paymentAccountId}'`,
    );
    expect(audit).toEqual([
      { action: 'open-account', actor: 'operator:cli', details: { amount: 5000, currency: 'NOK' } },
    ]);
  });

  test('create is good for so many months, to the end of the last one, and holds nothing unless told so', async () => {
    // Of the payee, and it may change meanwhile.
    const nextMonth = async () => {
      const [row] = await kontor.database.asAdmin(`
        select to_char(kontor_now() at time zone time_zone + interval '1 month', 'MM/YY') as month from payee
        where payee_id = '${kontor.payeeId}'`);
      return row?.['month'];
    };
    const months = [await nextMonth()];
    const account = JSON.parse(await run('accounts', 'create', '--currency', 'SEK', '--months', '1', '--json'));
    months.push(await nextMonth());
    expect(account).toMatchObject({
      balance: 0,
      expiryDate: expect.toSatisfy((month: string) => months.includes(month)),
    });
  });

  test.each([
    ['currency', '--currency', 'XXX'],
    ['months', '--currency', 'NOK', '--months', '0'],
    ['months', '--currency', 'NOK', '--months', '241'],
    ['balance', '--currency', 'NOK', '--balance', '1000000000000'],
  ])('create refuses a wrong %s, and opens nothing', async (member, ...words) => {
    const count = async () => (await kontor.database.asAdmin('select count(*)::int as n from account'))[0]?.['n'];
    const before = await count();
    await expect(run('accounts', 'create', ...words)).rejects.toMatchObject({ problems: [{ name: member }] });
    expect(await count()).toBe(before);
  });
});

test('kontor issuers list shows who decides, and on which numbers', async () => {
  const issuers = JSON.parse(await run('issuers', 'list', '--json'));
  expect(issuers).toMatchObject([
    { issuerId: 'ledger', kind: 'Ledger', state: 'Own', prefixes: expect.arrayContaining(['957801']) },
    { issuerId: 'sandbox', kind: 'Elsewhere', prefixes: expect.arrayContaining(['492500']) },
  ]);
  expect(await run('issuers', 'list')).toMatch(
    /^issuer +name +state +holds +first digits\nledger +Kontor +our own ledger +7 days/,
  );
});
