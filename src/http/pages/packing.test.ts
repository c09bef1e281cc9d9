import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { chooseCoding, LEAST_PACKED_BYTES, packNow, packOnce } from './packing.ts';

const TEXT = 'a text that repeats itself, '.repeat(200);
const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };

test.each([
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip ; q=0.2 , br ; q=0.2', 'br'],
  ['gzip;q=0, br;q=0.000', 'identity'],
  ['gzip;q=2', 'identity'],
  ['gzip;q=', 'identity'],
  ['zstd, x-gzip', 'identity'],
  [',;=,;', 'identity'],
])('Accept-Encoding "%s" is answered in %s', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding);
});

describe('a body', () => {
  test.each(['br', 'gzip', 'identity'] as const)('is the same again after %s, packed once or now', async (coding) => {
    for (const packed of [await packOnce(TEXT, coding), await packNow(Buffer.from(TEXT), coding)]) {
      expect(packed.coding).toBe(coding);
      expect(UNPACK[coding](packed.body).toString()).toBe(TEXT);
      if (coding !== 'identity') expect(packed.body.length).toBeLessThan(TEXT.length / 10);
    }
  });

  test('that fits a packet is let be', async () => {
    const short = 'x'.repeat(LEAST_PACKED_BYTES - 1);
    expect((await packOnce(short, 'br')).coding).toBe('identity');
    expect((await packNow(Buffer.from(short), 'br')).coding).toBe('identity');
  });

  test('that is the same for all is packed once, also for those who ask meanwhile', async () => {
    const bytes = Buffer.from(`${TEXT}!`);
    const [one, other] = await Promise.all([packOnce(bytes, 'br'), packOnce(bytes, 'br')]);
    expect(one.body).toBe(other.body);
  });

  test('has a tag for each form, and another one where it differs', async () => {
    const tags = [
      await packOnce(TEXT, 'br'),
      await packOnce(TEXT, 'gzip'),
      await packOnce(TEXT, 'identity'),
      await packOnce(`${TEXT}.`, 'identity'),
    ].map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(4);
    expect((await packOnce(Buffer.from(TEXT), 'identity')).tag).toBe(tags[2]);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
  });
});
