import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { carryOut, giveBack, NO_LEG, remainingOf, reserve, stepOn } from '../engine/leg.rules.ts';
import type { Leg } from '../engine/leg.types.ts';
import { amountMinor } from '../kit/money.ts';
import type { LegId, LegOrder } from './orders.types.ts';
import {
  type FollowUpOfOrder,
  inOrderOf,
  isAsSeen,
  partsOf,
  type SplitLeg,
  spread,
  vatOfParts,
} from './split.rules.ts';

const leg = (position: number, kind: SplitLeg['kind'], amount: number, more: Partial<Leg> = {}): SplitLeg => ({
  legId: `leg-${position}` as LegId,
  kind,
  position,
  amounts: { ...NO_LEG, amount: amountMinor(amount), ...more },
});

const amountsOf = (parts: ReturnType<typeof partsOf>) =>
  typeof parts === 'string' ? parts : parts.map(({ legId, amount }) => [legId, amount]);

const LEGS = [leg(1, 'Account', 120), leg(2, 'Account', 30), leg(3, 'Card', 350)];

describe('an amount over legs', () => {
  test('is taken in the order given, zeros left out, and all of it or nothing', () => {
    const lefts = LEGS.map(({ legId, amounts }) => ({ legId, left: amounts.amount }));
    expect(amountsOf(spread(130, lefts) ?? 'TooMuch')).toEqual([
      ['leg-1', 120],
      ['leg-2', 10],
    ]);
    expect(spread(501, lefts)).toBeUndefined();
    expect(spread(0, lefts)).toEqual([]);
  });

  test.each<[FollowUpOfOrder, LegOrder, readonly number[]]>([
    ['Capture', 'GiftCardsFirst', [1, 2, 3]],
    ['Capture', 'CardFirst', [3, 1, 2]],
    ['Cancellation', 'GiftCardsFirst', [1, 2, 3]],
    ['Reversal', 'CardFirst', [3, 2, 1]],
    ['Reversal', 'GiftCardsFirst', [2, 1, 3]],
  ])('a %s goes %s', (type, order, positions) => {
    expect(inOrderOf(type, LEGS, order).map(({ position }) => position)).toEqual(positions);
  });

  test.each<[string, Parameters<typeof partsOf>[1], unknown]>([
    ['more than is left', { type: 'Capture', amount: 501, legs: undefined, order: 'GiftCardsFirst' }, 'TooMuch'],
    [
      'of what is not captured',
      { type: 'Reversal', amount: 1, legs: undefined, order: 'GiftCardsFirst' },
      'NothingLeft',
    ],
    [
      'by an unknown leg',
      { type: 'Capture', amount: 1, legs: [{ legId: 'x', amount: 1 }], order: 'CardFirst' },
      'UnknownLeg',
    ],
    [
      'by parts of another sum',
      { type: 'Capture', amount: 2, legs: [{ legId: 'leg-1', amount: 1 }], order: 'CardFirst' },
      'UnlikeSum',
    ],
    [
      'by more than a leg has',
      { type: 'Capture', amount: 31, legs: [{ legId: 'leg-2', amount: 31 }], order: 'CardFirst' },
      'TooMuch',
    ],
    [
      'by one leg twice',
      {
        type: 'Capture',
        amount: 2,
        legs: [
          { legId: 'leg-1', amount: 1 },
          { legId: 'LEG-1', amount: 1 },
        ],
        order: 'CardFirst',
      },
      'UnknownLeg',
    ],
    [
      'all that is left',
      { type: 'Cancellation', amount: undefined, legs: undefined, order: 'CardFirst' },
      [
        ['leg-3', 350],
        ['leg-1', 120],
        ['leg-2', 30],
      ],
    ],
  ])('is refused or taken: %s', (_what, wanted, parts) => {
    expect(amountsOf(partsOf(LEGS, wanted))).toEqual(parts);
  });

  test('gives nothing back that is disputed', () => {
    const disputed = [leg(1, 'Card', 100, { captured: amountMinor(100), disputed: amountMinor(60) })];
    const back = (amount: number) =>
      partsOf(disputed, { type: 'Reversal', amount, legs: undefined, order: 'CardFirst' });
    expect(back(41)).toBe('TooMuch');
    expect(amountsOf(back(40))).toEqual([['leg-1', 40]]);
  });
});

test('VAT of parts is rounded down, and the last one has the rest', () => {
  expect(vatOfParts(100, [1, 1, 1])).toEqual([33, 33, 34]);
  expect(vatOfParts(0, [5, 5])).toEqual([0, 0]);
  expect(vatOfParts(999_999_999_999, [999_999_999_998, 1]).reduce((sum, vat) => sum + vat, 0)).toBe(999_999_999_999);
});

test('the VAT of 10 000 random splits is the whole, and of no part more than its amount', () => {
  const amount = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 4 }), fc.nat(1_000), (parts, share) => {
      const total = parts.reduce((sum, part) => sum + part, 0);
      const vat = Math.floor((total * share) / 1_000);
      const vats = vatOfParts(vat, parts);
      return (
        vats.reduce((sum, one) => sum + one, 0) === vat &&
        // What is missing to the whole is less than one unit a part.
        vats.every((one, index) => one >= 0 && one < (parts[index] ?? 0) + parts.length)
      );
    }),
    { numRuns: 10_000 },
  );
});

test('what a payer saw is what would be paid, each of it', () => {
  const plan = { legs: [{ legId: 'a', amount: 5, left: 0 }], card: 7 };
  expect(isAsSeen(plan, { legs: [{ legId: 'a', amount: 5 }], card: 7 })).toBe(true);
  expect(isAsSeen(plan, { legs: [{ legId: 'a', amount: 5 }], card: 8 })).toBe(false);
  expect(isAsSeen(plan, { legs: [], card: 7 })).toBe(false);
  expect(isAsSeen(plan, { legs: [{ legId: 'a', amount: 4 }], card: 7 })).toBe(false);
  expect(isAsSeen(plan, undefined)).toBe(false);
});

const STEPS = { Capture: 'Capture', Cancellation: 'Cancel', Reversal: 'Reversal' } as const;

test('10 000 random lives keep every leg within its bounds, and end with all that was captured given back', () => {
  const event = fc.record({
    type: fc.constantFrom<FollowUpOfOrder>('Capture', 'Capture', 'Reversal', 'Cancellation'),
    share: fc.nat(120),
    order: fc.constantFrom<LegOrder>('GiftCardsFirst', 'CardFirst'),
    /** What the acquirer of the card says. */
    isDone: fc.boolean(),
  });
  const life = fc.record({
    amounts: fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 4 }),
    events: fc.array(event, { maxLength: 8 }),
  });
  fc.assert(
    fc.property(life, ({ amounts, events }) => {
      let legs = amounts.map((amount, index) =>
        leg(index + 1, index === amounts.length - 1 ? 'Card' : 'Account', amount),
      );
      const total = amounts.reduce((sum, amount) => sum + amount, 0);
      const booked = { Capture: 0, Cancellation: 0, Reversal: 0 };
      const sumOf = (member: 'captured' | 'cancelled' | 'reversed') =>
        legs.reduce((sum, { amounts: of }) => sum + of[member], 0);
      const apply = (
        type: FollowUpOfOrder,
        amount: number | undefined,
        { order, isDone }: { order: LegOrder; isDone: boolean },
      ) => {
        const parts = partsOf(legs, { type, amount, legs: undefined, order });
        if (typeof parts === 'string') return;
        const sum = parts.reduce((all, part) => all + part.amount, 0);
        if (amount !== undefined && sum !== amount) throw new Error('parts are all of their amount');
        legs = legs.map((one) => {
          const part = parts.find(({ legId }) => legId === one.legId);
          if (part === undefined) return one;
          const step = stepOn(one.amounts, { operation: STEPS[type], amount: part.amount });
          if (typeof step === 'string') throw new Error('a part is within what is left');
          const free = giveBack({ ...reserve(one.amounts, step), holdExpiresAt: 'later' }, step);
          const { holdExpiresAt: _, ...after } = isDone ? carryOut(free, step) : free;
          return { ...one, amounts: after };
        });
        if (isDone) booked[type] += sum;
      };
      for (const { type, share, ...how } of events) {
        apply(type, type === 'Cancellation' ? undefined : Math.max(1, Math.floor((total * share) / 100)), how);
        const isBroken = legs.some(
          ({ amounts: of }) =>
            of.captured + of.cancelled + of.reservedHold > of.amount || of.reversed + of.reservedReversal > of.captured,
        );
        const sums = [sumOf('captured'), sumOf('cancelled'), sumOf('reversed')].join();
        // Plain comparisons: there are a hundred thousand of them.
        if (isBroken || sums !== [booked.Capture, booked.Cancellation, booked.Reversal].join()) throw new Error(sums);
      }
      const left = legs.reduce((sum, { amounts: of }) => sum + remainingOf(of).reversal, 0);
      if (left > 0) apply('Reversal', left, { order: 'GiftCardsFirst', isDone: true });
      return legs.every(({ amounts: of }) => of.reversed === of.captured);
    }),
    { numRuns: 10_000 },
  );
});
