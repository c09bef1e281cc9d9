import { expect, test } from 'vitest';
import type { Answer } from '../leg.types.ts';
import type { CardHistory } from './card-history.types.ts';
import { mustWait, verdictOf } from './retry-limits.rules.ts';

const NONE: CardHistory = {
  isBlocked: false,
  isTooSoon: false,
  declinesInDay: 0,
  declinesInMonth: 0,
  triesUnderWay: 0,
  isCounted: false,
};
const NOW = '2026-03-09T10:00:00.000Z';
const CARD = { payeeId: 'payee' as never, cardDigest: Buffer.alloc(32) };
const declined = (members: object): Answer =>
  ({
    outcome: 'Declined',
    problem: 'carddeclined',
    responseCode: '100',
    retry: { advice: 'Later' },
    ...members,
  }) as Answer;
const said = (answer: Answer, history = NONE) => verdictOf(CARD, answer, { history, now: NOW });

test.each([
  ['Visa', { declinesInMonth: 14 }, false],
  ['Visa', { declinesInMonth: 15 }, true],
  ['Amex', { declinesInMonth: 15 }, true],
  [undefined, { declinesInMonth: 15 }, true],
  ['Maestro', { declinesInDay: 9, declinesInMonth: 34 }, false],
  ['Maestro', { declinesInDay: 10, declinesInMonth: 10 }, true],
  ['Mastercard', { declinesInMonth: 35 }, true],
  ['Visa', { isTooSoon: true }, true],
  ['Visa', { declinesInMonth: 10, triesUnderWay: 4 }, false],
  ['Visa', { declinesInMonth: 10, triesUnderWay: 5 }, true],
  ['Mastercard', { declinesInDay: 9, triesUnderWay: 1 }, true],
  ['Visa', { isBlocked: true }, false],
] as const)('a payee waits with a card of %s after %o: %s', (brand, history, waits) => {
  expect(mustWait({ ...NONE, ...history }, brand)).toBe(waits);
});

test.each([
  [
    'Never',
    { retry: { advice: 'Never' } },
    { blockedUntil: '2026-04-08T10:00:00.000Z', declinedAt: NOW, retryAt: null },
  ],
  ['Later', {}, { blockedUntil: NOW, declinedAt: NOW, retryAt: null }],
  ['Later, in 240 hours', { retry: { advice: 'Later', afterHours: 240 } }, { retryAt: '2026-03-19T10:00:00.000Z' }],
  ['Later, by the acquirer', { problem: 'acquirererror' }, { blockedUntil: NOW, declinedAt: null, retryAt: null }],
  ['Never, by the acquirer', { problem: 'acquirererror', retry: { advice: 'Never' } }, { declinedAt: null }],
])('%s', (_what, members, verdict) => {
  expect(said(declined(members))).toMatchObject({ ...verdict, isApproved: false });
});

test('an approval ends what is counted, and writes nothing of a card that was never declined', () => {
  const approved: Answer = { outcome: 'Approved', responseCode: '000', references: {} };
  expect(said(approved)).toBeUndefined();
  expect(said(approved, { ...NONE, isCounted: true })).toMatchObject({ isApproved: true, blockedUntil: NOW });
});

test('no answer says nothing, and neither does what follows a payment', () => {
  for (const outcome of ['NoAnswer', 'NotUsable', 'NotSent', 'Forwarded', 'Kept'])
    expect(said({ outcome } as Answer)).toBeUndefined();
  expect(verdictOf({ ...CARD, cardDigest: null }, declined({}), { history: NONE, now: NOW })).toBeUndefined();
});
