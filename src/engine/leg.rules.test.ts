import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AssertionFailure } from '../kit/assert.ts';
import type { AmountMinor } from '../kit/money.ts';
import {
  approved,
  carryOut,
  expire,
  giveBack,
  remainingOf,
  reserve,
  settle,
  settledAttempt,
  standingAfter,
  stateBy,
  stepOn,
} from './leg.rules.ts';
import { type Answer, LEG_STATES, type Leg, type LegStep, type WantedStep } from './leg.types.ts';

const minor = (amount: number) => amount as AmountMinor;
const amounts = fc.integer({ min: 0, max: 12 }).map(minor);

/** Any leg that the rules may meet, also one that several steps wait on; its hold is open, over, or the issuer's own. */
const legs: fc.Arbitrary<Leg> = fc
  .record({
    parts: fc.tuple(amounts, amounts, amounts, amounts),
    reversed: amounts,
    reservedReversal: amounts,
    holdExpiresAt: fc.constantFrom('2026-01-01T00:00:00.000Z', null, undefined),
  })
  .map(({ parts: [captured, cancelled, reservedHold, rest], reversed, reservedReversal, holdExpiresAt }) => {
    const back = Math.min(reversed, captured);
    // A hold that is over has nothing left.
    const left = holdExpiresAt === null ? 0 : rest;
    return {
      amount: minor(captured + cancelled + reservedHold + left),
      captured,
      cancelled,
      reversed: minor(back),
      reservedHold,
      reservedReversal: minor(Math.min(reservedReversal, captured - back)),
      ...(holdExpiresAt !== undefined && { holdExpiresAt }),
    };
  });

const wishes: fc.Arbitrary<WantedStep> = fc.record({
  operation: fc.constantFrom('Capture', 'Cancel', 'Reversal'),
  amount: fc.option(fc.integer({ min: 1, max: 20 }).map(minor), { nil: undefined }),
  releasesRest: fc.boolean(),
});

const APPROVED: Answer = {
  outcome: 'Approved',
  responseCode: '000',
  references: { retrievalReference: '600100000001' },
};
const DECLINED: Answer = {
  outcome: 'Declined',
  responseCode: '100',
  problem: 'carddeclined',
  retry: { advice: 'Later' },
};

const KEPT: Answer = { outcome: 'Kept', releasedAmount: minor(0), sequence: { number: 1, isLast: true } };

const answers: fc.Arbitrary<Answer> = fc.constantFrom<Answer[]>(APPROVED, DECLINED, KEPT, { outcome: 'NoAnswer' });

/** Runs a property over legs and the steps that can be taken on them. */
function overSteps(check: (leg: Leg, step: LegStep, answer: Answer) => void): void {
  let taken = 0;
  fc.assert(
    fc.property(legs, wishes, answers, (leg, wanted, answer) => {
      const step = stepOn(leg, wanted);
      if (typeof step === 'string') return;
      taken += 1;
      check(leg, step, answer);
    }),
    { numRuns: 2000 },
  );
  expect(taken).toBeGreaterThan(200);
}

function expectWhole(leg: Leg): void {
  const { amount, captured, cancelled, reversed, reservedHold, reservedReversal } = leg;
  for (const one of [amount, captured, cancelled, reversed, reservedHold, reservedReversal]) {
    expect(one).toBeGreaterThanOrEqual(0);
  }
  expect(captured + cancelled + reservedHold).toBeLessThanOrEqual(amount);
  expect(reversed + reservedReversal).toBeLessThanOrEqual(captured);
}

describe('a leg', () => {
  test('keeps its amounts whole, whatever is done to it', () => {
    overSteps((leg, step, answer) => {
      expectWhole(carryOut(leg, step));
      const asked = reserve(leg, step);
      expectWhole(asked);
      expectWhole(settle(asked, { ...step, isWaiting: true }, answer));
    });
  });

  test('is as before once what was reserved is given back', () => {
    overSteps((leg, step) => {
      if (leg.holdExpiresAt !== null) expect(giveBack(reserve(leg, step), step)).toEqual(leg);
    });
  });

  test('is the same whether its issuer was asked and agreed, or did not have to be asked', () => {
    overSteps((leg, step) => {
      const settled = settle(reserve(leg, step), { ...step, isWaiting: true }, APPROVED);
      expect(settled).toEqual(carryOut(leg, step));
    });
  });

  test('stays as it is while a capture is kept, which is settled once it is forwarded', () => {
    overSteps((leg, step) => {
      const asked = reserve(leg, step);
      expect(settle(asked, { ...step, isWaiting: true }, KEPT)).toEqual(asked);
    });
    const attempt = { payeeId: '' as never, attemptId: '' };
    expect(settledAttempt(attempt, KEPT)).toMatchObject({
      row: { from: 'CALLING', to: 'FORWARDING', answer: { state: 'Stored', kept: KEPT, retry: null } },
    });
    expect(settledAttempt(attempt, APPROVED, 'FORWARDING')).toMatchObject({
      row: { from: 'FORWARDING', to: 'SETTLED', answer: { state: 'Answered', kept: null } },
    });
  });

  test('takes no answer for a step that waits no longer', () => {
    overSteps((leg, step, answer) => {
      expect(() => settle(reserve(leg, step), { ...step, isWaiting: false }, answer)).toThrow(AssertionFailure);
    });
  });

  test('gives no more than what remains, and all of it', () => {
    fc.assert(
      fc.property(legs, wishes, (leg, wanted) => {
        const { capture, cancel, reversal } = remainingOf(leg);
        const left = { Capture: capture, Cancel: cancel, Reversal: reversal }[wanted.operation];
        const step = stepOn(leg, wanted);
        if (left === 0) expect(step).toBe('NothingLeft');
        else if ((wanted.amount ?? 0) > left) expect(step).toBe('TooMuch');
        else expect(step).toMatchObject({ operation: wanted.operation, amount: wanted.amount ?? left });
      }),
    );
  });

  test('has nothing left of its hold once that has expired, and gets nothing back after', () => {
    overSteps((leg, step, answer) => {
      if (leg.holdExpiresAt === undefined) return;
      const over = expire(reserve(leg, step));
      expectWhole(over);
      expect(remainingOf(over)).toMatchObject({ capture: 0, cancel: 0 });
      const settled = settle(over, { ...step, isWaiting: true }, answer);
      expectWhole(settled);
      expect(remainingOf(settled)).toMatchObject({ capture: 0, cancel: 0 });
    });
  });

  test('has its hold until nothing of it is left and nothing reserved', () => {
    overSteps((leg, step) => {
      const { captured, cancelled, amount, holdExpiresAt } = carryOut(leg, step);
      expect(holdExpiresAt).toBe(
        captured + cancelled === amount && leg.holdExpiresAt !== undefined ? null : leg.holdExpiresAt,
      );
    });
  });
});

describe('the state of a leg', () => {
  test.each([
    [0, 0, 0, 0, 'Completed'],
    [10, 0, 0, 0, 'Authorized'],
    [10, 0, 4, 0, 'Authorized'],
    [10, 4, 0, 0, 'PartlyCaptured'],
    [10, 4, 3, 4, 'PartlyCaptured'],
    [10, 0, 10, 0, 'Cancelled'],
    [10, 10, 0, 0, 'Captured'],
    [10, 4, 6, 0, 'Captured'],
    [10, 4, 6, 3, 'PartlyReversed'],
    [10, 4, 6, 4, 'Reversed'],
  ])(
    'of %d with %d captured, %d cancelled and %d reversed is %s',
    (amount, ...[captured, cancelled, reversed, state]) => {
      const leg = { ...approved(minor(amount), { isCaptured: false }), captured, cancelled, reversed };
      expect(stateBy(LEG_STATES, leg)).toBe(state);
    },
  );

  test('follows from its amounts alone: what waits for an answer changes it not', () => {
    overSteps((leg, step) => {
      expect(stateBy(LEG_STATES, { ...reserve(leg, step) })).toBe(stateBy(LEG_STATES, { ...leg }));
    });
  });
});

test('an attempt without an answer is taken back, and any other is settled', () => {
  const attempt = { payeeId: 'payee', attemptId: 'attempt' } as unknown as Parameters<typeof settledAttempt>[0];
  expect(settledAttempt(attempt, { outcome: 'NoAnswer' })).toMatchObject({
    row: { from: 'CALLING', to: 'REVERSING' },
  });
  expect(settledAttempt(attempt, APPROVED)).toMatchObject({ row: { to: 'SETTLED' } });
  expect(settledAttempt(attempt, DECLINED)).toMatchObject({
    row: { to: 'SETTLED' },
  });
});

const DAY = { responseCode: '006' };
test.each<[Answer, string, string, string]>([
  [APPROVED, 'Done', 'SETTLED', 'Answered'],
  [{ outcome: 'Forwarded', sent: 'Yes' }, 'Done', 'FORWARDING', 'Forwarded'],
  [{ outcome: 'Forwarded', sent: 'Unknown' }, 'Done', 'FORWARDING', 'Silent'],
  [{ outcome: 'Forwarded', sent: 'No' }, 'Done', 'FORWARDING', 'Stored'],
  [KEPT, 'Waiting', 'FORWARDING', 'Stored'],
  [DECLINED, 'Declined', 'SETTLED', 'Answered'],
  [{ ...DECLINED, takeBack: true } as Answer, 'Declined', 'REVERSING', 'Answered'],
  [{ outcome: 'AuthenticationRequired', responseCode: '180' }, 'Declined', 'SETTLED', 'Answered'],
  [{ outcome: 'NotSent', cause: 'no connection' }, 'Declined', 'SETTLED', 'NotSent'],
  [
    { outcome: 'PartiallyApproved', ...DAY, approvedAmount: minor(1), references: {} },
    'Declined',
    'REVERSING',
    'Answered',
  ],
  [{ outcome: 'NotUsable', responseCode: '911' }, 'TakingBack', 'REVERSING', 'Answered'],
  [{ outcome: 'NoAnswer' }, 'TakingBack', 'REVERSING', 'Silent'],
])('%o: the step is %s, its attempt %s, its exchange %s', (answer, standing, to, state) => {
  const attempt = { payeeId: 'payee', attemptId: 'attempt' } as unknown as Parameters<typeof settledAttempt>[0];
  expect(standingAfter(answer)).toBe(standing);
  expect(settledAttempt(attempt, answer)).toMatchObject({ row: { to, answer: { state } } });
});
