import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PayPage, payPage, stateIn } from '../support/payer/pay-page.ts';
import { type TestService, testService } from '../support/service.ts';
import { MASTERCARD, VISA, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';

const YES = { consent: 'yes' };
const VERIFY = { operation: 'Verify', prices: undefined, intent: undefined };

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const open = (members: object) => payPage(kontor, { language: 'en-US', ...members });
const tokensOf = async (page: PayPage) =>
  (await kontor.send('GET', `${page.id}/paid`)).body.paid.tokens.map(({ type }: { type: string }) =>
    type.toLowerCase(),
  );
const sealed = () => kontor.database.asAdmin('select instrument_id from sealed_card order by 1');
const box = (text: string) => /<input type="checkbox"[^>]*>/.exec(text)?.[0];

/** A payer with a stored card; the token of it. */
async function store(payerReference: string): Promise<string> {
  const page = await open({ payerReference, generatePaymentToken: true });
  await page.pay(YES);
  return (await kontor.send('GET', `${page.id}/paid`)).body.paid.tokens[0].token;
}

describe('consent', () => {
  it.each([
    [{ generatePaymentToken: true }, 'so that I can choose it next time.'],
    [{ generateRecurrenceToken: true }, 'may save this card and charge it later'],
    [{ generatePaymentToken: true, generateUnscheduledToken: true }, 'next time, and charge it later'],
  ])('is asked for where %o', async (members, words) => {
    const page = await open(members);
    expect((await page.open()).text).toContain(words);
    expect(await page.pay(YES)).toMatchObject({ status: 303 });
    expect(await tokensOf(page)).toHaveLength(Object.keys(members).length);
  });

  it('is not asked for where nothing is stored', async () => {
    expect((await (await open({})).open()).text).not.toContain('id="consent"');
  });

  it.each([
    [{ generateRecurrenceToken: true }],
    [{ generateUnscheduledToken: true }],
    [{ generatePaymentToken: true, tokenConsent: 'Required' }],
  ])('is needed where %o: without it nothing is tried', async (members) => {
    const page = await open(members);
    expect(box((await page.open()).text)).toContain('aria-required="true"');
    const refused = await page.pay();
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.text).toContain('href="#consent"');
    expect((await page.payment()).body.payment.transactions).toBeUndefined();
  });

  it.each([
    [{ generatePaymentToken: true }],
    [{ generateTransactionOnFileToken: true }],
    [{ generateRecurrenceToken: true, tokenConsent: 'Optional' }],
  ])('is a choice where %o: without it the payment goes on, and no token is made', async (members) => {
    const before = await sealed();
    const page = await open({ payerReference: 'choice', ...members });
    expect(box((await page.open()).text)).not.toContain('aria-required');
    expect((await page.open()).text).toContain(
      '<span class="optional">(optional)</span></label>\n</div>\n<p id="consent-error"',
    );
    expect(await page.pay()).toMatchObject({ status: 303 });
    expect(stateIn(await page.open())).toBe('paid');
    expect(await tokensOf(page)).toEqual([]);
    expect(await sealed()).toEqual(before);
  });

  it.each([
    [YES, ['payment']],
    [{}, []],
  ])('is remembered over 3-D Secure: %o', async (agreed, tokens) => {
    const page = await open({ generatePaymentToken: true });
    await page.pay({ number: VISA_WITH_3D_SECURE, ...agreed });
    await page.confirm('Approved');
    expect(await tokensOf(page)).toEqual(tokens);
  });

  it('is still given after a try that came to nothing, and may be taken back', async () => {
    const page = await open({ generatePaymentToken: true });
    await page.pay({ number: VISA_WITH_3D_SECURE, ...YES });
    await page.confirm('Declined');
    expect(box((await page.open()).text)).toContain(' checked');
    await page.pay({ number: MASTERCARD });
    expect(await tokensOf(page)).toEqual([]);
  });
});

describe('a stored card', () => {
  it('is stored already: there is no choice, and what it may be chosen by is made as asked', async () => {
    const token = await store('lars');
    const page = await open({ payerReference: 'lars', generatePaymentToken: true, tokenConsent: 'Required' });
    expect((await page.open()).text).not.toContain('class="terms of-stored"');
    expect(await page.pay({ card: token, number: undefined })).toMatchObject({ status: 303 });
    expect(await tokensOf(page)).toEqual(['payment']);
  });

  it('that is to be charged later says so, and is', async () => {
    const token = await store('mona');
    const page = await open({ payerReference: 'mona', generateRecurrenceToken: true });
    expect((await page.open()).text).toContain('By paying you agree that');
    expect(await page.pay({ card: token, number: undefined })).toMatchObject({ status: 303 });
    expect(await tokensOf(page)).toEqual(['recurrence']);
  });

  it('is not charged later where no consent is needed', async () => {
    const token = await store('nils');
    const members = { payerReference: 'nils', generateTransactionOnFileToken: true, generatePaymentToken: true };
    const page = await open(members);
    expect((await page.open()).text).not.toContain('By paying you agree that');
    await page.pay({ card: token, number: undefined });
    expect(await tokensOf(page)).toEqual(['payment']);
  });

  it('beside another card asks of that one only', async () => {
    const token = await store('olga');
    const page = await open({ payerReference: 'olga', generateRecurrenceToken: true });
    expect(await page.pay({ card: 'new' })).toMatchObject({ status: 422 });
    expect(await page.pay({ card: token })).toMatchObject({ status: 303 });
  });
});

describe('a verification', () => {
  it.each([
    [{ generateRecurrenceToken: true }, YES, { head: 'Save a card with', button: 'Save card', end: 'saved' }],
    [{ generatePaymentToken: true }, YES, { head: 'Confirm a card with', button: 'Confirm card', end: 'saved' }],
    [{ generatePaymentToken: true }, {}, { head: 'Confirm a card with', button: 'Confirm card', end: 'confirmed' }],
    [{}, {}, { head: 'Confirm a card with', button: 'Confirm card', end: 'confirmed' }],
  ])('that makes %o of %o says what it does, and what it has done', async (members, agreed, { head, button, end }) => {
    const page = await open({ ...VERIFY, ...members });
    const { text } = await page.open();
    expect(text).toContain(`<h1>${head}`);
    expect(text).toContain(`<span id="submit-label">${button}</span>`);
    await page.pay({ number: VISA, ...agreed });
    expect((await page.open()).text).toContain(`<h1>The card is ${end}</h1>`);
  });
});

it('that a payee sends itself the payee has asked for: all tokens are made', async () => {
  const page = await open({ generatePaymentToken: true });
  await kontor.send('POST', `${page.id}/authorizations`, {
    body: {
      transaction: { cardNumber: VISA, cardExpiryMonth: '12', cardExpiryYear: '39', cardVerificationCode: '123' },
    },
  });
  expect(await tokensOf(page)).toEqual(['payment']);
});
