import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { linksOf, listPages } from './docs/pages.ts';

const project = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'kontor-package-'));
const installed = join(folder, 'node_modules', 'kontor');

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

/**
 * Packs the project and installs the package in another folder as npm would: beside the packages that the lockfile has
 * for production, and no others. These are linked, not fetched, so that the test needs no network.
 */
beforeAll(() => {
  // As root the embedded PostgreSQL runs as another user, who must get through.
  chmodSync(folder, 0o711);
  execFileSync(process.execPath, ['scripts/ensure-built.mjs'], { cwd: project });
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: project });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no package';
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1']);
  for (const path of productionPackages()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(project, path), join(folder, path));
  }
  mkdirSync(join(folder, 'node_modules', '.bin'));
  symlinkSync('../kontor/dist/main.js', join(folder, 'node_modules', '.bin', 'kontor'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Paths like `node_modules/pg` that are installed without development dependencies. */
function productionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lockfile;
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && !devOptional)
    .map(([path]) => path)
    .filter((path) => existsSync(join(project, path)));
}

const version = () => (JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string }).version;

/** A home of its own, so that nothing of this machine's settings helps. */
const environment = {
  PATH: process.env['PATH'],
  HOME: folder,
  KONTOR_DATA_DIR: join(folder, 'data'),
  KONTOR_PORT: '0',
};
const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: environment });

/** Where the service listens, once it is ready: it writes its address to a file before that. */
async function readyService(): Promise<string> {
  return vi.waitFor(
    async () => {
      const sandbox = readFileSync(join(folder, 'data', 'sandbox.json'), 'utf8');
      const { baseUrl } = JSON.parse(sandbox) as { baseUrl: string };
      expect((await fetch(`${baseUrl}/health/ready`)).status).toBe(200);
      return baseUrl;
    },
    { timeout: 25_000 },
  );
}

describe('the packed package', () => {
  test('runs by its command, without a build and without development dependencies', () => {
    expect(existsSync(join(folder, 'node_modules', 'typescript'))).toBe(false);
    const { status, stdout, stderr } = run('npx', '--offline', 'kontor', '--version');
    expect({ status, stdout: stdout.trim() }, stderr).toEqual({ status: 0, stdout: version() });
  });

  test('serves, with its migrations, its document and its reference', async () => {
    const service = spawn(join(folder, 'node_modules', '.bin', 'kontor'), ['serve'], { cwd: folder, env: environment });
    const ended = once(service, 'exit');
    try {
      const base = await readyService();
      for (const path of ['/openapi.json', '/docs', '/docs/scalar.js', '/portal']) {
        expect((await fetch(base + path)).status, path).toBe(200);
      }
    } finally {
      service.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  });

  test('has the client, for other programs', () => {
    const program = `
      import { createClient } from 'kontor/client';
      import { verifyWebhook } from 'kontor/client/webhooks';
      import { KontorProblem } from 'kontor/client/problems';
      console.log(typeof createClient({ baseUrl: 'http://localhost' }).call, typeof verifyWebhook, KontorProblem.name);`;
    const { stdout, stderr } = run(process.execPath, '--input-type=module', '--eval', program);
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: 'function function KontorProblem', stderr: '' });
    expect(existsSync(join(installed, 'dist', 'client', 'client.d.ts'))).toBe(true);
  });

  test('needs no build where it stands', () => {
    const { status, stdout, stderr } = run(process.execPath, join(installed, 'scripts', 'ensure-built.mjs'));
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('has a command that can be run', () => {
    expect(lstatSync(join(installed, 'dist', 'main.js')).mode & 0o111).toBe(0o111);
    expect(readFileSync(join(installed, 'dist', 'main.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('holds what the service reads when it runs', () => {
    for (const path of [
      'migrations',
      'openapi',
      'dist/reference/scalar.js',
      'dist/reference/scalar.LICENSE',
      'dist/typebox.LICENSE',
      'dist/portal-files/index.html',
    ]) {
      expect(existsSync(join(installed, path)), path).toBe(true);
    }
  });

  test('links from its pages to what it holds', () => {
    // About changing Kontor itself, which needs a checkout.
    const ofCheckout = ['CONTRIBUTING.md', 'docs/adding-an-endpoint.md', 'docs/five-changes.md', 'docs/testing.md'];
    const pages = listPages().filter((page) => !ofCheckout.includes(page));
    const missing = pages.flatMap((page) =>
      linksOf(page)
        .filter(({ path }) => !ofCheckout.includes(path) && !existsSync(join(installed, path)))
        .map(({ path }) => `${page} links to ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test('holds no sources, tests or credentials', () => {
    for (const path of ['src', 'test', 'bench', 'data', 'dist/.stamp', 'node_modules']) {
      expect(existsSync(join(installed, path)), path).toBe(false);
    }
    const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /\.test\.|keys\.json|sandbox\.json/.test(file))).toEqual([]);
  });
});
