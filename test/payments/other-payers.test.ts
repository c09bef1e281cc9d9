import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';

let kontor: TestService;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());

const ALL = {
  generatePaymentToken: true,
  generateRecurrenceToken: true,
  generateTransactionOnFileToken: true,
  generateUnscheduledToken: true,
};

/** A payment that has stored the payer's card, as each kind of token. */
const paidBy = async (payerReference: string) => {
  const id = await shop.purchase(100, { payerReference, ...ALL });
  return { authorization: (await shop.authorize(id)).body.authorization };
};
const archive = (token: string) =>
  kontor.send('PATCH', `/online/payer/payees/${kontor.payeeId}/tokens/${token}/archives`, {
    body: { reason: 'No longer wanted', updatedBy: 'PAYEE' },
  });

describe('a token of another payer', () => {
  const WAYS = [
    ['Purchase', 'paymentToken', 'paymentToken'],
    ['Recur', 'recurrenceToken', 'recurrenceToken'],
    ['UnscheduledPurchase', 'unscheduledToken', 'unscheduledToken'],
    ['UnscheduledPurchase', 'paymentToken', 'transactionOnFileToken'],
  ] as const;

  it.each(WAYS)('is unknown to a %s that names its payer, as %s', async (operation, member, made) => {
    const { authorization } = await paidBy('bob');
    const priced = operation === 'Purchase' ? {} : { prices: undefined, amount: 100 };
    const pay = (members: object) => shop.create({ operation, ...priced, [member]: authorization[made], ...members });
    for (const named of [
      { payerReference: 'anna' },
      { payer: { payerReference: 'anna' } },
      { payerReference: 'BOB' },
    ]) {
      const answer = await pay(named);
      expect([answer.status, answer.body.type]).toEqual([404, expect.stringMatching(/\/notfound$/)]);
    }
    // The controls: its own payer is named, or none.
    for (const named of [{ payerReference: 'bob' }, {}]) {
      const answer = await pay(named);
      expect([answer.status, answer.body.payment?.payerReference]).toEqual([200, 'bob']);
    }
  });

  it('is 404 also where it is archived', async () => {
    const { authorization } = await paidBy('carl');
    await archive(authorization.paymentToken);
    const { paymentToken } = authorization;
    expect((await shop.create({ paymentToken, payerReference: 'anna' })).status).toBe(404);
    expect((await shop.create({ paymentToken, payerReference: 'carl' })).status).toBe(422);
  });
});
