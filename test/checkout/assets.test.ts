import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { integrityOf } from '../../src/kit/secret.ts';
import type { PageAsset, PageAssets } from '../../src/payments/page/page.types.ts';
import { pageAssets } from '../../src/payments/page-integrity/page-assets.adapter.ts';
import { pageFilesComplaint } from '../../src/payments/page-integrity/page-files.rules.ts';
import { PINNED_FILES } from '../../src/payments/page-integrity/pinned-files.rules.ts';

interface Script {
  readonly path: string;
  readonly sha384: string;
  readonly why: string;
  readonly owner: string;
}

const checkout = join(import.meta.dirname, '..', '..', 'checkout');
const manifest = JSON.parse(readFileSync(join(checkout, 'scripts.manifest.json'), 'utf8')) as readonly Script[];
const assets = pageAssets()();

describe('scripts.manifest.json', () => {
  it('names every script that a payer’s browser may load, and no other', () => {
    const scripts = [...assets.keys()].filter((name) => name.endsWith('.js'));
    expect(manifest.map(({ path }) => path).sort()).toEqual(scripts.sort());
    for (const { why, owner } of manifest) {
      expect(why).not.toBe('');
      expect(readFileSync(join(checkout, '..', owner), 'utf8')).not.toBe('');
    }
  });

  it.each(manifest)('$path is what was built; run scripts/write-manifest.mjs where the change was meant', (script) => {
    const built = assets.get(script.path);
    expect(built?.integrity).toBe(`sha384-${script.sha384}`);
    expect(
      createHash('sha384')
        .update(built?.content ?? '')
        .digest('base64'),
    ).toBe(script.sha384);
  });
});

describe('what the service is held to', () => {
  it('is every file that was built; run scripts/write-manifest.mjs where the change was meant', () => {
    const built = Object.fromEntries([...assets].map(([name, { integrity }]) => [name, integrity]));
    expect(PINNED_FILES).toEqual(built);
    expect(pageFilesComplaint(assets)).toBeUndefined();
  });

  const page = assets.get('page.js') as PageAsset;
  const changed = { ...page, content: Buffer.concat([page.content, Buffer.from('\n')]) };
  it.each<[string, PageAssets]>([
    ['a file with another content', new Map([...assets, ['page.js', changed]])],
    [
      'one whose digest was changed with it',
      new Map([...assets, ['page.js', { ...changed, integrity: integrityOf(changed.content) }]]),
    ],
    ['one that is missing', new Map([...assets].filter(([name]) => name !== 'page.js'))],
    ['one more', new Map([...assets, ['page.js.js', page]])],
  ])('finds %s', (_what, found) => {
    expect(pageFilesComplaint(found)).toContain('page.js');
  });
});

it('a name changes with what is in the file', () => {
  for (const { path, content } of assets.values()) {
    expect(path).toContain(createHash('sha256').update(content).digest('hex').slice(0, 12));
  }
});

it('the script of the page is small, and loads nothing from elsewhere', () => {
  const script = assets.get('page.js')?.content.toString() ?? '';
  expect(script.length).toBeGreaterThan(1000);
  expect(script.length).toBeLessThan(19 * 1024);
  expect(script).not.toMatch(/https?:|innerHTML|eval\(|localStorage|sessionStorage|document\.cookie/);
});
