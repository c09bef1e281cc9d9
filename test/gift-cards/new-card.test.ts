import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProductId } from '../../src/gift-cards/gift-cards.types.ts';
import { createProduct, retireProduct } from '../../src/gift-cards/products/products.ts';
import { hmacHeader } from '../../src/http/signing/hmac.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import { passesLuhn } from '../../src/kit/cards/card-number.ts';
import { type PayeeId, uuidV4 } from '../../src/kit/ids.ts';
import { type TestService, testService } from '../support/service.ts';
import { productTerms } from '../support/shop/gift-cards.ts';
import { type CardSeller, cardOf, cardSeller } from '../support/shop/gift-cards-seller.ts';

const PATH = '/api/payments/gift-card/get-new-gift-card';
let kontor: TestService;
let shop: CardSeller;

beforeAll(async () => {
  kontor = await testService();
  shop = cardSeller(kontor);
});
afterAll(() => kontor.stop());

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const cards = async () => Number((await kontor.database.asAdmin('select count(*) as n from gift_card'))[0]?.['n']);

/** A request as it goes over the wire, to be sent more than once as it is. */
function signed(members: object, headers: Readonly<Record<string, string>> = {}) {
  const body = JSON.stringify(members);
  const parts = { method: 'POST', path: PATH, user: kontor.hmac.user, nonce: uuidV4(), transmissionTime: '' };
  const hmac = hmacHeader(kontor.hmac.secret, { ...parts, body: Buffer.from(body) });
  return () => kontor.send('POST', PATH, { hmac: null, headers: { ...headers, hmac }, body });
}

describe('a new gift card', () => {
  test('is answered as the specification says', async () => {
    const { status, body } = await shop.getNew({ amount: 500 });
    expect(status).toBe(200);
    expect(body).toEqual({
      _links: expect.any(Array),
      operations: expect.any(Array),
      accountSummaryGiftCard: {
        accountId: expect.any(String),
        accountKey: expect.stringMatching(/^95781[0-9]{11}$/),
        balance: 500,
        currency: 'NOK',
        cvc: expect.stringMatching(/^[0-9]{3}$/),
        expiryDate: expect.stringMatching(/^20[0-9]{2}-(0[1-9]|1[0-2])-(28|29|30|31)$/),
      },
      paymentId: expect.any(Number),
    });
    expect(Number.isSafeInteger(body.paymentId)).toBe(true);
    expect(passesLuhn(body.accountSummaryGiftCard.accountKey)).toBe(true);
    expect(body.operations.map(({ rel }: { rel: string }) => rel)).toEqual([
      'get-payment',
      'create-reversal',
      'get-gift-card',
      'create-authorization',
      'create-purchase',
      'create-deposit',
    ]);
    expect(body._links.map(({ rel }: { rel: string }) => rel)).toEqual([
      'self',
      ...body.operations.map(({ rel }: { rel: string }) => rel),
    ]);
  });

  test('of amount 0 has an id and a balance of 0, and nothing to take back', async () => {
    const { status, body } = await shop.getNew({ amount: 0 });
    expect(status).toBe(200);
    expect(body.accountSummaryGiftCard.balance).toBe(0);
    expect(body.operations.map(({ rel }: { rel: string }) => rel)).not.toContain('create-reversal');
    const read = await kontor.send('GET', new URL(body.operations[0].href).pathname);
    expect(read.body).toMatchObject({ operation: 'Deposit', amount: 0, state: 'OK' });
  });

  test('names its sale: in its event, where it is read, and where it is refunded', async () => {
    const asked = { amount: 70, orderRef: 'sale-4711' };
    const { body } = await shop.getNew(asked, keyed('sale'));
    const again = await shop.getNew(asked, keyed('sale'));
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([body, 'true']);
    for (const orderRef of [undefined, 'sale-4712'])
      expect((await shop.getNew({ ...asked, orderRef }, keyed('sale'))).status).toBe(422);
    const { accountId } = body.accountSummaryGiftCard;
    const [event] = await kontor.database.asAdmin(`select payload from event where resource_id = '${accountId}'`);
    expect(event?.['payload']).toMatchObject({ accountId, amount: 70, orderRef: 'sale-4711' });
    const of = (rel: string) => new URL(body.operations.find((one: { rel: string }) => one.rel === rel).href).pathname;
    expect((await kontor.send('GET', of('get-payment'))).body.paymentOrderRef).toBe('sale-4711');
    const refund = (paymentOrderRef: string) =>
      kontor.send('POST', of('create-reversal'), {
        body: { amount: 70, paymentOrderRef, paymentTransactionRef: `back-${paymentOrderRef}` },
      });
    expect((await refund('another')).status).toBe(422);
    expect((await refund('sale-4711')).status).toBe(200);
  });

  test('is of the product that is named, as text or as number; else of the default one', async () => {
    for (const productId of [undefined, null, '1000', 1000]) {
      expect((await shop.getNew({ amount: 1, productId })).status).toBe(200);
    }
    const stored = await kontor.database.asAdmin('select distinct product_id from gift_card');
    expect(stored).toEqual([{ product_id: '1000' }]);
    expect((await shop.getNew({ amount: 1, productId: 'unknown' })).status).toBe(404);
  });

  test('takes e-mail and msisdn, and keeps both encrypted', async () => {
    const contact = { email: 'anna.canary@example.com', msisdn: '+4799887766' };
    const { paymentAccountId } = await shop.issue(1, contact);
    await shop.issue(1, { msisdn: 4799887766 });
    const [row] = await kontor.database.asAdmin(
      `select gift_card::text as whole, email_sealed, msisdn_sealed from gift_card where account_id = '${paymentAccountId}'`,
    );
    expect(row?.['email_sealed']).toBeInstanceOf(Buffer);
    const bytes = Object.values(row ?? {})
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join();
    expect(bytes).not.toContain('canary');
    expect(bytes).not.toContain('99887766');
  });

  test.each([
    [{ amount: 1_000_001 }, 'amount'],
    [{ amount: -1 }, 'amount'],
    [{ amount: '100' }, 'amount'],
    [{ amount: 1, email: 'nobody' }, 'email'],
    [{ amount: 1, msisdn: '1234567' }, 'msisdn'],
    [{ amount: 1, msisdn: '+4712345678901234' }, 'msisdn'],
    [{ amount: 1, productId: 'a b' }, 'productId'],
    [{ amount: 1, orderRef: 'a b' }, 'orderRef'],
    [{}, 'amount'],
  ])('is refused for %j', async (members, name) => {
    const before = await cards();
    const { status, body } = await shop.getNew(members);
    expect([status, body.problems[0].name]).toEqual([400, name]);
    expect(await cards()).toBe(before);
  });

  test('of a retired product is not to be had, and without a default one nothing is', async () => {
    const { payeeId, accessToken, hmac } = await kontor.addPayee();
    const other = cardSeller({
      send: (method, path, options) => kontor.send(method, path, { ...options, accessToken, hmac }),
    });
    expect((await other.getNew({ amount: 1 })).status).toBe(404);
    const terms = productTerms(payeeId as PayeeId, { productId: 'tea' as ProductId, cvcRequired: true });
    const { transact } = kontor.service.database;
    await transact((transaction) => createProduct(transaction, kontor.service.giftCards, { terms, actor: SERVICE }));
    const made = await other.getNew({ amount: 1 });
    expect(made.status).toBe(200);
    // Another payee's card is no card here.
    expect(
      (await shop.deposit({ accountKey: made.body.accountSummaryGiftCard.accountKey }, { amount: 1 })).status,
    ).toBe(404);
    const retiring = { payeeId: payeeId as PayeeId, productId: 'tea', actor: SERVICE };
    await transact((transaction) => retireProduct(transaction, retiring));
    expect((await other.getNew({ amount: 1, productId: 'tea' })).status).toBe(404);
    expect(
      (await other.deposit({ accountKey: made.body.accountSummaryGiftCard.accountKey }, { amount: 1 })).status,
    ).toBe(200);
  });

  test('has a number that no text may hold, from the first moment of its product on', async () => {
    const terms = productTerms(kontor.payeeId as PayeeId, {
      productId: 'fresh' as ProductId,
      numberPrefix: '95788',
      isDefault: false,
    });
    // As the command does it, in another process.
    await kontor.service.database.transact((transaction) =>
      createProduct(transaction, kontor.service.giftCards, { terms, actor: SERVICE }),
    );
    const card = await shop.issue(10, { productId: 'fresh' });
    const { status, body } = await shop.deposit(card, { amount: 1, description: `For ${card.accountKey}` });
    expect([status, body.problems[0].name]).toEqual([400, 'description']);
    await kontor.service.loadCardPrefixes();
    expect((await shop.deposit(card, { amount: 1, description: `For ${card.accountKey}` })).status).toBe(400);
  });
});

describe('an Idempotency-Key', () => {
  test('gives the same card again: one card, one movement', async () => {
    const contact = { email: 'a@example.com', msisdn: '+4712345678' };
    const first = await shop.getNew({ amount: 300, ...contact }, keyed('key-1'));
    const before = await cards();
    const again = await shop.getNew({ amount: 300, ...contact }, keyed('key-1'));
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await cards()).toBe(before);
    const { paymentAccountId } = cardOf(first);
    expect(await kontor.database.asAdmin(`select from entry where account_id = '${paymentAccountId}'`)).toHaveLength(1);
  });

  test('comes with the content that it had, or is refused', async () => {
    const content = { amount: 10, email: 'a@example.com', productId: '1000' };
    expect((await shop.getNew(content, keyed('key-2'))).status).toBe(200);
    for (const other of [
      { amount: 11 },
      { email: 'b@example.com' },
      { email: undefined },
      { msisdn: '12345678' },
      { productId: undefined },
      { orderRef: 'sale-2' },
    ]) {
      const refused = await shop.getNew({ ...content, ...other }, keyed('key-2'));
      expect([refused.status, refused.body.type.split('/').at(-1)], JSON.stringify(other)).toEqual([
        422,
        'referencereused',
      ]);
    }
    expect((await shop.getNew(content, keyed('key-2'))).status).toBe(200);
  });

  test('shows number and code for a day, and then masked', async () => {
    const first = await shop.getNew({ amount: 10 }, keyed('key-3'));
    const { paymentAccountId, accountKey } = cardOf(first);
    await kontor.database.asAdmin(`
      update payment set created_at = created_at - interval '24 hours', updated_at = updated_at - interval '1 second'
      where account_id = '${paymentAccountId}'`);
    const again = await shop.getNew({ amount: 10 }, keyed('key-3'));
    expect(again.body.accountSummaryGiftCard).toMatchObject({
      accountKey: `${accountKey.slice(0, 6)}******${accountKey.slice(-4)}`,
      cvc: '***',
      balance: 10,
    });
    expect(again.body.paymentId).toBe(first.body.paymentId);
  });

  test('of a lost answer finds its card even when the product is no longer sold', async () => {
    const { payeeId, accessToken, hmac } = await kontor.addPayee();
    const other = cardSeller({
      send: (method, path, options) => kontor.send(method, path, { ...options, accessToken, hmac }),
    });
    const terms = productTerms(payeeId as PayeeId);
    const { transact } = kontor.service.database;
    await transact((transaction) => createProduct(transaction, kontor.service.giftCards, { terms, actor: SERVICE }));
    const first = await other.getNew({ amount: 10 }, keyed('key-1'));
    const retiring = { payeeId: payeeId as PayeeId, productId: '1000', actor: SERVICE };
    await transact((transaction) => retireProduct(transaction, retiring));
    expect((await other.getNew({ amount: 10 }, keyed('key-1'))).body).toEqual(first.body);
    expect((await other.getNew({ amount: 10 }, keyed('key-new'))).status).toBe(404);
  });

  test('of many at one moment makes one card', async () => {
    const before = await cards();
    const answers = await Promise.all(Array.from({ length: 24 }, () => shop.getNew({ amount: 7 }, keyed('key-4'))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => cardOf(answer).accountKey)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await cards()).toBe(before + 1);
  });

  test.each([['a'.repeat(65)], ['4925000000000004'], ['5226-6001-5986-5967'], ['a b']])('is not %j', async (key) => {
    const { status, body } = await shop.getNew({ amount: 1 }, keyed(key));
    expect([status, body.problems[0].name]).toEqual([400, 'Idempotency-Key']);
  });
});

describe('a nonce', () => {
  test('is good once: the same request again makes no second card', async () => {
    const send = signed({ amount: 10 });
    expect((await send()).status).toBe(200);
    const before = await cards();
    const replay = await send();
    expect(replay.status).toBe(401);
    expect(replay.headers.get('www-authenticate')).toBe('HmacSHA512 realm="kontor"');
    expect(replay.body).toMatchObject({
      title: 'The caller is not known',
      diagnosis: { causes: ['used-nonce'], line: 4 },
    });
    expect(await cards()).toBe(before);
  });

  test('is not good again under any key: that header is not signed', async () => {
    const body = { amount: 10 };
    const first = signed(body, { 'idempotency-key': 'key-n' });
    expect((await first()).status).toBe(200);
    expect((await first()).status).toBe(401);
    const parts = { method: 'POST', path: PATH, user: kontor.hmac.user, nonce: uuidV4(), transmissionTime: '' };
    const text = JSON.stringify(body);
    const hmac = hmacHeader(kontor.hmac.secret, { ...parts, body: Buffer.from(text) });
    const send = (key: string) =>
      kontor.send('POST', PATH, { hmac: null, headers: { hmac, 'idempotency-key': key }, body: text });
    expect((await send('key-n')).status).toBe(200);
    expect((await send('key-m')).status).toBe(401);
    expect((await send('key-n')).status).toBe(401);
  });

  test('of a request that was refused is free', async () => {
    const parts = { method: 'POST', path: PATH, user: kontor.hmac.user, nonce: uuidV4(), transmissionTime: '' };
    const send = (members: object) => {
      const text = JSON.stringify(members);
      const hmac = hmacHeader(kontor.hmac.secret, { ...parts, body: Buffer.from(text) });
      return kontor.send('POST', PATH, { hmac: null, headers: { hmac }, body: text });
    };
    expect((await send({ amount: 1_000_001 })).status).toBe(400);
    expect((await send({ amount: 1 })).status).toBe(200);
    expect((await send({ amount: 1 })).status).toBe(401);
  });
});

test('needs its own scope', async () => {
  const accessToken = await kontor.addAccessToken(['accounts']);
  expect((await kontor.send('POST', PATH, { accessToken, body: { amount: 1 } })).status).toBe(403);
});
