import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getStatistics, listUsers, listWebhooks, searchGiftCards } from '../../portal/src/api/operations.generated.ts';
import { LEAST_PACKED_BYTES } from '../../src/http/pages/packing.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

describe('the page of the portal', () => {
  test('is the same at all of its addresses, runs nothing but files of this service, and cannot be framed', async () => {
    const first = await (await fetch(`${kontor.baseUrl}/portal`)).text();
    for (const path of ['/portal/', '/portal/payments', '/portal/payments/one', '/portal/ledger/movements/one']) {
      const answer = await fetch(kontor.baseUrl + path);
      expect(await answer.text(), path).toBe(first);
      const policy = answer.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|nonce|https?:|\*/);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
    expect(first).not.toMatch(/<script(?! type="module" crossorigin src=)|<style|style=/);
  });

  test('does not stand in for what is missing below the portal’s API and its files', async () => {
    for (const path of ['/portal/assets/none.js', '/portal/assets/..%2Findex.html', '/portal/a/b/c/d']) {
      expect((await fetch(kontor.baseUrl + path)).status, path).toBe(404);
    }
    // A caller without a session learns nothing of the API, not even what is missing.
    for (const path of ['/portal/api/none', '/portal/api/none/one']) {
      const answer = await fetch(kontor.baseUrl + path);
      expect(answer.headers.get('content-type'), path).toContain('application/problem+json');
    }
  });

  test('loads files that browsers keep for ever, packed where they take that', async () => {
    const html = await (await fetch(`${kontor.baseUrl}/portal`)).text();
    const paths = [...html.matchAll(/(?:src|href)="(\/portal\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) {
      const [packed, plain] = await Promise.all(
        ['gzip', 'identity'].map((encoding) =>
          fetch(kontor.baseUrl + path, { headers: { 'accept-encoding': encoding } }),
        ),
      );
      const text = (await plain?.text()) ?? '';
      // A small file does not gain by it.
      const isSmall = Buffer.byteLength(text) < LEAST_PACKED_BYTES;
      expect(packed?.headers.get('content-encoding')).toBe(isSmall ? null : 'gzip');
      expect(plain?.headers.get('content-encoding')).toBeNull();
      expect(plain?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(packed?.headers.get('vary')).toBe('Accept-Encoding');
      expect(await packed?.text()).toBe(text);
    }
  });
});

/** Kilobytes of 1000 bytes, packed. */
const FIRST_LOAD_KB = 250;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

test(`the first load weighs less than ${FIRST_LOAD_KB} kB`, () => {
  const folder = join(import.meta.dirname, '..', '..', 'dist', 'portal-files');
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
    readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'),
  );
  const files = new Set(['index.html']);
  const add = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined || files.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  // What a person waits for: the page, a language, and the first screen.
  for (const name of ['index.html', '../locales/portal-fi-FI.ts', 'src/home/home-page.tsx']) {
    expect(manifest, name).toHaveProperty([name]);
    add(name);
  }
  const bytes = [...files].map((file) => gzipSync(readFileSync(join(folder, file))).length);
  const kilobytes = bytes.reduce((sum, each) => sum + each, 0) / 1000;
  expect(kilobytes).toBeGreaterThan(100);
  expect(kilobytes).toBeLessThan(FIRST_LOAD_KB);
  // It holds the operations that it calls, and no table of all: each other screen brings its own.
  const text = [...files]
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(text.join('')).toContain(getStatistics);
  for (const elsewhere of [listUsers, searchGiftCards, listWebhooks]) expect(text.join('')).not.toContain(elsewhere);
});
