import { createHmac, hkdfSync } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { assert, beforeAll, describe, expect, it, test } from 'vitest';
import { AssertionFailure } from '../../kit/assert.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { AssociatedData, Key, KeyId, KeyPurpose, KeyRing } from '../keys.types.ts';
import { createKeyRing } from './key-ring.adapter.ts';

const PLACE: AssociatedData = {
  purpose: 'card-data',
  payeeId: '019aa000-0000-7000-8000-000000000001' as PayeeId,
  rowId: '019aa000-0000-7000-8000-0000000000aa',
  field: 'instrument.sealed',
};
const NUMBER = '4925000000000004';
const [FIRST, SECOND] = ['card-data-1' as KeyId, 'card-data-2' as KeyId];

const maker = createKeyRing(async () => undefined);
const make = (id: string, purpose: KeyPurpose): Key => maker.make(id as KeyId, purpose);
const KEYS = [
  make('card-data-1', 'card-data'),
  make('card-data-2', 'card-data'),
  make('fingerprint-1', 'fingerprint'),
  make('secrets-1', 'secrets'),
];

let ring: KeyRing;
beforeAll(async () => {
  ring = createKeyRing(async () => KEYS);
  await ring.refresh();
});

const seal = (text = NUMBER, place = PLACE, keyId = FIRST) => ring.seal(keyId, place, new Secret(text));

describe('a sealed value', () => {
  it('opens to the text that was sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(ring.open(PLACE, seal(text)).reveal()).toBe(text);
      }),
    );
  });

  it('is another one each time, and does not show the text', () => {
    const [one, other] = [seal(), seal()];
    expect(one.equals(other)).toBe(false);
    expect(one.includes(NUMBER)).toBe(false);
  });

  it.each([
    ['another row', { rowId: '019aa000-0000-7000-8000-0000000000ab' }],
    ['another payee', { payeeId: '019aa000-0000-7000-8000-000000000002' as PayeeId }],
    ['another column', { field: 'hmac_key.secret_sealed' }],
    ['another purpose', { purpose: 'secrets' as const }],
  ])('does not open in %s', (_name, elsewhere) => {
    expect(() => ring.open({ ...PLACE, ...elsewhere }, seal())).toThrow(AssertionFailure);
    expect(() => ring.rewrap(SECOND, { ...PLACE, ...elsewhere }, seal())).toThrow(AssertionFailure);
  });

  it('does not open once a single bit is another one, and the error shows nothing of it', () => {
    const sealed = seal();
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const error = thrownBy(() => ring.open(PLACE, altered));
      assert(error instanceof AssertionFailure, `bit ${bit}`);
      expect(String(error)).not.toContain(NUMBER);
    }
  });

  it('does not open when it is cut off or goes on', () => {
    const sealed = seal();
    for (let length = 0; length < sealed.length; length++) {
      expect(() => ring.open(PLACE, sealed.subarray(0, length)), `${length} bytes`).toThrow(AssertionFailure);
    }
    expect(() => ring.open(PLACE, Buffer.concat([sealed, Buffer.from([0])]))).toThrow(AssertionFailure);
  });

  it('does not open with the data key of another one', () => {
    // Both are sealed for the same place; the data keys are exchanged whole.
    const [one, other] = [seal('one'), seal('two')];
    const start = 2 + FIRST.length;
    const mixed = Buffer.concat([one.subarray(0, start), other.subarray(start, start + 60), one.subarray(start + 60)]);
    expect(() => ring.open(PLACE, mixed)).toThrow(AssertionFailure);
  });

  it('says which key it needs', () => {
    expect(ring.sealedWith(seal())).toBe(FIRST);
    expect(ring.sealedWith(Buffer.from('no sealed value'))).toBeUndefined();
    expect(ring.sealedWith(Buffer.alloc(0))).toBeUndefined();
  });

  it('opens after it was wrapped with another key, and then without the first one', async () => {
    const rewrapped = ring.rewrap(SECOND, PLACE, seal());
    const later = createKeyRing(async () => KEYS.filter((key) => key.id !== FIRST));
    await later.refresh();
    expect(later.sealedWith(rewrapped)).toBe(SECOND);
    expect(later.open(PLACE, rewrapped).reveal()).toBe(NUMBER);
    expect(() => later.open(PLACE, seal())).toThrow('the key ring holds card-data-1');
  });

  it('keeps its text as it is when it is wrapped with another key', () => {
    const sealed = seal();
    const rewrapped = ring.rewrap(SECOND, PLACE, sealed);
    expect(rewrapped.subarray(-(NUMBER.length + 28))).toEqual(sealed.subarray(-(NUMBER.length + 28)));
  });

  it('is not made under a key of another purpose', () => {
    expect(() => seal(NUMBER, PLACE, 'secrets-1' as KeyId)).toThrow('used for its own purpose only');
    expect(() => ring.rewrap('secrets-1' as KeyId, PLACE, seal())).toThrow('used for its own purpose only');
  });
});

describe('a digest', () => {
  it('is HMAC-SHA-256 over payee, a zero byte and the text', () => {
    const key = KEYS.find(({ id }) => id === 'fingerprint-1');
    const expected = createHmac('sha256', key?.material.reveal() ?? '')
      .update(PLACE.payeeId)
      .update(Buffer.from([0]))
      .update(NUMBER)
      .digest();
    expect(ring.digest('fingerprint-1' as KeyId, PLACE.payeeId, new Secret(NUMBER))).toEqual(expected);
  });

  it('is another one for another payee', () => {
    const digest = (payeeId: string) => ring.digest('fingerprint-1' as KeyId, payeeId as PayeeId, new Secret(NUMBER));
    expect(digest('a').equals(digest('b'))).toBe(false);
  });
});

describe('the ring', () => {
  it('never prints a key', () => {
    for (const { material } of KEYS) {
      for (const form of ['base64', 'hex', 'latin1'] as const) {
        const printed = material.reveal().toString(form);
        for (const text of [inspect(ring, { depth: 9 }), JSON.stringify(ring.held()), inspect(KEYS), String(KEYS[0])]) {
          expect(text).not.toContain(printed);
        }
      }
    }
  });

  it('tells keys apart by check values that are no key', () => {
    const [one, other] = [ring.held()[0], ring.held()[1]];
    expect(one?.checkValue).not.toEqual(other?.checkValue);
    expect(one?.checkValue).not.toEqual(KEYS[0]?.material.reveal());
    expect(ring.check(KEYS[0] as Key)).toEqual(one);
    const material = KEYS[0]?.material.reveal() as Buffer;
    expect(one?.checkValue).toEqual(Buffer.from(hkdfSync('sha256', material, '', 'kontor key check 2', 32)));
    expect(one?.earlierCheckValue).toEqual(createHmac('sha256', material).update('kontor key check 1').digest());
  });

  it('keeps what it has where the new ring has another key under an old name', async () => {
    let keys: readonly Key[] = KEYS;
    const changing = createKeyRing(async () => keys);
    await changing.refresh();
    const sealed = changing.seal(FIRST, PLACE, new Secret(NUMBER));
    keys = [make('card-data-1', 'card-data')];
    await expect(changing.refresh()).rejects.toThrow(Trouble);
    keys = [];
    await expect(changing.refresh()).rejects.toThrow('The key ring is gone');
    expect(changing.open(PLACE, sealed).reveal()).toBe(NUMBER);
  });

  it('goes on with a key that has left the ring, and says that the ring does not hold it', async () => {
    let keys: readonly Key[] = KEYS;
    const changing = createKeyRing(async () => keys);
    await changing.refresh();
    const sealed = changing.seal(FIRST, PLACE, new Secret(NUMBER));
    keys = KEYS.slice(1);
    await changing.refresh();
    expect(changing.held().map(({ id }) => id)).not.toContain(FIRST);
    expect(changing.open(PLACE, sealed).reveal()).toBe(NUMBER);
  });

  it('shares a load between callers, and loads anew for one who comes while it runs', async () => {
    let loads = 0;
    let release = (): void => undefined;
    const slow = createKeyRing(async () => {
      loads++;
      const found = KEYS.slice(0, loads);
      if (loads === 1) await new Promise<void>((resolve) => (release = resolve));
      return found;
    });
    const early = [slow.refresh(), slow.refresh()];
    while (loads === 0) await Promise.resolve();
    // The first load has read the ring already; the second key comes into it only now.
    const late = [slow.refresh(), slow.refresh()];
    release();
    await Promise.all([...early, ...late]);
    expect(slow.holds(SECOND)).toBe(true);
    expect(loads).toBe(2);
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

test('a key that was destroyed leaves the memory, and opens nothing any more', async () => {
  const own = createKeyRing(async () => KEYS);
  await own.refresh();
  const sealed = own.seal(FIRST, PLACE, new Secret(NUMBER));
  own.forget([FIRST]);
  expect(own.holds(FIRST)).toBe(false);
  expect(() => own.open(PLACE, sealed)).toThrow(AssertionFailure);
  expect(own.holds(SECOND)).toBe(true);
});
