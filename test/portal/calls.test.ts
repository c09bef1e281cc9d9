import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, paid } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop, VISA } from '../support/shop/card-payments-shop.ts';
import { type Browser, signedIn } from '../support/shop/portal.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let shop: AccountsShop;
let browser: Browser;
let here: string;

beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
  browser = await signedIn(kontor);
  here = `/portal/api/payees/${kontor.payeeId}`;
});
afterAll(() => kontor.stop());

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
async function callOf(sessionId: string): Promise<any> {
  let calls: { callId: string }[] = [];
  await until(async () => {
    calls = (await browser.get(`${here}/calls?sessionId=${sessionId}`)).body.calls;
    return calls.length > 0;
  });
  return (await browser.get(`${here}/calls/${calls[0]?.callId}`)).body.call;
}

const sessionOf = ({ headers }: { readonly headers: Headers }) => headers.get('session-id') ?? '';

describe('the log of calls', () => {
  test('has a call with both bodies, of which it shows what is harmless', async () => {
    const account = await shop.open(1000);
    const answer = await shop.pay('authorize', account, { amount: 300 });
    const call = await callOf(sessionOf(answer));
    expect(call).toMatchObject({
      method: 'POST',
      operationId: 'authorizeAccountPayment',
      route: '/api/payments/payment-account/:paymentAccountId/payment/authorize',
      address: `/api/payments/payment-account/${account.paymentAccountId}/payment/authorize`,
      status: 200,
      problem: null,
      resourceId: answer.body.paymentId,
    });
    expect(JSON.parse(call.requestBody)).toMatchObject({
      amount: 300,
      currency: 'NOK',
      accountIdentifier: { accountKey: '***' },
    });
    expect(JSON.parse(call.answerBody)).toMatchObject({ state: 'OK', remainingCaptureAmount: 300 });
    const { timeline } = (await browser.get(`${here}/payments/${answer.body.paymentId}`)).body;
    expect(timeline[0]).toMatchObject({ kind: 'call', id: call.callId, status: 200 });
  });

  test('says why a request failed, also one whose body could not be used', async () => {
    const account = await shop.open(1000);
    const refused = await shop.pay('authorize', account, { amount: 'much' });
    expect(await callOf(sessionOf(refused))).toMatchObject({ status: 400, problem: 'inputerror' });
    const lost = await kontor.send('GET', `/psp/nowhere/${VISA}`);
    expect(await callOf(sessionOf(lost))).toMatchObject({ status: 404, route: 'unknown', address: 'unknown' });
    const broken = await kontor.send('POST', '/psp/creditcard/payments', { body: `{"cardNumber": ${VISA}` });
    expect(await callOf(sessionOf(broken))).toMatchObject({ status: 400, requestBody: '"***"' });
  });

  test('is cut down to a route, a status, a class of them, and a period', async () => {
    await callOf(sessionOf(await kontor.send('GET', '/psp/nowhere')));
    const statuses = async (query: string) =>
      (await browser.get(`${here}/calls?${query}`)).body.calls.map(({ status }: { status: number }) => status);
    expect(new Set(await statuses('status=4xx'))).toEqual(new Set([400, 404]));
    expect(new Set(await statuses('status=404'))).toEqual(new Set([404]));
    expect(new Set(await statuses('route=unknown'))).toEqual(new Set([404]));
    expect(await statuses('to=2020-01-01T00:00:00Z')).toEqual([]);
    for (const query of ['status=9xx', 'status=all', 'sessionId=x', 'from=x']) {
      expect([query, (await browser.get(`${here}/calls?${query}`)).status]).toEqual([query, 400]);
    }
  });

  test("leaves out what the portal's own pages read, and keeps what they change", async () => {
    const { accessToken, hmac } = (await browser.post(`${here}/session-credentials`)).body;
    const read = await kontor.send('GET', '/events', { accessToken });
    const account = await shop.open(1000);
    const made = paid(account, await shop.pay('authorize', account, { amount: 5 }));
    const path = `/api/payments/payment-account/${account.paymentAccountId}/payment/${made.paymentId}/cancel`;
    const body = { paymentOrderRef: made.paymentOrderRef, paymentTransactionRef: 'cancelled-in-the-portal' };
    const changed = await kontor.send('POST', path, { accessToken, hmac, body });
    expect(await callOf(sessionOf(changed))).toMatchObject({ operationId: 'cancelAccountPayment' });
    expect((await browser.get(`${here}/calls?sessionId=${sessionOf(read)}`)).body.calls).toEqual([]);
  });

  test('is for those who look after programs, and of no other payee', async () => {
    const other = await kontor.addPayee();
    const theirs = await kontor.send('GET', '/events', { accessToken: other.accessToken });
    const operator = await signedIn(kontor, 'operator');
    const at = `/portal/api/payees/${other.payeeId}/calls`;
    await until(async () => (await operator.get(at)).body.calls.length > 0);
    const { callId } = (await operator.get(at)).body.calls[0];
    expect((await browser.get(`${here}/calls?sessionId=${sessionOf(theirs)}`)).body.calls).toEqual([]);
    expect((await browser.get(`${here}/calls/${callId}`)).status).toBe(404);
  });
});

test('nothing in the log is card data, a secret, a token or a payer', async () => {
  const cards = cardPaymentsShop(kontor);
  const payer = 'one-payer-in-particular';
  const id = await cards.purchase(1500, { payerReference: payer, generateUnscheduledToken: true });
  const authorized = await cards.authorize(id, { cardVerificationCode: '737', cardholderName: 'Ada Example' });
  const hook = await kontor.send('POST', '/webhooks', { body: { url: 'https://shop.example/secret-path' } });
  const wrong = await cards.create({ description: `paid with ${VISA}` });
  await Promise.all([authorized, hook, wrong].map((answer) => callOf(sessionOf(answer))));
  const rows = await kontor.database.asAdmin('select row_to_json(c)::text as text from api_call c');
  const all = rows.map(({ text }) => text).join('\n');
  const tokens = authorized.text.match(/"unscheduledToken":"([^"]+)"/)?.slice(1) ?? [];
  expect(tokens).toHaveLength(1);
  const secrets = [VISA, '"737"', 'Ada Example', payer, hook.body.secret, kontor.accessToken, kontor.hmac.secret];
  for (const secret of [...secrets, ...tokens, 'secret-path']) expect(all).not.toContain(secret);
});
