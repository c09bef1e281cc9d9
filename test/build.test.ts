import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

const project = join(import.meta.dirname, '..');
const parts = mkdtempSync(join(tmpdir(), 'kontor-build-'));
const sources = join(parts, 'sources');
const built = join(parts, 'built');
const marked = join(parts, 'marked');
let folder = '';
/** What the build of the sources said, which had none before. */
let firstBuild: ReturnType<typeof ensureBuilt>;

/** Copies with the times of change, which a stamp is made of. */
const copy = (from: string, to: string) => spawnSync('cp', ['-a', from, to]);

/** A small project that is built with the real scripts, settings and tools: once for all tests that begin with what was built. */
beforeAll(() => {
  mkdirSync(sources);
  for (const name of [
    'scripts',
    'locales',
    'checkout',
    'tsconfig.json',
    'tsconfig.build.json',
    'package.json',
    'package-lock.json',
  ]) {
    cpSync(join(project, name), join(sources, name), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(sources, 'node_modules'));
  folder = sources;
  mkdirSync(join(folder, 'src', 'kit'), { recursive: true });
  write('src/main.ts', "#!/usr/bin/env node\nimport { word } from './kit/word.ts';\nprocess.stdout.write(word);\n");
  write('src/kit/word.ts', "export const word: string = 'first';\n");
  write('src/kit/unused.ts', 'export const unused = 1;\n');
  // What the payment page's scripts import.
  mkdirSync(join(folder, 'src', 'kit', 'cards'));
  for (const name of ['brands.ts', 'typed-card.ts']) {
    cpSync(join(project, 'src', 'kit', 'cards', name), join(folder, 'src', 'kit', 'cards', name));
  }
  // What the build asks for the checks of schemas: this project has none.
  mkdirSync(join(folder, 'src', 'wiring'));
  mkdirSync(join(folder, 'src', 'http', 'body'), { recursive: true });
  write('src/wiring/checked-schemas.ts', 'export const checkedSchemas = async (): Promise<object[]> => [];\n');
  write(
    'src/http/body/compile-checks.ts',
    "export const checksAsText = (_: object[]): string => 'exports.checks = [];';\n",
  );
  mkdirSync(join(folder, 'portal'));
  cpSync(join(project, 'portal', 'vite.config.ts'), join(folder, 'portal', 'vite.config.ts'));
  write('portal/index.html', '<script type="module" src="/page.ts"></script>');
  write('portal/page.ts', "document.title = 'Portal';\n");
  copy(sources, built);
  folder = built;
  firstBuild = ensureBuilt();
  copy(sources, marked);
  folder = marked;
  write('scripts/build.mjs', MARKING_BUILD);
  ensureBuilt();
});

/** Says that it was run, and leaves a stamp as a build does: a real one takes seconds. */
const MARKING_BUILD = `
  import { mkdirSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { stampOf } from './stamp.mjs';
  const root = join(import.meta.dirname, '..');
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist', '.stamp'), stampOf(root));
  console.error('a build');`;

afterAll(() => rmSync(parts, { recursive: true, force: true, maxRetries: 10 }));

beforeEach(() => startFrom(sources));

/** Gives the test a folder of its own. The compiler of a build that the test before has killed may still be writing there. */
function startFrom(project: string): void {
  rmSync(join(parts, 'project'), { recursive: true, force: true, maxRetries: 10 });
  folder = join(parts, 'project');
  copy(project, folder);
}

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const inDist = (file: string) => join(folder, 'dist', file);
const ensureBuilt = () => spawnSync(process.execPath, ['scripts/ensure-built.mjs'], { cwd: folder, encoding: 'utf8' });
const runMain = () => spawnSync(inDist('main.js'), { encoding: 'utf8' }).stdout;
const builds = () => readdirSync(folder).filter((name) => name.startsWith('.dist-'));

describe('ensure-built', () => {
  test('builds what is missing: a command that can be run, the API reference, a stamp', () => {
    startFrom(built);
    const { status, stdout } = firstBuild;
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(runMain()).toBe('first');
    expect(readFileSync(inDist('reference/scalar.js'), 'utf8').length).toBeGreaterThan(1_000_000);
    expect(readFileSync(inDist('reference/scalar.LICENSE'), 'utf8')).toContain('MIT');
    expect(readFileSync(inDist('portal-files/index.html'), 'utf8')).toMatch(/\/portal\/assets\/index-[\w-]+\.js/);
    expect(builds()).toEqual([]);
  });

  test('does nothing while the sources are as they were', () => {
    startFrom(built);
    write('dist/main.js', 'untouched');
    expect(ensureBuilt()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(inDist('main.js'), 'utf8')).toBe('untouched');
  });

  test.each([
    ['edited', () => write('src/kit/word.ts', "export const word: string = 'second';\n")],
    ['added', () => write('src/kit/other.ts', 'export const other = 1;\n')],
    ['removed', () => rmSync(join(folder, 'src/kit/unused.ts'))],
    ['replaced by a newer version of a package', () => write('package-lock.json', '{}')],
  ])('builds again after a source was %s', (_, change) => {
    startFrom(marked);
    expect(ensureBuilt().stderr).toBe('');
    change();
    expect(ensureBuilt()).toMatchObject({ status: 0, stdout: '', stderr: expect.stringContaining('a build') });
    expect(ensureBuilt().stderr).toBe('');
  });

  test('has what the sources have: what was edited, added and removed', () => {
    startFrom(built);
    expect(existsSync(inDist('modules/src/kit/unused.js'))).toBe(true);
    write('src/kit/word.ts', "export const word: string = 'second';\n");
    write('src/kit/other.ts', 'export const other = 1;\n');
    rmSync(join(folder, 'src/kit/unused.ts'));
    expect(ensureBuilt()).toMatchObject({ status: 0, stdout: '' });
    expect(runMain()).toBe('second');
    expect(['modules/src/kit/other.js', 'modules/src/kit/unused.js'].map((file) => existsSync(inDist(file)))).toEqual([
      true,
      false,
    ]);
  });

  test('says what to do where the build tools are not installed', () => {
    rmSync(join(folder, 'node_modules'));
    const { status, stderr } = ensureBuilt();
    expect(status).toBe(1);
    expect(stderr).toContain('npm ci');
    expect(stderr).toContain('typescript');
  });

  test('does nothing in a packed package, which has no sources', () => {
    rmSync(join(folder, 'src'), { recursive: true });
    rmSync(join(folder, 'node_modules'));
    expect(ensureBuilt()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(existsSync(inDist('.'))).toBe(false);
  });

  test('costs little more than starting Node when there is nothing to build', () => {
    startFrom(built);
    cpSync(join(project, 'src'), join(folder, 'src', 'as-many-files-as-ours'), { recursive: true });
    writeFileSync(inDist('.stamp'), '');
    const stamp = spawnSync(
      process.execPath,
      ['-e', "import('./scripts/stamp.mjs').then(m => process.stdout.write(m.stampOf(process.cwd())))"],
      { cwd: folder },
    );
    writeFileSync(inDist('.stamp'), stamp.stdout);
    const times = Array.from({ length: 9 }, () => ({
      nothing: milliseconds(['-e', '0']),
      ensured: milliseconds(['scripts/ensure-built.mjs']),
    }));
    // The quickest of each: whatever else the machine does only ever adds.
    const ratio = Math.min(...times.map((time) => time.ensured)) / Math.min(...times.map((time) => time.nothing));
    expect(ratio, 'to build takes more than ten times as long').toBeLessThan(4);
  });
});

describe('build', () => {
  test('refused by the compiler leaves the old one alone, and the next start tries again', () => {
    startFrom(built);
    write('src/kit/word.ts', 'export const word: string = 1;\n');
    const { status, stdout, stderr } = ensureBuilt();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('word.ts');
    expect(runMain()).toBe('first');
    expect(ensureBuilt().status).toBe(1);
    expect(builds()).toEqual([]);
  });

  test('killed half-way does not look finished', async () => {
    const build = spawn(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'ignore' });
    const ended = once(build, 'exit');
    await vi.waitFor(() => expect(builds()).toHaveLength(1), { timeout: 10_000, interval: 1 });
    build.kill('SIGKILL');
    await ended;
    expect(builds()).toHaveLength(1);
    expect(existsSync(inDist('.stamp'))).toBe(false);
    expect(ensureBuilt().status).toBe(0);
    expect(runMain()).toBe('first');
  });

  test('two at once both succeed and leave one whole result', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const build = spawn(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'ignore' });
        const [status] = await once(build, 'exit');
        return status;
      }),
    );
    expect(statuses).toEqual([0, 0]);
    expect(ensureBuilt().stderr).toBe('');
    expect(runMain()).toBe('first');
    expect(builds()).toEqual([]);
  });
});

function milliseconds(command: readonly string[]): number {
  const start = process.hrtime.bigint();
  spawnSync(process.execPath, command, { cwd: folder, stdio: 'ignore' });
  return Number(process.hrtime.bigint() - start) / 1e6;
}
