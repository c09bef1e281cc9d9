import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { freshCard } from '../support/numbers.ts';
import { type PayPage, payPage, stateIn } from '../support/payer/pay-page.ts';
import { type TestService, testService } from '../support/service.ts';
import { AMEX, MASTERCARD, VISA, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

/** Stores cards of a payer by paying with them, and gives their tokens. */
async function store(payerReference: string, ...numbers: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const number of numbers) {
    const page = await payPage(kontor, { payerReference, generatePaymentToken: true });
    const typed = { number, cvc: number === AMEX ? '1234' : '123', consent: 'yes', card: 'new' };
    const answer = await page.pay(typed);
    if (answer.headers.get('location')?.endsWith('/challenge')) await page.confirm('Approved');
    const { paid } = (await kontor.send('GET', `${page.id}/paid`)).body;
    tokens.push(paid.tokens[0].token);
  }
  return tokens;
}

const tokenOf = (index: number) => `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`;

const CONFIRMED = { confirmed: 'yes' };

const offered = async (page: PayPage) =>
  [...(await page.open()).text.matchAll(/id="card-\d" name="card" value="([^"]+)"/g)].map(([, token]) => token);

describe('stored cards', () => {
  it('are offered, three at most, to their payer alone', async () => {
    const [, second, third, fourth] = await store('anna', VISA, MASTERCARD, AMEX, '5019994016316467');
    const page = await payPage(kontor, { payerReference: 'anna' });
    expect(await offered(page)).toEqual([fourth, third, second]);
    const { text } = await page.open();
    expect(text).toContain('Amex •••• 0000');
    expect(text.split('id="test-cards"')[0]).not.toContain('377601');
    expect(await offered(await payPage(kontor, { payerReference: 'bjorn' }))).toEqual([]);
    expect(await offered(await payPage(kontor))).toEqual([]);
  });

  it('pay with their code', async () => {
    const [token] = await store('carl', VISA);
    const page = await payPage(kontor, { payerReference: 'carl' });
    expect(await page.pay({ card: token, number: undefined, cvc: '' })).toMatchObject({ status: 422 });
    expect(await page.pay({ card: token, number: undefined, expiry: undefined })).toMatchObject({ status: 303 });
    const { authorizations } = (await kontor.send('GET', `${page.id}/authorizations`)).body;
    expect(authorizations.authorizationList[0]).toMatchObject({ maskedPan: '492500******0004', expiryDate: '12/2039' });
  });

  it('that an issuer has called stolen are not offered again', async () => {
    const [stolen, good] = [freshCard('debit'), freshCard('credit')];
    const [stolenToken, goodToken] = await store('stine', stolen, good);
    const real = await scriptedIssuer(kontor, { mode: 'production' });
    const page = () => payPage(real.kontor, { payerReference: 'stine' });
    expect(await offered(await page())).toEqual([goodToken, stolenToken]);
    real.answerNext({
      outcome: 'Declined',
      problem: 'acquirercardstolen',
      responseCode: '209',
      retry: { advice: 'Never' },
    });
    await (await page()).pay({ card: stolenToken, number: undefined, expiry: undefined });
    expect(await offered(await page())).toEqual([goodToken]);
    await kontor.database.asAdmin('update blocked_card set blocked_until = kontor_now()');
    expect(await offered(await page())).toEqual([goodToken, stolenToken]);
    await real.stop();
  });

  it('of American Express want four digits', async () => {
    const [token] = await store('dora', AMEX);
    const page = await payPage(kontor, { payerReference: 'dora', language: 'en-US' });
    expect((await page.pay({ card: token })).text).toContain('The security code has 4 digits');
    expect(await page.pay({ card: token, cvc: '1234' })).toMatchObject({ status: 303 });
  });

  it('may need 3-D Secure, and are still there afterwards', async () => {
    const [token] = await store('emil', VISA_WITH_3D_SECURE);
    const page = await payPage(kontor, { payerReference: 'emil' });
    expect((await page.pay({ card: token })).headers.get('location')).toBe(`${page.path}/challenge`);
    await page.confirm('Approved');
    expect(stateIn(await page.open())).toBe('paid');
    expect(await offered(await payPage(kontor, { payerReference: 'emil' }))).toEqual([token]);
  });

  it('come once, however often they were stored, and the one that the payee names comes first', async () => {
    const [first, , mastercard] = await store('frida', VISA, VISA, MASTERCARD);
    const page = await payPage(kontor, { payerReference: 'frida' });
    expect((await offered(page)).length).toBe(2);
    const named = await payPage(kontor, { payerReference: 'frida', paymentToken: first });
    expect((await offered(named))[0]).toBe(first);
    expect(await offered(page)).toContain(mastercard);
  });

  it('come once, and hide no other card, however many tokens a payer has of it', async () => {
    const [other] = await store('greta', MASTERCARD);
    const [oldest] = await store('greta', VISA);
    // Tokens of the same card, as shops of old made one for each payment; the newest of them has expired.
    const tokens = Array.from({ length: 34 }, (_, index) => tokenOf(index));
    const lines = tokens.map((token, index) => ({
      ...cardLine(0, { payerReference: 'greta', pan: VISA, expiryDate: index === 33 ? '01/2020' : '12/2039' }),
      token,
    }));
    for (const part of [lines.slice(0, 33), lines.slice(33)]) await kontor.importLines(part);
    const page = await payPage(kontor, { payerReference: 'greta' });
    const [newest, second, ...more] = await offered(page);
    expect(tokens.slice(0, 33)).toContain(newest);
    expect([second, more]).toEqual([other, []]);
    await page.post('/remove', { token: newest, ...CONFIRMED });
    expect(await offered(page)).toEqual([other]);
    const path = `/psp/paymentorders/payerownedtokens/greta`;
    const left = (await kontor.send('GET', `${path}?limit=100`)).body.payerOwnedTokens.tokens;
    expect(left.map(({ token }: { readonly token: string }) => token)).toEqual([other]);
    const { body } = await kontor.send('GET', `/online/payer/payees/${kontor.payeeId}/tokens/${oldest}`);
    expect(JSON.stringify(body)).toContain('"archiveReason":"removed by the payer"');
  });

  it('are removed without what the payee charges by agreement', async () => {
    const page = await payPage(kontor, {
      payerReference: 'gudrun',
      generatePaymentToken: true,
      generateRecurrenceToken: true,
    });
    await page.pay({ consent: 'yes' });
    const again = await payPage(kontor, { payerReference: 'gudrun' });
    const [token] = await offered(again);
    await again.post('/remove', { token, ...CONFIRMED });
    const left = (await kontor.send('GET', '/psp/paymentorders/payerownedtokens/gudrun')).body.payerOwnedTokens.tokens;
    expect(left.map(({ tokenType }: { readonly tokenType: string }) => tokenType)).toEqual(['Recurrence']);
  });

  it('of another payer are not taken', async () => {
    const [foreign] = await store('gustav', VISA);
    const page = await payPage(kontor, { payerReference: 'hedda', language: 'en-US' });
    const answer = await page.pay({ card: foreign });
    expect(answer).toMatchObject({ status: 422 });
    expect(answer.text).toContain('This card can no longer be used.');
  });
});

describe('removing a stored card', () => {
  it('asks first, and changes nothing until the payer says yes', async () => {
    const [token] = await store('ivar', VISA);
    const page = await payPage(kontor, { payerReference: 'ivar', language: 'en-US' });
    const question = await page.post('/remove', { token });
    expect(stateIn(question)).toBe('removal');
    expect(question.text).toContain('<h1>Remove Visa •••• 0004?</h1>');
    expect(question.text).toContain(`href="${page.path}"`);
    expect(question.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await offered(page)).toEqual([token]);
    expect(await page.post('/remove', { token, ...CONFIRMED })).toMatchObject({ status: 303 });
    expect(await offered(page)).toEqual([]);
    // Asked again from a window that was left open, there is nothing to ask.
    expect(await page.post('/remove', { token })).toMatchObject({ status: 303 });
  });

  it('is not possible while a card is tried', async () => {
    const [token] = await store('jorid', VISA);
    const page = await payPage(kontor, { payerReference: 'jorid', prices: [{ type: 'CreditCard', amount: 900305 }] });
    const tried = page.pay({ card: token });
    await until(async () => (await page.open({ below: '/state' })).body.state === 'pending');
    await page.post('/remove', { token, ...CONFIRMED });
    await tried;
    expect(await offered(await payPage(kontor, { payerReference: 'jorid' }))).toEqual([token]);
  });

  it('archives its tokens in the name of the payee', async () => {
    const tokens = await store('ida', VISA, VISA);
    const page = await payPage(kontor, { payerReference: 'ida' });
    const [token] = await offered(page);
    const answer = await page.post('/remove', { token, ...CONFIRMED });
    expect(answer.headers.get('location')).toBe(page.path);
    expect(await offered(page)).toEqual([]);
    for (const removed of tokens) {
      const { body } = await kontor.send('GET', `/online/payer/payees/${kontor.payeeId}/tokens/${removed}`);
      expect(JSON.stringify(body)).toContain('"archivedBy":"PAYEE"');
      expect(JSON.stringify(body)).toContain('"archiveReason":"removed by the payer"');
    }
    expect(await page.post('/remove', { token, ...CONFIRMED })).toMatchObject({ status: 303 });
    expect(await page.pay({ card: token })).toMatchObject({ status: 422 });
  });

  it('is not possible any more once the payment is paid, nor for another payer’s card', async () => {
    const [token] = await store('jon', VISA);
    const page = await payPage(kontor, { payerReference: 'jon' });
    await page.pay({ card: token });
    await page.post('/remove', { token, ...CONFIRMED });
    await (await payPage(kontor, { payerReference: 'kari' })).post('/remove', { token, ...CONFIRMED });
    expect(await offered(await payPage(kontor, { payerReference: 'jon' }))).toEqual([token]);
  });
});
