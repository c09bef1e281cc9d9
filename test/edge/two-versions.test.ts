import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shareFiles } from '../../src/browser-files/share-files.ts';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import { type OtherVersion, otherVersion } from './other-version.ts';

// An upgrade one instance after the other: a page of one version asks an instance of the other for what it loads.

let version: OtherVersion;
let both: TwoInstances;
beforeAll(async () => {
  version = await otherVersion();
  both = await twoInstances({}, {}, version.main);
});
afterAll(async () => {
  await both?.stop();
  await version.remove();
});

interface Loaded {
  readonly path: string;
  readonly integrity: string | undefined;
}

/** What the payment page and the portal of an instance load. */
async function loadedBy(baseUrl: string): Promise<readonly Loaded[]> {
  const pages = await Promise.all(
    ['/pay/none/none', '/portal'].map(async (path) => {
      const answer = await fetch(baseUrl + path, { headers: { accept: 'text/html' } });
      return answer.text();
    }),
  );
  const tags = pages.flatMap((html) => html.match(/<(?:script|link)\b[^>]*>/g) ?? []);
  return tags.flatMap((tag) => {
    const [, path] = /(?:src|href)="([^"]*\/(?:checkout|assets)\/[^"]+)"/.exec(tag) ?? [];
    return path === undefined
      ? []
      : [{ path: new URL(path, baseUrl).pathname, integrity: /integrity="([^"]+)"/.exec(tag)?.[1] }];
  });
}

async function ask(baseUrl: string, path: string) {
  const answer = await fetch(baseUrl + path);
  const { status, headers } = answer;
  const kept = ['content-type', 'cache-control', 'cross-origin-resource-policy'].map((name) => headers.get(name));
  return { status, kept, content: Buffer.from(await answer.arrayBuffer()) };
}

const WAYS = [
  { pages: 'this version', pagesOf: () => both.kontor.baseUrl, asked: () => both.otherUrl },
  { pages: 'another version', pagesOf: () => both.otherUrl, asked: () => both.kontor.baseUrl },
];

describe.each(WAYS)('pages of $pages', ({ pagesOf, asked }) => {
  test('load their files from an instance of the other one', async () => {
    const loaded = await loadedBy(pagesOf());
    const others = new Set((await loadedBy(asked())).map(({ path }) => path));
    const alone = loaded.filter(({ path }) => !others.has(path));
    expect(alone.length).toBeGreaterThan(10);
    expect(alone.some(({ integrity }) => integrity !== undefined)).toBe(true);
    for (const { path, integrity } of alone) {
      const lent = await ask(asked(), path);
      expect(lent, path).toEqual(await ask(pagesOf(), path));
      expect(lent.status, path).toBe(200);
      if (integrity === undefined) continue;
      expect(`sha384-${createHash('sha384').update(lent.content).digest('base64')}`).toBe(integrity);
    }
  });

  test('get no file that there is in neither', async () => {
    for (const path of ['/checkout/page-000000000000.js', '/portal/assets/none.js', '/checkout/assets.json']) {
      expect((await ask(asked(), path)).status, path).toBe(404);
    }
  });
});

test('files are deleted a month after the last instance of their version', async () => {
  const { database } = both.kontor;
  const file = (path: string) => [path, { path, contentType: 'text/css', content: Buffer.from('a{}') }] as const;
  const share = (path: string) => database.transact((transaction) => shareFiles(transaction, new Map([file(path)])));
  const kept = async () => {
    const { rows } = await database.read<{ path: string }>(
      { name: 'test-kept-files', text: `select path from browser_file where path like '/checkout/t-%' order by path` },
      [],
    );
    return rows.map(({ path }) => path);
  };
  await share('/checkout/t-1.css');
  await share('/checkout/t-2.css');
  expect(await kept()).toEqual(['/checkout/t-1.css', '/checkout/t-2.css']);
  await database.asAdmin(
    `update browser_file set shared_at = shared_at - interval '31 days' where path like '/checkout/t-%'`,
  );
  await share('/checkout/t-2.css');
  expect(await kept()).toEqual(['/checkout/t-2.css']);
});
