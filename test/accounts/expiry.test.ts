import { afterAll, beforeAll, expect, it } from 'vitest';
import { refuteLedger } from '../support/issuer/accounts-ledger.ts';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, paid } from '../support/shop/accounts-shop.ts';

let kontor: TestService;
let shop: AccountsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
});
afterAll(() => kontor.stop());

/** Seven days later, for this payment. */
async function passTime(paymentId: string): Promise<void> {
  await kontor.database.asAdmin(`
    update payment set hold_expires_at = kontor_now() where payment_id = '${paymentId}';
    update account set next_hold_expires_at = kontor_now()
    where account_id = (select account_id from payment where payment_id = '${paymentId}')`);
}

it('holds for seven days', async () => {
  const answer = await shop.pay('authorize', await shop.open(100), { amount: 60 });
  const [row] = await kontor.database.asAdmin(
    `select hold_expires_at - created_at = interval '7 days' as week from payment where payment_id = '${answer.body.paymentId}'`,
  );
  expect(row).toEqual({ week: true });
});

it('shows and releases what was left when the time of a hold is over', async () => {
  const account = await shop.open(100);
  const authorized = await shop.pay('authorize', account, { amount: 60 });
  const payment = paid(account, authorized);
  await shop.follow('capture', payment, { amount: 20 });
  await passTime(payment.paymentId);
  const { body } = await kontor.send('GET', authorized.body.operations[0].href);
  expect(body).toMatchObject({ remainingCaptureAmount: 0, remainingCancelAmount: 0, remainingReversalAmount: 20 });
  const late = await shop.follow('capture', payment, { amount: 1 });
  expect(late).toMatchObject({ status: 403, body: { problems: [{ name: 'Capture' }] } });
  expect((await shop.follow('cancel', payment, {})).status).toBe(403);
  expect((await shop.follow('reversal', payment, { amount: 20 })).body.remainingReversalAmount).toBe(0);
  expect(await shop.balance(account)).toBe(100);
  expect((await kontor.send('GET', authorized.body.operations[0].href)).body.state).toBe('REVERSED');
  expect(await refuteLedger(kontor.database)).toEqual([]);
});

it('lets the money be spent again', async () => {
  const account = await shop.open(100);
  const { body } = await shop.pay('authorize', account, { amount: 100 });
  await passTime(body.paymentId);
  expect((await shop.pay('purchase', account, { amount: 100 })).body.state).toBe('OK');
});

it('tells what happened in events, numbered for each payment', async () => {
  const account = await shop.open(100);
  const payment = paid(account, await shop.pay('authorize', account, { amount: 60 }));
  await shop.follow('capture', payment, { amount: 10 });
  await shop.follow('capture', payment, { amount: 99 });
  await shop.follow('reversal', payment, { amount: 10 });
  await shop.follow('cancel', payment, {});
  const declined = await shop.pay('authorize', account, { amount: 101 });
  const rows = await kontor.database.asAdmin(
    `select e.type, e.resource_sequence::int as sequence from event e
     where resource_id in ('${payment.paymentId}', '${declined.body.paymentId}') order by resource_id, resource_sequence`,
  );
  expect(rows).toEqual([
    { type: 'payment.authorized', sequence: 1 },
    { type: 'payment.captured', sequence: 2 },
    { type: 'payment.reversed', sequence: 3 },
    { type: 'payment.cancelled', sequence: 4 },
    { type: 'payment.declined', sequence: 1 },
  ]);
});
