import { afterAll, beforeAll, expect, it } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

it('serves a token that was imported', async () => {
  await kontor.importLines([
    { payerReference: 'anna', tokenType: 'Payment', instrument: 'CreditCard', pan: testCardNumber(1), expiryDate: '01/2030' },
  ]);
  const { status, body } = await kontor.send('GET', `/online/payer/payees/${kontor.payeeId}/payers/anna/tokens`);
  expect(status).toBe(200);
  expect(body.tokens.tokenlist).toHaveLength(1);
});
