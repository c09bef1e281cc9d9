import { describe, expect, it } from 'vitest';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { KeyId } from '../keys.types.ts';
import { createKeyRing } from './key-ring.adapter.ts';
import { parseRing, printRing } from './ring-text.rules.ts';

const { make } = createKeyRing(async () => undefined);
const KEYS = [make('card-data-1' as KeyId, 'card-data'), make('fingerprint-12' as KeyId, 'fingerprint')];
const parse = (text: string) => parseRing(new Secret(text), '/keys.json');

/** The ring as JSON, with something changed in its first key. */
function altered(change: object): string {
  const ring = JSON.parse(printRing(KEYS).reveal());
  Object.assign(ring.keys[0], change);
  return JSON.stringify(ring);
}

describe('the text of a ring', () => {
  it('has the same keys when it is read again', () => {
    const again = parse(printRing(KEYS).reveal());
    expect(again.map((key) => ({ ...key, material: key.material.reveal() }))).toEqual(
      KEYS.map((key) => ({ ...key, material: key.material.reveal() })),
    );
  });

  it('keeps a key whose purpose only a newer version knows', () => {
    const text = altered({ id: 'gift-card-cvc-1', purpose: 'gift-card-cvc' });
    expect(JSON.parse(printRing(parse(text)).reveal())).toEqual(JSON.parse(text));
  });

  const secret = Buffer.alloc(31, 7).toString('base64');
  it.each([
    ['nothing', '', 'is not a key ring'],
    ['half a text', printRing(KEYS).reveal().slice(0, 200), 'is not a key ring'],
    ['an array', '[]', 'is not a key ring'],
    ['no keys', '{"format": 1}', 'is not a key ring'],
    ['another format', '{"format": 2, "keys": []}', 'another version'],
    ['a key that is a text', '{"format": 1, "keys": ["x"]}', 'entry 1'],
    ['a key that is too short', altered({ material: secret }), 'entry 1'],
    ['a key that is not base64', altered({ material: `${secret}!` }), 'entry 1'],
    ['a key without its material', altered({ material: undefined }), 'entry 1'],
    ['an id of another purpose', altered({ id: 'secrets-1' }), 'entry 1'],
    ['an id without a number', altered({ id: 'card-data' }), 'entry 1'],
    ['an id with leading zeros', altered({ id: 'card-data-01' }), 'entry 1'],
    ['a time that is a number', altered({ createdAt: 1 }), 'entry 1'],
    ['a key twice', altered({ id: 'fingerprint-12', purpose: 'fingerprint' }), 'twice'],
  ])('is refused with %s, and the message does not quote it', (_name, text, reason) => {
    const error = thrownBy(() => parse(text));
    expect(error).toBeInstanceOf(Trouble);
    expect(String(error)).toContain('/keys.json');
    expect(String(error)).toContain(reason);
    expect(String(error)).not.toContain(secret);
    for (const { material } of KEYS)
      expect(String(error)).not.toContain(material.reveal().toString('base64').slice(0, 8));
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
