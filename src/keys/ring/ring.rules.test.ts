import { describe, expect, it } from 'vitest';
import { Secret } from '../../kit/secret.ts';
import { nextKeyId } from '../key-id.rules.ts';
import type { HeldKey, Key, KeyId, KeyPurpose, KeyState, KnownKey } from '../keys.types.ts';
import {
  describeMisfit,
  firstKeyId,
  fitRing,
  KEY_PURPOSES,
  mergeRings,
  needsNothing,
  preparedKey,
  WAS_SHARED,
  writeKeys,
} from './ring.rules.ts';

const held = (id: string, value = id): HeldKey => ({
  id: id as KeyId,
  purpose: id.replace(/-\d+$/, '') as KeyPurpose,
  checkValue: Buffer.from(value),
  earlierCheckValue: Buffer.from(`earlier ${value}`),
});
const known = (id: string, state: KeyState = 'Current'): KnownKey => ({ ...held(id), state });

const ALL_HELD = KEY_PURPOSES.map((purpose) => held(firstKeyId(purpose)));
const ALL_KNOWN = KEY_PURPOSES.map((purpose) => known(firstKeyId(purpose)));
const ids = (keys: readonly { readonly id: KeyId }[]) => keys.map(({ id }) => id);

describe('a ring and what the database knows', () => {
  it('fit where the ring has every key', () => {
    expect(needsNothing(fitRing(ALL_KNOWN, ALL_HELD))).toBe(true);
    expect(needsNothing(fitRing(ALL_KNOWN, [...ALL_HELD, held('card-data-2')]))).toBe(true);
  });

  it('fit where a version before has registered the keys', () => {
    const registered = ALL_HELD.map(({ earlierCheckValue, ...key }) => ({ ...key, checkValue: earlierCheckValue }));
    expect(
      needsNothing(
        fitRing(
          registered.map((key) => ({ ...key, state: 'Current' })),
          ALL_HELD,
        ),
      ),
    ).toBe(true);
  });

  it('make a key for each purpose where both know none', () => {
    expect(fitRing([], []).toMake).toEqual(KEY_PURPOSES);
  });

  it('register the newest key of a ring that the database has never seen', () => {
    const fit = fitRing([], [...ALL_HELD, held('card-data-10'), held('card-data-2')]);
    expect(ids(fit.toRegister)).toContain('card-data-10');
    expect(fit.toRegister).toHaveLength(KEY_PURPOSES.length);
    expect(fit.toMake).toEqual([]);
  });

  it('make only the key of a purpose that is new to both', () => {
    expect(fitRing(ALL_KNOWN.slice(1), ALL_HELD.slice(1)).toMake).toEqual([KEY_PURPOSES[0]]);
    expect(ids(fitRing(ALL_KNOWN.slice(1), ALL_HELD).toRegister)).toEqual([`${KEY_PURPOSES[0]}-1`]);
  });

  it.each(['Current', 'Previous', 'Retired'] as const)('do not fit where a key in state %s is missing', (state) => {
    const fit = fitRing([...ALL_KNOWN, known('card-data-7', state)], ALL_HELD);
    expect(ids(fit.missing)).toEqual(['card-data-7']);
    expect(describeMisfit(fit, '/keys.json', true)).toMatch(/\/keys\.json\n.*missing: card-data-7 \(card-data\)/);
  });

  it('fit without a destroyed key', () => {
    expect(needsNothing(fitRing([...ALL_KNOWN, known('card-data-7', 'Destroyed')], ALL_HELD))).toBe(true);
  });

  it('do not fit where a key is another one, and never make one then', () => {
    const fit = fitRing(ALL_KNOWN, [...ALL_HELD.slice(1), held(`${KEY_PURPOSES[0]}-1`, 'another')]);
    expect(ids(fit.altered)).toEqual([`${KEY_PURPOSES[0]}-1`]);
    expect(fit.toMake).toEqual([]);
    expect(describeMisfit(fit, '/keys.json', true)).toContain(`another key of that name: ${KEY_PURPOSES[0]}-1`);
  });
});

describe('the key of the next rotation', () => {
  it.each([
    ['none is prepared', [known('card-data-1')], ['card-data-1'], undefined],
    ['a later one is in the ring', [known('card-data-1')], ['card-data-1', 'card-data-2'], 'card-data-2'],
    ['only an earlier one is unknown', [known('card-data-2')], ['card-data-1', 'card-data-2'], undefined],
    ['a destroyed one has left the ring', [known('card-data-9', 'Destroyed')], ['card-data-10'], 'card-data-10'],
    ['it is of another purpose', [known('card-data-1')], ['card-data-1', 'fingerprint-2'], undefined],
  ])('is found where %s', (_name, knownKeys, heldIds, expected) => {
    expect(
      preparedKey(
        'card-data',
        knownKeys,
        heldIds.map((id) => held(id)),
      )?.id,
    ).toBe(expected);
  });

  it('has a number that no key has had', () => {
    const taken = ['card-data-2', 'card-data-10', 'fingerprint-30'].map((id) => id as KeyId);
    expect(nextKeyId('card-data', taken)).toBe('card-data-11');
    expect(nextKeyId('card-data', [])).toBe('card-data-1');
  });
});

describe('the keys to write with', () => {
  it('are the current ones, and all live ones with the current first', () => {
    const others = ALL_KNOWN.filter(({ purpose }) => purpose !== 'card-data');
    const keys = writeKeys([known('card-data-9', 'Previous'), known('card-data-10'), ...others]);
    expect(keys.current['card-data']).toBe('card-data-10');
    expect(keys.live['card-data']).toEqual(['card-data-10', 'card-data-9']);
  });

  it('are those of each purpose, where no purpose has shared a key', () => {
    const { current, live } = writeKeys(ALL_KNOWN);
    expect(current['card-history']).toBe('card-history-1');
    expect(live['card-history']).toEqual(['card-history-1']);
  });

  it('are the shared one until it is replaced, for older versions know no other', () => {
    const shared = [...ALL_KNOWN.filter(({ purpose }) => purpose !== 'identity'), known('identity-1')];
    const before = writeKeys(shared);
    for (const purpose of WAS_SHARED) {
      expect(before.current[purpose]).toBe('identity-1');
      expect(before.live[purpose]).toEqual(['identity-1', `${purpose}-1`]);
    }
    expect(before.current['fingerprint']).toBe('fingerprint-1');
    const after = writeKeys([...ALL_KNOWN, known('identity-1', 'Previous')]);
    for (const purpose of WAS_SHARED) {
      expect(after.current[purpose]).toBe(`${purpose}-1`);
      expect(after.live[purpose]).toEqual([`${purpose}-1`, 'identity-1']);
    }
    const ended = writeKeys([...ALL_KNOWN, known('identity-1', 'Retired')]);
    expect(ended).toEqual(writeKeys(ALL_KNOWN));
  });

  it('must exist for each purpose', () => {
    expect(() => writeKeys(ALL_KNOWN.slice(1))).toThrow('the newest live key');
  });
});

describe('two rings', () => {
  const key = (id: string, fill: number): Key => ({
    ...held(id),
    createdAt: '2026-01-01T00:00:00.000Z',
    material: new Secret(Buffer.alloc(32, fill)),
  });

  it('become one that has the keys of both', () => {
    const { merged, added, conflicting } = mergeRings(
      [key('secrets-1', 1)],
      [key('secrets-1', 1), key('secrets-2', 2)],
    );
    expect(ids(merged)).toEqual(['secrets-1', 'secrets-2']);
    expect(added).toEqual(['secrets-2']);
    expect(conflicting).toEqual([]);
  });

  it('conflict where they have different keys of one name', () => {
    expect(mergeRings([key('secrets-1', 1)], [key('secrets-1', 2)]).conflicting).toEqual(['secrets-1']);
  });
});
