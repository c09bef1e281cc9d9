import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payPage } from '../support/payer/pay-page.ts';
import { DIGIT_SPELLINGS, expirySpellings, numberSpellings } from '../support/payer/typed-spellings.ts';
import { type TestService, testService } from '../support/service.ts';
import { AMEX, type CardPaymentsShop, cardPaymentsShop, VISA } from '../support/shop/card-payments-shop.ts';

const MAESTRO = '6764429999947470';
const DINERS = '36148201829798';
const VERIFY = { operation: 'Verify', prices: undefined, intent: undefined };

let kontor: TestService;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await testService({ KONTOR_REQUESTS_PER_MINUTE: '0' });
  shop = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());

/** Each spelling of each field beside plain ones, and all fields in the same spelling. */
const FIELDS: readonly (readonly [name: string, fields: Readonly<Record<string, string>>])[] = [
  ...numberSpellings(VISA).map(([name, number]) => [`a number ${name}`, { number }] as const),
  ...expirySpellings().map(([name, expiry]) => [`an expiry ${name}`, { expiry }] as const),
  ...Object.entries(DIGIT_SPELLINGS).map(
    ([name, spell]) => [`all ${name}`, { number: spell(VISA), expiry: spell('12/39'), cvc: spell('123') }] as const,
  ),
  ['a name between direction marks', { name: '\u200eAda\u200f' }],
];

describe('the page takes', () => {
  // Every third one over the wire: the rule that reads them has a test of each.
  it.each(FIELDS.filter((_, index) => index % 3 === 0))('%s', async (_, fields) => {
    const page = await payPage(kontor, VERIFY);
    expect((await page.pay(fields)).status).toBe(303);
    const { verifications } = (await kontor.send('GET', `${page.id}/verifications`)).body;
    const [{ maskedPan, expiryDate, transaction }] = verifications.verificationList;
    expect([maskedPan, expiryDate, transaction.state]).toEqual(['492500******0004', '12/2039', 'Completed']);
  });
});

describe('the direct fields take', () => {
  it.each(Object.entries(DIGIT_SPELLINGS))('digits %s', async (_, spell) => {
    const { id } = (await shop.create(VERIFY)).body.payment;
    const card = { cardNumber: VISA, cardExpiryMonth: '12', cardExpiryYear: '2039', cardVerificationCode: '123' };
    const spelled = Object.fromEntries(Object.entries(card).map(([name, digits]) => [name, spell(digits)]));
    const { status, body } = await shop.verify(id, spelled);
    expect(status).toBe(200);
    expect(body.verification).toMatchObject({
      maskedPan: '492500******0004',
      expiryDate: '12/2039',
      transaction: { state: 'Completed' },
    });
  });

  it.each(['4925 0000 0000 0004', '4925-0000-0000-0004', '4925.0000.0000.0004'])('%s', async (cardNumber) => {
    const { id } = (await shop.create(VERIFY)).body.payment;
    expect((await shop.verify(id, { cardNumber })).status).toBe(200);
  });

  it('what is unknown as unknown, whatever they hold', async () => {
    const unknown = '/psp/creditcard/payments/00000000-0000-4000-8000-000000000000';
    expect((await shop.authorize(unknown, { cardNumber: '12' })).status).toBe(404);
  });
});

/** A number of a brand with a right check digit that is too long or short for it. */
const WRONG_LENGTHS = {
  'Visa of 13 digits': '4925000000004',
  'Mastercard of 17 digits': '52266001598659678',
  'Amex of 16 digits': '3776010000000005',
  'Diners of 15 digits': '361482018297989',
};

describe('a number and a code have a length of their brand', () => {
  it.each(Object.entries(WRONG_LENGTHS))('%s is refused', async (_, cardNumber) => {
    const id = await shop.purchase(100);
    const { status, body } = await shop.authorize(id, { cardNumber });
    expect(status).toBe(400);
    expect(body.problems[0].name).toBe('transaction.cardNumber');
    expect(body.problems[0].description).toContain('brand');
    const page = await payPage(kontor, { language: 'en-US' });
    expect(await page.pay({ number: cardNumber, cvc: '1234' })).toMatchObject({ status: 422 });
  });

  it.each([
    ['Visa', VISA, '1234'],
    ['Visa', VISA, '12'],
    ['Amex', AMEX, '123'],
    ['Diners', DINERS, '1234'],
    ['Maestro', MAESTRO, '12'],
  ])('of %s %s with the code %s is refused', async (_, cardNumber, cardVerificationCode) => {
    const id = await shop.purchase(100);
    const { status, body } = await shop.authorize(id, { cardNumber, cardVerificationCode });
    expect(status).toBe(400);
    expect(body.problems).toEqual([expect.objectContaining({ name: 'transaction.cardVerificationCode' })]);
    expect((await kontor.send('GET', id)).body.payment.transactions).toBeUndefined();
  });

  it.each([
    ['Visa', VISA, '123'],
    ['Amex', AMEX, '1234'],
    ['Diners', DINERS, '123'],
    ['Maestro', MAESTRO, '123'],
    ['Maestro without a code', MAESTRO, undefined],
    ['Maestro with an empty one', MAESTRO, ''],
  ])('%s pays', async (_, cardNumber, cardVerificationCode) => {
    const id = await shop.purchase(100);
    const { body } = await shop.authorize(id, { cardNumber, cardVerificationCode });
    expect(body.authorization.transaction.state).toBe('Completed');
    const page = await payPage(kontor);
    expect((await page.pay({ number: cardNumber, cvc: cardVerificationCode })).status).toBe(303);
    expect((await page.payment()).body.payment.amount).toBe(1500);
  });

  it('and a stored Maestro card pays without a code', async () => {
    const payerReference = 'maestro';
    const first = await payPage(kontor, { payerReference, generatePaymentToken: true });
    await first.pay({ number: MAESTRO, cvc: '', consent: 'yes' });
    const { paid } = (await kontor.send('GET', `${first.id}/paid`)).body;
    const page = await payPage(kontor, { payerReference, language: 'en-US' });
    expect((await page.open()).text).toContain('The 3 digits on the back, if the card has them');
    const fields = { card: paid.tokens[0].token, number: undefined, expiry: undefined };
    expect(await page.pay({ ...fields, cvc: '12' })).toMatchObject({ status: 422 });
    expect(await page.pay({ ...fields, cvc: '' })).toMatchObject({ status: 303 });
  });
});
