import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OrderWalks, orderWalks } from '../support/payer/order-walks.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
let shop: OrderWalks['shop'];
let walks: OrderWalks;
beforeAll(async () => {
  kontor = await testService();
  walks = orderWalks(kontor);
  shop = walks.shop;
});
afterAll(() => kontor.stop());

test.each([
  ['Purchase', 'paymentToken'],
  ['Recur', 'recurrenceToken'],
  ['UnscheduledPurchase', 'unscheduledToken'],
])('a %s with a token of another payer than it names is 404', async (operation, member) => {
  const generate = { generatePaymentToken: true, generateRecurrenceToken: true, generateUnscheduledToken: true };
  const first = await walks.walk({ ...generate, payer: { payerReference: 'bob' } });
  await first.payer.payByCard();
  const type = member.replace('Token', '');
  const { tokens } = (await walks.orderOf(first.id, 'paid')).paid;
  const { token } = tokens.find((made: { type: string }) => made.type === type);
  const order = (payer: object) => shop.create({ operation, [member]: token, amount: 500, vatAmount: 0, ...payer });
  expect((await order({ payer: { payerReference: 'anna' } })).status).toBe(404);
  for (const payer of [{ payer: { payerReference: 'bob' } }, {}]) expect((await order(payer)).status).toBe(200);
});
