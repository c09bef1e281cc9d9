import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';

const PATH = '/api/payments/gift-card/products';
const TERMS = {
  productId: 4711,
  name: 'Tea',
  currency: 'SEK',
  numberPrefix: '95784',
  numberLength: 16,
  validityMonths: 12,
  smallestAmount: 100,
  largestAmount: 1000,
  largestBalance: 1000,
};

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const create = (members: object = {}) => kontor.send('POST', PATH, { body: { ...TERMS, ...members } });

test('a product is created once, sold, listed, and retired', async () => {
  const first = await create();
  expect(first.body.product).toMatchObject({
    productId: '4711',
    state: 'OnSale',
    isDefault: false,
    allowedProductIds: [],
  });
  expect((await create()).body).toEqual(first.body);
  const other = await create({ name: 'Coffee' });
  expect([other.status, other.body.problems[0].name]).toEqual([422, 'productId']);

  const card = await cardSeller(kontor).issue(100, { productId: 4711 });
  expect([card.currency, card.accountKey.slice(0, 5)]).toEqual(['SEK', '95784']);

  const listed = await kontor.send('GET', PATH);
  expect(listed.body.products.map(({ productId }: { productId: string }) => productId)).toEqual(['4711', '1000']);
  const retire = first.body.operations.find(({ rel }: { rel: string }) => rel === 'retire-product');
  const retired = await kontor.send('POST', new URL(retire.href).pathname);
  expect(retired.body.product).toMatchObject({ state: 'Retired', retired: expect.any(String) });
  expect(retired.body.operations.map(({ rel }: { rel: string }) => rel)).toEqual(['get-products']);
  expect((await cardSeller(kontor).getNew({ amount: 100, productId: 4711 })).status).toBe(404);
});

test.each([
  [{ productId: '.' }, 'productId'],
  [{ productId: '..' }, 'productId'],
  [{ productId: 'scheme', numberPrefix: '4925' }, 'numberPrefix'],
  [{ productId: 'chance', numberPrefix: '957841' }, 'numberPrefix'],
  [{ productId: 'limits', largestAmount: 99 }, 'largestAmount'],
  [{ productId: 'balance', largestBalance: 999 }, 'largestBalance'],
  [{ productId: 'currency', currency: 'KRO' }, 'currency'],
])('a product of %j is refused for its %s', async (members, name) => {
  const { status, body } = await create(members);
  expect([status, body.problems[0].name]).toEqual([400, name]);
});

test('another payee’s products are not seen, and not retired', async () => {
  const { accessToken, hmac } = await kontor.addPayee();
  expect((await kontor.send('GET', PATH, { accessToken, hmac })).body.products).toEqual([]);
  expect((await kontor.send('POST', `${PATH}/1000/retire`, { accessToken, hmac })).status).toBe(404);
});
