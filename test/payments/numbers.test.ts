import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../src/db/server/connection.ts';
import type { SendOptions } from '../support/service.ts';
import { type TestService, testService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { type CardSeller, cardSeller } from '../support/shop/gift-cards-seller.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let shop: CardPaymentsShop;
let seller: CardSeller;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
  seller = cardSeller(kontor);
});
afterAll(() => kontor.stop());

async function numberOf(options: SendOptions = {}): Promise<number> {
  return (await shop.create({}, options)).body.payment.number;
}

it('a payee’s numbers rise by what the payee does, whatever another one does between', async () => {
  const { accessToken, payeeId } = await kontor.addPayee();
  const another = { accessToken };
  const first = await numberOf();
  for (let round = 0; round < 5; round++) await numberOf(another);
  const paid = await shop.purchase(100, { intent: 'AutoCapture' });
  await shop.authorize(paid);
  const { paymentNumber } = await seller.issue(1000);
  await numberOf(another);
  expect((await numberOf()) - first).toBe(5);
  const { payment } = (await shop.get(`${paid}?$expand=transactions`)).body;
  const inOrder = payment.transactions.transactionList.map(({ number }: { readonly number: number }) => number);
  expect([payment.number, ...inOrder, paymentNumber]).toEqual([1, 2, 3, 4].map((step) => first + step));
  expect(await kontor.database.asAdmin(`select from number_block where payee_id = '${payeeId}'`)).toHaveLength(1);
});

it('while a capture waits for its payment, no other payment waits for the payee’s numbers', async () => {
  const id = await shop.purchase(100);
  await shop.authorize(id);
  const holder = await connect(kontor.database.adminUrl);
  await holder.command('begin');
  await holder.command(`select from card_payment where payment_id = '${id.slice(id.lastIndexOf('/') + 1)}' for update`);
  const capture = shop.follow(id, 'captures', { amount: 100 });
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await kontor.database.asAdmin(waits)).length > 0);
  // By another connection, as another process has it: the counter of the payee is free.
  const locked = holder.command(`select from number_counter where payee_id = '${kontor.payeeId}' for update nowait`);
  await expect(locked).resolves.toBeDefined();
  await holder.command('rollback');
  await holder.end();
  expect((await capture).status).toBe(200);
});

it('a payee whose numbers are used up gets 503 for what needs one; what needs none, and another payee, go on', async () => {
  const payee = await kontor.addPayee();
  const options = { accessToken: payee.accessToken };
  const { id } = (await shop.create({}, options)).body.payment;
  await shop.authorize(id, {}, options);
  await kontor.database.asAdmin(`
    insert into number_block (block, payee_id) values (9999999, '${payee.payeeId}');
    update number_counter set latest = 99999999999 where payee_id = '${payee.payeeId}'`);
  const [refused, seen, other] = await Promise.all([
    shop.create({}, options),
    kontor.send('GET', id, options),
    shop.create(),
  ]);
  expect(refused.status).toBe(503);
  expect(refused.body.detail).toContain('used up');
  expect((await shop.follow(id, 'captures', { amount: 1 }, options)).status).toBe(503);
  expect(seen.status).toBe(200);
  expect(other.status).toBe(200);
  expect((await kontor.send('GET', '/metrics')).text).toContain('\nkontor_payment_numbers_used_ratio 1\n');
});
