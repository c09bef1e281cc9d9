import { afterAll, beforeAll, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { TestDirectory } from '../../sandbox/three-ds/test-directory.ts';
import { refuteBooks } from '../support/crash/books.ts';
import type { Verdict } from '../support/issuer/three-ds.ts';
import { type OrderWalks, orderWalks, type Walk } from '../support/payer/order-walks.ts';
import { type TestService, testService } from '../support/service.ts';
import { VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';

// What a payer is asked to authenticate: what the card pays at that moment, and no other amount.

const SCREEN = { java: 'false', depth: '24', height: '900', width: '1440', tz: '-60', method: 'U', cvc: '123' };
const JSON_PLEASE = { headers: { accept: 'application/json' } };

let kontor: TestService;
let walks: OrderWalks;
let asked: MockInstance<TestDirectory['take']>;
beforeAll(async () => {
  kontor = await testService();
  walks = orderWalks(kontor);
  asked = vi.spyOn(TestDirectory.prototype, 'take');
});
beforeEach(() => void asked.mockClear());
afterAll(async () => {
  asked.mockRestore();
  await kontor.stop();
});

/** The amounts that were asked for, in their order. */
const amounts = () =>
  asked.mock.calls
    .map(([, body]) => JSON.parse(String(body)))
    .filter(({ messageType }) => messageType === 'AReq')
    .map(({ purchaseAmount }) => Number(purchaseAmount));

/** An order of 500 with a gift card of 120 on it, whose payer answers a challenge for the rest so. */
async function challenged(verdict: Verdict) {
  const card = await cardSeller(kontor).issue(12_000);
  const walk = await walks.walk({ amount: 50_000, vatAmount: 0 });
  expect((await walk.payer.add(card)).body.outcome).toBe('ok');
  await challenge(walk, verdict);
  return { ...walk, card };
}

async function challenge({ payer }: Walk, verdict: Verdict): Promise<void> {
  expect((await payer.payByCard({ number: VISA_WITH_3D_SECURE })).body.outcome).toBe('Authenticate');
  expect((await payer.page.post('/authenticate', SCREEN, JSON_PLEASE)).body.outcome).toBe('Challenge');
  await payer.page.confirm(verdict);
  await payer.open();
}

test('a payer who removes a gift card after a challenge authenticates what the card pays then', async () => {
  const walk = await challenged('Declined');
  expect(amounts()).toEqual([38_000]);
  expect((await walk.payer.remove(0)).body.outcome).toBe('ok');
  expect(walk.payer.byCard()).toBe(50_000);
  await challenge(walk, 'Approved');
  expect(amounts()).toEqual([38_000, 50_000]);
  const { status, legs } = await walks.orderOf(walk.id);
  expect([status, legs.length, legs[0].amount]).toEqual(['Paid', 1, 50_000]);
  expect(await walks.availableOn(walk.card)).toBe(12_000);
  expect(await refuteBooks(kontor)).toEqual([]);
});

test('a payer who adds a gift card that pays all the rest after a challenge authenticates no more', async () => {
  const walk = await challenged('Declined');
  expect((await walk.payer.add(await cardSeller(kontor).issue(60_000))).body.outcome).toBe('ok');
  expect(walk.payer.isCovered()).toBe(true);
  expect((await walk.payer.payByGiftCards()).body.outcome).toBe('Go');
  expect(amounts()).toEqual([38_000]);
  expect((await walks.orderOf(walk.id)).legs).toMatchObject([{ amount: 12_000 }, { amount: 38_000 }]);
  expect(await refuteBooks(kontor)).toEqual([]);
});

test('a payer who adds one that pays a part of it is asked for what is left, never for more than is charged', async () => {
  const walk = await challenged('Declined');
  expect((await walk.payer.add(await cardSeller(kontor).issue(8_000))).body.outcome).toBe('ok');
  await challenge(walk, 'Approved');
  expect(amounts()).toEqual([38_000, 30_000]);
  expect((await walks.orderOf(walk.id)).legs).toMatchObject([
    { amount: 12_000 },
    { amount: 8_000 },
    { amount: 30_000 },
  ]);
  expect(await refuteBooks(kontor)).toEqual([]);
});
