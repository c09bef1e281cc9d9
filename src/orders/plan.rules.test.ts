import { describe, expect, test } from 'vitest';
import type { Account } from '../ledger/ledger.types.ts';
import { mostFor, type Payer, planSplit, planUnpaid } from './plan.rules.ts';

const payer = (legId: string, available: number, more: Partial<Payer> = {}): Payer => ({
  legId,
  available,
  held: 0,
  most: Number.POSITIVE_INFINITY,
  ...more,
});
const plan = (amount: number, payers: readonly Payer[], leastByCard = 1) => {
  const { legs, card } = planSplit(amount, payers, leastByCard);
  return [...legs.map(({ amount: pays, left }) => [pays, left]), card];
};

describe('what each pays of an order', () => {
  test.each([
    ['all that a gift card has, and the card the rest', 500, [payer('a', 120)], 1, [[120, 0], 380]],
    ['in the order added', 500, [payer('a', 120), payer('b', 900)], 1, [[120, 0], [380, 520], 0]],
    ['nothing is left for a third', 100, [payer('a', 100), payer('b', 50)], 1, [[100, 0], [0, 50], 0]],
    ['what is held counts as its own', 500, [payer('a', 20, { held: 100 })], 1, [[120, 0], 380]],
    ['one for some items pays for these', 500, [payer('a', 400, { most: 150 })], 1, [[150, 250], 350]],
    [
      'the last one gives way to the least of a card',
      500,
      [payer('a', 200), payer('b', 295)],
      20,
      [[200, 0], [280, 15], 20],
    ],
    [
      'and the one before, where that is not enough',
      500,
      [payer('a', 485), payer('b', 10)],
      20,
      [[480, 5], [0, 10], 20],
    ],
    ['an order below the least of a card is paid whole by it', 10, [payer('a', 4)], 20, [[0, 4], 10]],
    ['none gives way where no card can pay', 500, [payer('a', 495)], 0, [[495, 0], 5]],
  ] as const)('%s', (...[, amount, payers, least, expected]) => {
    expect(plan(amount, payers, least)).toEqual(expected);
  });
});

test('a card for some products pays at most for the items that are among them', () => {
  const item = (reference: string, of: string, amount: number) => ({ reference, class: of, amount }) as never;
  const orderItems = [item('A', 'Toys', 300), item('B', 'Books', 200), item('C', 'Toys', -50)];
  expect(mostFor({ orderItems }, { allowedProductIds: ['Toys'] })).toBe(250);
  expect(mostFor({ orderItems }, { allowedProductIds: ['B'] })).toBe(200);
  expect(mostFor({ orderItems: [] }, { allowedProductIds: ['B'] })).toBe(0);
  expect(mostFor({ orderItems: [] }, { allowedProductIds: [] })).toBe(Number.POSITIVE_INFINITY);
});

describe('how an order would be paid now', () => {
  const now = '2026-03-01T12:00:00.000Z';
  const usable = {
    available: 120,
    currency: 'NOK',
    cvcSequence: 1,
    blockedAt: null,
    blockedUntil: null,
    closedAt: null,
    expiresAt: null,
    allowedProductIds: [],
  };
  const planned = (account: object | undefined, terms: object = {}) => {
    const order = { amount: 500, currency: 'NOK', orderItems: [], instrument: null, terms: { generate: [], ...terms } };
    const leg = { legId: 'a', state: 'Added', amount: 0, cvcSequence: 1 };
    const giftCards = [{ leg, account: account as Account | undefined }];
    const settings = { smallestCardAmount: 400 };
    return planUnpaid({ order: { ...order, operation: 'Purchase' }, giftCards, settings, now } as never);
  };

  test('a gift card pays as long as what was checked still holds', () => {
    expect(planned(usable)).toEqual({ legs: [{ legId: 'a', amount: 100, left: 20 }], card: 400 });
  });

  test.each([
    ['is blocked', { blockedAt: now }],
    ['is closed', { closedAt: now }],
    ['has another code', { cvcSequence: 2 }],
    ['is over', { expiresAt: now }],
    ['is of another currency', { currency: 'SEK' }],
  ])('one that %s since pays nothing', (_what, change) => {
    expect(planned({ ...usable, ...change })).toEqual({ legs: [{ legId: 'a', amount: 0, left: 120 }], card: 500 });
  });

  test('one without an account pays nothing', () => {
    expect(planned(undefined)).toEqual({ legs: [{ legId: 'a', amount: 0, left: 0 }], card: 500 });
  });

  test('none gives way to a card that the menu does not offer', () => {
    expect(planned(usable, { restrictedToInstruments: ['GiftCard'] }).card).toBe(380);
  });
});
