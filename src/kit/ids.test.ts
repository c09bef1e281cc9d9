import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactUuid, expandUuid, isUuid, parsePayeeId, uuidV4, uuidV7 } from './ids.ts';

test('a UUID of version 7 says so, holds its time, and sorts by it (RFC 9562, 5.7)', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 48 - 2 }), (unixMs) => {
      const id = uuidV7(unixMs);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(unixMs);
      expect(id < uuidV7(unixMs + 1)).toBe(true);
    }),
  );
});

test('2 048 ids of one millisecond are in the order in which they were made (RFC 9562, 6.2)', () => {
  for (const unixMs of [0, 1_790_000_000_000, 2 ** 48 - 1]) {
    const ids = Array.from({ length: 2048 }, () => uuidV7(unixMs));
    expect(ids.toSorted()).toEqual(ids);
    const more = Array.from({ length: 5000 }, () => uuidV7(unixMs));
    expect(new Set([...ids, ...more].map((id) => id.slice(0, 15))).size, 'all are of that time').toBe(1);
    expect(new Set([...ids, ...more]).size).toBe(7048);
  }
  const starts = Array.from({ length: 20 }, (_, ms) => uuidV7(ms).slice(15, 18));
  expect(new Set(starts).size, 'each millisecond begins somewhere else').toBeGreaterThan(1);
});

test('a UUID of version 4 says so, and each of its other digits is any (RFC 9562, 5.4)', () => {
  const ids = Array.from({ length: 1000 }, uuidV4);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const digits = Array.from({ length: 36 }, (_, place) => new Set(ids.map((id) => id[place])).size);
  expect(digits).toEqual([...'uuuuuuuu-uuuu-4uuu-vuuu-uuuuuuuuuuuu'].map((form) => ({ u: 16, v: 4 })[form] ?? 1));
});

test('no two ids are the same', () => {
  const ids = Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? uuidV4() : uuidV7(0)));
  expect(new Set(ids).size).toBe(1000);
});

test('the compact form is turned back, and nothing else is taken for one', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(expandUuid(compactUuid(uuid))).toBe(uuid);
    }),
  );
  for (const text of ['', 'x', uuidV4(), compactUuid(uuidV4()).toUpperCase(), `${compactUuid(uuidV4())}0`]) {
    expect(expandUuid(text)).toBeUndefined();
  }
});

test('a payee id is a UUID in whatever case, and comes back in lower case', () => {
  const id = uuidV7(1);
  expect(parsePayeeId(id.toUpperCase())).toBe(id);
  for (const text of ['', 'x', `${id} `, id.slice(1), compactUuid(id), `{${id}}`]) {
    expect(parsePayeeId(text)).toBeUndefined();
    expect(isUuid(text)).toBe(false);
  }
});
