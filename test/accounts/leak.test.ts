import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, newReference, paid } from '../support/shop/accounts-shop.ts';

const PIN = 'CA7A51E0DDBA11FE';
const DISCRETIONARY = '77771234987654';

let kontor: TestService;
let shop: AccountsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
});
afterAll(() => kontor.stop());

/** How many files of the database server, its log and its WAL among them, hold a text. */
async function filesWith(text: string): Promise<number> {
  const [row] = await kontor.database.asAdmin(
    "checkpoint; select setting from pg_settings where name = 'data_directory'",
  );
  const directory = String(row?.['setting']);
  return new Promise((resolve, reject) => {
    // Status 1: nothing was found. 2: a file went while it was read; what was found counts all the same.
    execFile('grep', ['-raFls', text, directory], (error, stdout) => {
      if (error !== null && typeof error.code !== 'number') return reject(error);
      resolve(stdout.split('\n').filter((line) => line !== '').length);
    });
  });
}

it('leaves no number, track 2 or PIN in the database’s files, whatever became of the request', async () => {
  const account = await shop.open(1000);
  const { accountKey } = account;
  // A card that no other test uses: they run on the same server.
  const card = await shop.firstSight(testCardNumber(98_765_432));
  const marker = `marker-${newReference()}`;
  const secrets = (number: string) => ({ track2: `${number}=3912101${DISCRETIONARY}`, encryptedPin: PIN, cvc: '987' });
  for (const payable of [account, card]) {
    const accountIdentifier = { accountKey: payable.accountKey, ...secrets(payable.accountKey) };
    const members = { amount: 10, accountIdentifier, description: marker, paymentTransactionRef: newReference() };
    const answer = await shop.pay('authorize', payable, members);
    await shop.pay('authorize', payable, members);
    await shop.pay('purchase', payable, { ...members, amount: 11 });
    await shop.pay('purchase', payable, { ...members, amount: 5000, paymentTransactionRef: newReference() });
    await shop.pay('authorize', payable, { ...members, currency: 'XYZ', paymentTransactionRef: newReference() });
    await shop.follow('capture', paid(payable, answer), { amount: 10 });
    await kontor.send('POST', '/api/payments/payment-account/balance', { body: { accountIdentifier } });
  }
  // The positive control: what is meant to be stored is found in the same places.
  expect(await filesWith(marker)).toBeGreaterThan(0);
  for (const secret of [PIN, DISCRETIONARY, accountKey, card.accountKey]) expect(await filesWith(secret)).toBe(0);
}, 60_000);
