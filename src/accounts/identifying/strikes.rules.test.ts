import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addSeconds } from '../../kit/instants.ts';
import type { Account } from '../../ledger/ledger.types.ts';
import { failure, isBlocked, isKeptOff, keepsSomebodyOff, NO_STRIKES, strike } from './strikes.rules.ts';

const NOW = '2030-06-15T12:00:00.000Z';
const at = (minutes: number) => addSeconds(NOW, 60 * minutes);
const DAY = 24 * 60;

const ACCOUNT = {
  accountId: 'account',
  blockedAt: null,
  blockedUntil: null,
  closedAt: null,
  ...NO_STRIKES,
} as unknown as Account;

/** The account after wrong codes, each of a caller at a minute. */
function struckBy(...wrong: readonly (readonly [caller: string, minute: number])[]): Account {
  let account = ACCOUNT;
  for (const [caller, minute] of wrong) account = { ...account, ...strike(account, caller, at(minute)) };
  return account;
}

const times = (count: number, caller: string, minute = 0) =>
  Array.from({ length: count }, () => [caller, minute] as const);

describe('wrong codes of one caller', () => {
  it('close the card for that caller at the fifth in half an hour, for a day, and for no other', () => {
    expect(isKeptOff(struckBy(...times(4, 'a')), 'a', at(1))).toBe(false);
    const account = struckBy(...times(4, 'a'), ['a', 29]);
    expect(isKeptOff(account, 'a', at(29 + DAY - 1))).toBe(true);
    expect(isKeptOff(account, 'a', at(29 + DAY))).toBe(false);
    expect(isKeptOff(account, 'b', at(30))).toBe(false);
    expect(isBlocked(account, at(30))).toBe(false);
    expect([keepsSomebodyOff(account, at(30)), keepsSomebodyOff(account, at(29 + DAY))]).toEqual([true, false]);
  });

  it('begin a window at the first, and another one after it', () => {
    expect(isKeptOff(struckBy(...times(4, 'a'), ['a', 30]), 'a', at(31))).toBe(false);
  });

  it('close it at the tenth of a day, however slowly they come', () => {
    const slow = Array.from({ length: 10 }, (_, index) => ['a', index * 100] as const);
    expect(isKeptOff(struckBy(...slow.slice(0, 9)), 'a', at(900))).toBe(false);
    expect(isKeptOff(struckBy(...slow), 'a', at(900))).toBe(true);
  });

  it('are forgiven together', () => {
    const account = { ...struckBy(...times(5, 'a')), ...NO_STRIKES };
    expect(isKeptOff(account, 'a', at(1))).toBe(false);
  });
});

describe('wrong codes of many callers', () => {
  it('close the card for all at the thirtieth of a day', () => {
    const callers = Array.from({ length: 30 }, (_, index) => [`caller ${index}`, index] as const);
    expect(isBlocked(struckBy(...callers.slice(0, 29)), at(29))).toBe(false);
    const account = struckBy(...callers);
    expect([isBlocked(account, at(29 + DAY - 1)), isBlocked(account, at(29 + DAY))]).toEqual([true, false]);
  });

  it('cannot close it for all where there are two, whatever they do in a day', () => {
    const tries = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(DAY - 1)), { maxLength: 200 });
    fc.assert(
      fc.property(tries, (list) => {
        let account = ACCOUNT;
        for (const [caller, minute] of list.sort(([, one], [, other]) => one - other)) {
          account = { ...account, ...failure(sent(caller), account, at(minute)).accountChanges?.[0] };
        }
        expect(account.blockedAt).toBe(null);
        expect(Object.keys(account.strikers ?? {}).length).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('are forgotten after their day', () => {
    const account = struckBy(...times(3, 'a'), ['b', DAY + 1]);
    expect(Object.keys(account.strikers ?? {})).toEqual(['b']);
  });
});

const sent = (id: string, isWrong = true) => ({
  payeeId: 'payee' as never,
  actor: { kind: 'access-token', id, sessionId: undefined } as const,
  numberDigest: Buffer.alloc(32),
  isWrong,
});

describe('a look-up that finds nothing', () => {
  it('changes one row and is told in the audit trail, whatever is wrong', () => {
    for (const found of [
      failure(sent('a'), ACCOUNT, NOW),
      failure(sent('a', false), ACCOUNT, NOW),
      failure(sent('a'), struckBy(...times(5, 'access-token:a')), NOW),
      failure(sent('a'), { ...ACCOUNT, blockedAt: NOW }, NOW),
      failure(sent('a', false), undefined, NOW),
    ]) {
      expect(found.action).toBe('note-wrong-code');
      expect((found.accountChanges ?? found.writes)?.length).toBe(1);
    }
  });

  it('counts against the card only where a code or expiry is wrong and the card is open', () => {
    expect(failure(sent('a'), ACCOUNT, NOW).accountChanges).toMatchObject([{ strikes: 1 }]);
    expect(failure(sent('a', false), ACCOUNT, NOW).accountChanges).toEqual([{ accountId: 'account' }]);
    expect(failure(sent('a'), struckBy(...times(5, 'access-token:a')), at(1)).accountChanges).toEqual([
      { accountId: 'account' },
    ]);
  });

  it('counts against the OAuth client, whichever of its tokens was used', () => {
    const actor = { kind: 'access-token', id: '1', sessionId: undefined, client: 'oauth-client:c' } as const;
    const [change] = failure({ ...sent('a'), actor }, ACCOUNT, NOW).accountChanges ?? [];
    expect(Object.keys(change?.strikers ?? {})).toEqual(['oauth-client:c']);
  });
});
