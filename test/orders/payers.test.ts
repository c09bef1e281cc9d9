import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetSomePayers } from '../../src/orders/payers/order-payers.ts';
import { erasing } from '../support/payer/persons.ts';
import { type TestService, testService } from '../support/service.ts';
import { type OrdersShop, ordersShop } from '../support/shop/orders-shop.ts';

let kontor: TestService;
let shop: OrdersShop;
beforeAll(async () => {
  kontor = await testService();
  shop = ordersShop(kontor);
});
afterAll(() => kontor.stop());

/** Makes an order of a payer, and answers where it tells of them. */
async function orderOf(payerReference: string): Promise<string> {
  const { body } = await shop.create({ payer: { payerReference, firstName: 'Bodil' } });
  return `${body.paymentOrder.id}/payers`;
}
const nameAt = async (path: string) => (await shop.get(path)).body.payer.name;

test('a payer is erased from all orders of that reference and no others, and the trail says so', async () => {
  const [one, two, other] = [await orderOf('bodil'), await orderOf('bodil'), await orderOf('berit')];
  const erase = () => erasing(kontor, { payerReference: 'bodil' });
  const nothing = { cardPayments: 0, tokens: 0, tombstones: 0, giftCards: 0 };
  expect([await erase(), await erase()]).toEqual([
    { orders: 2, ...nothing },
    { orders: 0, ...nothing },
  ]);
  expect(await Promise.all([one, two, other].map(nameAt))).toEqual([undefined, undefined, 'Bodil']);
  const trail = await kontor.database.asAdmin(
    "select details from audit where action = 'erase-payer' order by audit_id",
  );
  const payer = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(trail).toEqual([{ details: { times: 2, payer } }, { details: { times: 0, payer } }]);
});

test('a payer is forgotten a year after the end of the order', async () => {
  const [open, ended, recent] = [await orderOf('a'), await orderOf('b'), await orderOf('c')];
  const idOf = (path: string) => path.split('/').at(-2);
  const long = "kontor_now() - interval '13 months'";
  await kontor.database.asAdmin(`update order_payer set created_at = ${long}`);
  await kontor.database.asAdmin(
    `update payment_order set created_at = ${long}, updated_at = ${long}, status = 'Aborted', abort_reason = 'Expired' where order_id = '${idOf(ended)}'`,
  );
  await kontor.database.asAdmin(
    `update payment_order set status = 'Aborted', abort_reason = 'Expired' where order_id = '${idOf(recent)}'`,
  );
  expect(await kontor.database.transact(forgetSomePayers)).toBe(false);
  expect(await Promise.all([open, ended, recent].map(nameAt))).toEqual(['Bodil', undefined, 'Bodil']);
});
