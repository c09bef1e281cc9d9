import { describe, expect, it } from 'vitest';
import type { Account } from '../../ledger/ledger.types.ts';
import type { CardVerdict, NewPaymentCommand, Product } from '../accounts.types.ts';
import { declineOf } from './decline.rules.ts';

const NOW = '2030-06-15T12:00:00.000Z';

const ACCOUNT = {
  accountId: 'account',
  kind: 'StoredValue',
  currency: 'NOK',
  available: 100,
  held: 0,
  expiresOn: '2031-01-31',
  expiresAt: '2031-01-31T23:00:00.000Z',
  cvcRequired: false,
  allowedProductIds: [],
  blockedAt: null,
  blockedUntil: null,
  strikes: 0,
  strikesEndAt: null,
  strikers: null,
  closedAt: null,
} as unknown as Account;

const VERDICT: CardVerdict = { numberMatches: true, code: 'Matches', expiryMonth: '2031-01' };

interface Case {
  readonly account?: Partial<Record<keyof Account, unknown>>;
  readonly verdict?: Partial<CardVerdict>;
  readonly command?: Partial<Record<keyof NewPaymentCommand, unknown>>;
  readonly products?: readonly Product[];
}

function decide({ account = {}, verdict = {}, command = {}, products }: Case, now = NOW) {
  const asked = {
    operation: 'Purchase',
    actor: { kind: 'access-token', id: 'a', sessionId: undefined },
    amount: 100,
    currency: 'NOK',
    verdict: { ...VERDICT, ...verdict },
    echo: { words: products === undefined ? {} : { products } },
    ...command,
  } as unknown as NewPaymentCommand;
  return declineOf(asked, { ...ACCOUNT, ...account } as Account, now);
}

/** What speaks against a payment, each stronger than all that follow. */
const LADDER: readonly (readonly [string, Case, string, boolean])[] = [
  ['another number', { verdict: { numberMatches: false } }, 'carddeclined', false],
  ['a block', { account: { blockedAt: NOW } }, 'carddeclined', false],
  ['a wrong code', { verdict: { code: 'Wrong' } }, 'carddeclined', true],
  ['a wrong expiry', { verdict: { expiryMonth: '2031-02' } }, 'carddeclined', true],
  ['a missing code', { account: { cvcRequired: true }, verdict: { code: 'NotSent' } }, 'carddeclined', false],
  ['its end', { account: { expiresAt: NOW } }, 'acquirercardexpired', false],
  ['another currency', { command: { currency: 'SEK' } }, 'carddeclined', false],
  [
    'a product',
    { account: { allowedProductIds: ['a'] }, products: [{ productId: 'b', amount: 1 }] },
    'carddeclined',
    false,
  ],
  ['too little money', { account: { available: 99 } }, 'acquirerinsufficientfunds', false],
];

describe('a decline', () => {
  it('has no reason where nothing speaks against it', () => expect(decide({})).toBeUndefined());

  it.each(LADDER.map((row, index) => [row[0], index] as const))('for %s comes before what is below it', (_, index) => {
    const below = LADDER.slice(index);
    const together: Case = {
      account: Object.assign({}, ...below.map(([, { account }]) => account)),
      verdict: Object.assign({}, ...below.map(([, { verdict }]) => verdict).reverse()),
      command: Object.assign({}, ...below.map(([, { command }]) => command)),
      products: [{ productId: 'b', amount: 1 }],
    };
    const [, , problem, isStrike] = LADDER[index] ?? [];
    expect(decide(together)).toEqual({ problem, isStrike });
  });

  it('follows from what was sent where only the issuer knows the card', () => {
    const account = { kind: 'External', currency: null, expiresOn: null, expiresAt: null, available: 0 };
    expect(decide({ account, verdict: { expiryMonth: '2030-06', code: 'Unchecked' } })).toBeUndefined();
    expect(decide({ account, verdict: { expiryMonth: '2030-05' } })).toEqual({
      problem: 'acquirercardexpired',
      isStrike: false,
    });
  });

  it('is not for the expiry of an issuer’s card before its month is over everywhere', () => {
    const account = { kind: 'External', currency: null, expiresOn: null, expiresAt: null, available: 0 };
    const card: Case = { account, verdict: { expiryMonth: '2030-05', code: 'Unchecked' } };
    expect(decide(card, '2030-06-01T11:59:59.999Z')).toBeUndefined();
    expect(decide(card, '2030-06-01T12:00:00.000Z')).toMatchObject({ problem: 'acquirercardexpired' });
  });

  it('does not ask money that comes in for a balance or a code', () => {
    for (const operation of ['Deposit', 'Credit']) {
      expect(
        decide({ command: { operation }, account: { available: 0, cvcRequired: true }, verdict: { code: 'NotSent' } }),
      ).toBeUndefined();
    }
  });

  it('ends with the block', () => {
    const blockedAt = '2030-06-14T12:00:00.000Z';
    expect(decide({ account: { blockedAt, blockedUntil: NOW } })).toBeUndefined();
    expect(decide({ account: { blockedAt, blockedUntil: '2030-06-15T12:00:00.001Z' } })?.problem).toBe('carddeclined');
  });
});
