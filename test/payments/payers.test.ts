import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetSomeCardPayers, sealSomePayers } from '../../src/payments/payers/end-payers.ts';
import { CARD_PAYER_KEY_USES } from '../../src/payments/payers/sealed-payers.ts';
import { erasing } from '../support/payer/persons.ts';
import { type TestService, testService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { ordersShop } from '../support/shop/orders-shop.ts';

let kontor: TestService;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());

const CARDHOLDER = { firstName: 'Olivia', email: 'olivia@example.com', billingAddress: { city: 'Saltnes' } };
const NAME = 'Olivia Nyhuus';
let references = 0;

interface Paid {
  readonly id: string;
  readonly payerReference: string;
  /** Sends what made it again. */
  readonly repeat: (cardholder?: object) => Promise<number>;
  /** Sends its try again. */
  readonly repeatTry: (cardholderName?: string) => Promise<number>;
  /** The name on its card, as its answers tell it. */
  readonly nameShown: () => Promise<string | undefined>;
}

/** A payment that its payer has paid. */
async function paid(): Promise<Paid> {
  references += 1;
  const payerReference = `payer-${references}`;
  const make = (cardholder: object | undefined) =>
    shop.create({ payerReference, cardholder, payeeInfo: { payeeReference: payerReference } });
  const { body } = await make(CARDHOLDER);
  const { id } = body.payment;
  const key = { headers: { 'idempotency-key': `try-${references}` } };
  const attempt = (cardholderName: string | undefined) => shop.authorize(id, { cardholderName }, key);
  const { status, text } = await attempt(NAME);
  if (status !== 200) throw new Error(text);
  return {
    id,
    payerReference,
    repeat: async (cardholder) => (await make(cardholder)).status,
    repeatTry: async (name) => (await attempt(name)).status,
    nameShown: async () =>
      (await kontor.send('GET', `${id}/authorizations`)).body.authorizations.authorizationList[0].cardholderName,
  };
}

/** All that is stored of card payments, as texts, bytes as bytes. */
async function stored(): Promise<string> {
  const rows = await kontor.database.asAdmin(`
    select p::text as row, encode(payer_sealed, 'escape') as bytes from card_payment p
    union all select t::text, encode(holder_sealed, 'escape') from card_transaction t`);
  return JSON.stringify(rows);
}

/** Puts a payment back to how versions before have stored it. */
async function inTheClear({ id }: Paid): Promise<void> {
  const paymentId = id.split('/').at(-1);
  await kontor.database.asAdmin(`
    update card_payment set payer_sealed = null, payer_sealed_with = null,
      terms = terms - 'hasCardholder' || '${JSON.stringify({ cardholder: CARDHOLDER })}' where payment_id = '${paymentId}';
    update card_transaction set holder_sealed = null, holder_sealed_with = null,
      card = card - 'hasHolder' || '${JSON.stringify({ cardholderName: NAME })}' where payment_id = '${paymentId}'`);
}

/** Held to what a payer's data say as long as they live. */
async function expectKnown(payment: Paid): Promise<void> {
  expect(await payment.nameShown()).toBe(NAME);
  expect(await payment.repeat(CARDHOLDER)).toBe(200);
  expect(await payment.repeat({ ...CARDHOLDER, firstName: 'Ola' })).toBe(422);
  expect(await payment.repeat()).toBe(422);
  expect([await payment.repeatTry(NAME), await payment.repeatTry('Ola Nyhuus'), await payment.repeatTry()]).toEqual([
    200, 422, 422,
  ]);
}

/** Held to what is said once they ended: nothing, and repeats are not refused for them. */
async function expectEnded(payment: Paid): Promise<void> {
  expect(await payment.nameShown()).toBeUndefined();
  expect([await payment.repeat(CARDHOLDER), await payment.repeat({ firstName: 'Ola' })]).toEqual([200, 200]);
  expect([await payment.repeatTry(NAME), await payment.repeatTry('Ola Nyhuus')]).toEqual([200, 200]);
}

describe('the payer of a card payment', () => {
  it('is stored sealed alone, and answers and repeats know them', async () => {
    const payment = await paid();
    expect(await stored()).not.toMatch(/Olivia|Nyhuus|Saltnes/);
    await expectKnown(payment);
  });

  it('is sealed by the job where a version before has stored them in the clear, and nothing else changes', async () => {
    const payment = await paid();
    await inTheClear(payment);
    expect(await stored()).toMatch(/Olivia.*Saltnes|Saltnes.*Olivia/s);
    await expectKnown(payment);
    const before = await shop.get(payment.id);
    const { keyRing } = kontor.service;
    expect(await kontor.database.transact((transaction) => sealSomePayers(transaction, keyRing))).toBe(false);
    expect(await stored()).not.toMatch(/Olivia|Nyhuus|Saltnes/);
    await expectKnown(payment);
    expect((await shop.get(payment.id)).body).toEqual(before.body);
  });

  it('is forgotten a year after the end of the payment', async () => {
    const [old, recent] = [await paid(), await paid()];
    const long = "kontor_now() - interval '13 months'";
    const paymentId = old.id.split('/').at(-1);
    await kontor.database.asAdmin(`
      update card_payment set created_at = ${long}, updated_at = ${long} where payment_id = '${paymentId}';
      update card_transaction set created_at = ${long}, updated_at = ${long} where payment_id = '${paymentId}'`);
    expect(await kontor.database.transact(forgetSomeCardPayers)).toBe(false);
    await expectEnded(old);
    await expectKnown(recent);
  });

  it('is erased by the payee’s reference, in the clear or sealed, and from the cards of orders', async () => {
    const [sealed, clear, other] = [await paid(), await paid(), await paid()];
    await inTheClear(clear);
    const erase = (payerReference: string) => erasing(kontor, { payerReference });
    expect(await erase(sealed.payerReference)).toMatchObject({ orders: 0, cardPayments: 1 });
    expect(await erase(sealed.payerReference)).toMatchObject({ orders: 0, cardPayments: 0 });
    expect(await erase(clear.payerReference)).toMatchObject({ orders: 0, cardPayments: 1 });
    for (const payment of [sealed, clear]) await expectEnded(payment);
    await expectKnown(other);
    const orders = ordersShop(kontor);
    const order = await orders.create({ payer: { payerReference: 'of-order', firstName: 'Bodil' } });
    expect(order.status).toBe(200);
    await kontor.database.asAdmin(`
      update card_transaction t set payment_id = p.payment_id from card_payment p
      where p.payer_reference = 'of-order' and t.payment_id = '${other.id.split('/').at(-1)}'`);
    expect(await erase('of-order')).toMatchObject({ orders: 1, cardPayments: 1 });
    expect(
      await kontor.database.asAdmin(
        "select 1 from card_transaction t join card_payment p using (payee_id, payment_id) where p.payer_reference = 'of-order' and holder_sealed is not null",
      ),
    ).toEqual([]);
  });

  it('is wrapped anew by a rotation', async () => {
    const payment = await paid();
    const { keyRing } = kontor.service;
    const keyId = keyRing.current('card-data');
    for (const use of CARD_PAYER_KEY_USES) {
      const before = await kontor.database.transact((some) => use.count(some, keyId));
      expect(before).toBeGreaterThan(0);
      expect(await kontor.database.transact((some) => use.move(some, keyRing, { from: keyId, to: keyId }))).toBe(
        before,
      );
    }
    await expectKnown(payment);
  });
});
